/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { classifyPage } from '../../src/discovery/classify.js';
import {
  beforeSending,
  NOTHING_SENT,
  type PageBefore,
  type PageContext,
  type PageKind,
  type Verdict,
} from '../../src/discovery/verdict.js';
import { PageLab } from './fixture.js';

/** What a case may say of its verdict; fields as `type:label`, choices as `type/mfaType:label`. */
type Expected = {
  readonly kind?: PageKind;
  readonly fields?: readonly string[];
  readonly choices?: readonly string[];
  readonly submit?: string | null;
  readonly error?: string | null;
  readonly entry?: string;
  readonly external?: { readonly kind: string; readonly number: string | null };
  readonly captcha?: boolean;
};

const AFTER_PASSWORD: PageContext = {
  sent: ['identifier', 'password'],
  before: {
    url: 'http://site.example/login',
    documentId: 'before',
    alerts: [],
    plain: [],
    asked: [],
    boxes: [],
    places: [],
    form: null,
    error: null,
  },
};
const box = (label: string, type: string, more = ''): string => `<p><label>${label} <input type="${type}" ${more}></label></p>`;
const login = (name: string, password: string, button: string): string =>
  `<form>${box(name, 'text')}${box(password, 'password')}<button>${button}</button></form>`;

const settings = ['Session timeout', 'Least length', 'Least digits', 'Log level', 'Log target', 'Report errors', 'Keep sessions for']
  .map((name) => `<p><label>${name} <select><option>5</option><option>10</option></select></label></p>`)
  .join('');

const LANGUAGES: readonly (readonly [string, string, string, string])[] = [
  ['en', 'Username', 'Password', 'Sign in'],
  ['de', 'Benutzername', 'Kennwort', 'Anmelden'],
  ['fr', 'Identifiant', 'Mot de passe', 'Se connecter'],
  ['es', 'Nombre de usuario', 'Contraseña', 'Iniciar sesión'],
  ['pt', 'Nome de utilizador', 'Palavra-passe', 'Entrar'],
  ['it', 'Nome utente', 'Parola chiave', 'Accedi'],
  ['nl', 'Gebruikersnaam', 'Wachtwoord', 'Inloggen'],
  ['pl', 'Nazwa użytkownika', 'Hasło', 'Zaloguj się'],
  ['ru', 'Имя пользователя', 'Пароль', 'Войти'],
  ['ja', 'ユーザー名', 'パスワード', 'ログイン'],
  ['zh', '用户名', '密码', '登录'],
  ['ko', '아이디', '비밀번호', '로그인'],
];

/** The password box is a text box here (a site that shows it), so that only words tell what it is. */
const CODE_WORDS: readonly (readonly [string, string, string])[] = [
  ['en', 'Verification code', 'Verify'],
  ['de', 'Bestätigungscode', 'Bestätigen'],
  ['fr', 'Code de vérification', 'Valider'],
  ['es', 'Código de verificación', 'Verificar'],
  ['pt', 'Código de verificação', 'Confirmar'],
  ['it', 'Codice di verifica', 'Conferma'],
  ['nl', 'Verificatiecode', 'Bevestigen'],
  ['pl', 'Kod weryfikacyjny', 'Potwierdź'],
  ['ru', 'Код подтверждения', 'Подтвердить'],
  ['ja', '認証コード', '確認'],
  ['zh', '验证码', '提交'],
  ['ko', '인증번호', '확인'],
];

const ERRORS: readonly (readonly [string, string])[] = [
  ['en', 'Your password is incorrect.'],
  ['de', 'Das Passwort ist falsch.'],
  ['fr', 'Mot de passe incorrect.'],
  ['es', 'La contraseña no es correcta.'],
  ['pt', 'Senha incorreta.'],
  ['it', 'La password non è corretta.'],
  ['nl', 'Het wachtwoord is onjuist.'],
  ['pl', 'Nieprawidłowe hasło.'],
  ['ru', 'Неверный пароль.'],
  ['ja', 'パスワードが正しくありません。'],
  ['zh', '密码错误'],
  ['ko', '비밀번호가 올바르지 않습니다.'],
];

/** Words for a code that hold one for a password or a number. */
const ONE_TIME: readonly (readonly [string, string])[] = [
  ['en', 'One-time password'],
  ['en', 'RSA SecurID passcode'],
  ['en', 'Passcode from your token'],
  ['en', 'PIN + token code'],
  ['de', 'Einmalpasswort'],
  ['de', 'mTAN'],
  ['fr', 'Mot de passe à usage unique'],
  ['es', 'Contraseña de un solo uso'],
  ['pt', 'Senha de uso único'],
  ['it', 'Password monouso'],
  ['nl', 'Eenmalig wachtwoord'],
  ['pl', 'Hasło jednorazowe'],
  ['ru', 'Одноразовый пароль'],
  ['ja', '認証番号'],
  ['zh', '一次性密码'],
  ['ko', '일회용 비밀번호'],
];

/** A code that is told of above a box without words of its own, as headings and sentences. */
const CODE_TOLD: readonly (readonly [string, string, string])[] = [
  ['en', 'One more step', 'Please key in the security PIN shown on your card reader'],
  ['de', 'Bestätigen Sie Ihre Identität', 'Wir haben Ihnen eine TAN per SMS an *****89 geschickt.'],
  ['fr', 'Vérification en deux étapes', 'Saisissez le code à 6 chiffres envoyé au 06 ** ** ** 12'],
  ['es', 'Verificación', 'Introduce el código que te hemos enviado por SMS al ***123'],
  ['pt', 'Verificação', 'Digite o código enviado por SMS para (11) *****-1234'],
  ['it', 'Verifica', 'Inserisci il codice che ti abbiamo inviato a m***@x.it'],
  ['nl', 'Verificatie', 'Vul de code in die we naar u*** hebben gestuurd'],
  ['pl', 'Weryfikacja', 'Wpisz kod wysłany na numer *** *** 123'],
  ['ru', 'Подтверждение входа', 'Введите код из SMS, отправленного на +7 *** *** 12 34'],
  ['ja', '本人確認', 'ご登録の携帯電話（***-****-1234）にSMSでお送りした4桁の認証番号を入力してください。'],
  ['zh', '安全验证', '请输入发送到手机 138****1234 的验证码'],
  ['ko', '본인 확인', '휴대폰 ***-****-1234 로 전송된 인증번호를 입력하세요'],
];

/** Pages that let nobody on: who stands there, after a password, is not in. */
const BARRED: readonly (readonly [string, string, string])[] = [
  [
    'en',
    '<h1>Security alert</h1><p>We blocked this sign-in because it looked unusual.</p><a href="/">Back</a>',
    'We blocked this sign-in because it looked unusual.',
  ],
  [
    'en',
    '<h1>We have detected unusual activity</h1><p>Please contact our fraud team on 0800 123.</p><a href="/help">Help</a>',
    'We have detected unusual activity. Please contact our fraud team on 0800 123.',
  ],
  [
    'en',
    '<h1>Please use another browser</h1><p>This browser is not supported.</p>',
    'Please use another browser. This browser is not supported.',
  ],
  ['en', '<h1>Scheduled maintenance</h1><p>We will be back at 06:00 UTC.</p>', 'Scheduled maintenance. We will be back at 06:00 UTC.'],
  ['en', '<h1>Queue</h1><p>You are number 1423 in line. Do not refresh.</p>', 'You are number 1423 in line. Do not refresh.'],
  ['en', '<h1>Sign-in blocked</h1><button>Back</button><button>Home</button><a href="/c">Contact us</a>', 'Sign-in blocked'],
  ['de', '<h1>Bitte warten</h1><p>Ihr Konto wird geprüft. Bitte wenden Sie sich an den Support.</p>', 'Ihr Konto wird geprüft.'],
  ['fr', '<h1>Maintenance en cours</h1><p>Merci de votre patience.</p>', 'Maintenance en cours'],
  ['es', '<h1>Sala de espera</h1><p>No actualice la página.</p>', 'Sala de espera. No actualice la página.'],
  ['pt', '<h1>Aviso</h1><p>Sua conta está em análise.</p>', 'Sua conta está em análise.'],
  ['it', '<h1>Avviso</h1><p>Questo browser non è supportato.</p>', 'Questo browser non è supportato.'],
  ['nl', '<h1>Let op</h1><p>U staat in de wachtrij.</p>', 'U staat in de wachtrij.'],
  ['pl', '<h1>Uwaga</h1><p>Wykryliśmy podejrzaną aktywność.</p>', 'Wykryliśmy podejrzaną aktywność.'],
  ['ru', '<h1>Внимание</h1><p>Ведутся технические работы.</p>', 'Ведутся технические работы.'],
  ['ja', '<h1>お知らせ</h1><p>ただいまメンテナンス中です。</p>', 'ただいまメンテナンス中です。'],
  ['zh', '<h1>通知</h1><p>您的帐户正在审核。</p>', '您的帐户正在审核。'],
  ['ko', '<h1>안내</h1><p>시스템 점검 중입니다.</p>', '시스템 점검 중입니다.'],
];

/** The button of a form that goes on with what the form asks for. */
const OWN_WAY_ON: readonly (readonly [string, string, string])[] = [
  ['en', 'Email', 'Continue with email'],
  ['de', 'E-Mail-Adresse', 'Weiter mit E-Mail'],
  ['fr', 'Adresse e-mail', 'Continuer avec l’e-mail'],
  ['es', 'Correo electrónico', 'Continuar con el correo electrónico'],
  ['pt', 'E-mail', 'Continuar com e-mail'],
  ['it', 'Indirizzo e-mail', 'Continua con l’e-mail'],
  ['nl', 'E-mailadres', 'Doorgaan met e-mail'],
  ['pl', 'Adres e-mail', 'Kontynuuj z adresem e-mail'],
  ['ru', 'Электронная почта', 'Продолжить с электронной почтой'],
  ['ja', 'メールアドレス', 'メールアドレスで続行'],
  ['zh', '电子邮箱', '使用电子邮箱继续'],
  ['ko', '이메일', '이메일로 계속하기'],
  ['sv', 'E-post', 'Fortsätt med e-post'],
  ['cs', 'E-mail', 'Pokračovat s e-mailem'],
];

/** What a website may ask once the password is sent, as headings, fields as `label:type` and the button. */
const ASKED: readonly (readonly [string, string, readonly string[], string])[] = [
  ['en', 'Security question', ['What was the name of your first pet?'], 'Continue'],
  ['en', 'One more step', ['Memorable word'], 'OK'],
  ['en', 'Please complete your profile', ['Mobile number'], 'Save and continue'],
  ['en', 'Sign in', ['Customer number', 'Date of birth'], 'Sign in'],
  ['en', 'A few details', ['Favourite colour'], 'Proceed'],
  ['de', 'Sicherheitsabfrage', ['Wie hieß Ihr erstes Haustier?'], 'Weiter'],
  ['de', 'Anmelden', ['Geburtsdatum'], 'Weiter'],
  ['fr', 'Question secrète', ['Quel est le nom de votre premier animal ?'], 'Continuer'],
  ['es', 'Pregunta de seguridad', ['¿Cuál fue su primer coche?'], 'Siguiente'],
  ['pt', 'Pergunta', ['Qual é o nome da sua mãe?'], 'Continuar'],
  ['it', 'Ancora un passo', ['Numero cliente', 'Data di nascita'], 'Avanti'],
  ['nl', 'Nog een stap', ['Geboortedatum'], 'Verder'],
  ['pl', 'Jeszcze jeden krok', ['Nazwisko panieńskie matki'], 'Dalej'],
  ['ru', 'Ещё один шаг', ['Девичья фамилия матери'], 'Продолжить'],
  ['ja', '秘密の質問', ['最初のペットの名前'], '次へ'],
  ['zh', '安全问题', ['您母亲的姓名'], '下一步'],
  ['ko', '추가 확인', ['어머니의 성함'], '다음'],
  ['sv', 'Ett steg till', ['Din mors flicknamn'], 'Fortsätt'],
  ['cs', 'Ještě jeden krok', ['Dívčí příjmení matky'], 'Pokračovat'],
  ['eu', 'Beste urrats bat', ['Zure lehen autoa'], 'Jarraitu'],
];

/** Pages that bar the way and offer one around all the same. */
const AROUND: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'en',
    '<h1>Security alert</h1><p>We blocked this sign-in because it looked unusual.</p><a href="/y">Yes, it was me</a> <a href="/">Back</a> <a href="/h">Home</a>',
    ['other/:Yes, it was me'],
  ],
  [
    'en',
    '<h1>Unusual activity</h1><button>Try another way</button><button>Verify it’s you</button><button>Contact support</button>',
    ['mfa_method/switch:Try another way', 'other/:Verify it’s you'],
  ],
  [
    'en',
    '<h1>Your session ended</h1><p>You are signed in on another computer. Only one session is allowed.</p><form method="post"><button>End other session and continue</button><button>Cancel</button></form>',
    ['other/:End other session and continue'],
  ],
  ['de', '<h1>Verdächtige Aktivität</h1><button>Das war ich</button><button>Startseite</button>', ['other/:Das war ich']],
  ['fr', '<h1>Activité inhabituelle</h1><a href="/o">Oui, c’était moi</a><a href="/">Accueil</a>', ['other/:Oui, c’était moi']],
  ['es', '<h1>Actividad inusual</h1><button>Sí, fui yo</button><a href="/c">Contacto</a>', ['other/:Sí, fui yo']],
  ['pt', '<h1>Atividade suspeita</h1><button>Sim, fui eu</button>', ['other/:Sim, fui eu']],
  ['it', '<h1>Attività sospetta</h1><button>Sono stato io</button>', ['other/:Sono stato io']],
  ['nl', '<h1>Verdachte activiteit</h1><button>Dat was ik</button>', ['other/:Dat was ik']],
  ['pl', '<h1>Podejrzana aktywność</h1><button>To ja</button>', ['other/:To ja']],
  ['ru', '<h1>Подозрительная активность</h1><button>Это был я</button>', ['other/:Это был я']],
  ['ja', '<h1>不審なログイン</h1><button>本人です</button><a href="/">トップページ</a>', ['other/:本人です']],
  ['zh', '<h1>异常登录</h1><button>是我本人</button><a href="/">返回首页</a>', ['other/:是我本人']],
  ['ko', '<h1>의심스러운 활동</h1><button>본인입니다</button><a href="/c">고객센터</a>', ['other/:본인입니다']],
];

/** What ends other sessions so that one can go on: as heading and text, the buttons, and what is offered. */
const ELSEWHERE: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    'en',
    '<h1>You are signed in elsewhere</h1>',
    '<button>Sign out of other devices</button><a href="/">Cancel</a>',
    ['Sign out of other devices'],
  ],
  ['en', '<h1>Active session found</h1>', '<button>Log out other session and continue</button>', ['Log out other session and continue']],
  ['en', '<h1>Session limit reached</h1>', '<button>Log out everywhere and continue</button>', ['Log out everywhere and continue']],
  [
    'en',
    '<h1>One device at a time</h1><p>Kim is on Chrome.</p>',
    '<a href="/logout-others">Sign out other devices</a><a href="/logout">Log out</a>',
    ['Sign out other devices'],
  ],
  [
    'en',
    '<h1>Too many devices</h1>',
    '<label><input type="radio" name="k"> Chrome, Berlin</label><label><input type="radio" name="k"> Safari, Oslo</label><button>Sign out this device and continue</button>',
    ['Chrome, Berlin', 'Safari, Oslo'],
  ],
  ['de', '<h1>Bereits angemeldet</h1>', '<button>Andere Sitzung abmelden</button><button>Abbrechen</button>', ['Andere Sitzung abmelden']],
  ['fr', '<h1>Session déjà ouverte</h1>', '<button>Déconnecter les autres appareils</button>', ['Déconnecter les autres appareils']],
  ['es', '<h1>Sesión activa</h1>', '<button>Cerrar sesión en otros dispositivos</button>', ['Cerrar sesión en otros dispositivos']],
  ['pt', '<h1>Sessão ativa</h1>', '<button>Sair de todos os dispositivos</button>', ['Sair de todos os dispositivos']],
  ['it', '<h1>Sessione attiva</h1>', '<button>Esci da altri dispositivi</button>', ['Esci da altri dispositivi']],
  ['nl', '<h1>Actieve sessie</h1>', '<button>Andere apparaten uitloggen</button>', ['Andere apparaten uitloggen']],
  ['pl', '<h1>Aktywna sesja</h1>', '<button>Wyloguj z innych urządzeń</button>', ['Wyloguj z innych urządzeń']],
  ['ru', '<h1>Активный сеанс</h1>', '<button>Выйти на всех устройствах</button>', ['Выйти на всех устройствах']],
  ['ja', '<h1>同時ログイン</h1>', '<button>他の端末をログアウト</button>', ['他の端末をログアウト']],
  ['zh', '<h1>会话已存在</h1>', '<button>退出其他设备</button>', ['退出其他设备']],
  ['ko', '<h1>동시 접속</h1>', '<button>다른 기기 로그아웃</button>', ['다른 기기 로그아웃']],
];

/** Steps that have a way out beside them. */
const WAY_OUT_BESIDE: readonly (readonly [string, string, Expected])[] = [
  [
    'a wait for a phone',
    '<h1>Approve sign-in request</h1><p>We sent a notification to your phone. Open Acme Verify and tap Approve.</p><a href="/logout">Sign out</a>',
    { kind: 'external_wait', external: { kind: 'push', number: null } },
  ],
  [
    'the same, by another name',
    '<h1>Check your phone</h1><p>Tap 47 in the Acme app to approve the sign-in.</p><a href="/logout">Cancel and log out</a>',
    { kind: 'external_wait' },
  ],
  [
    'a link in the mail',
    '<h1>Verify your email</h1><p>We sent a verification link to k***@x.com. Please click it to continue.</p><form method="post" action="/resend"><button>Resend email</button></form><a href="/logout">Log out</a>',
    { kind: 'external_wait', external: { kind: 'magic_link', number: null } },
  ],
  [
    'a list of methods',
    '<h1>Verify with Okta Verify</h1><p>Select from the following options</p><form method="post"><button>Get a push notification</button><button>Enter a code</button><button>Text me a code</button></form><a href="/logout">Sign Out</a>',
    {
      kind: 'method_choice',
      choices: ['mfa_method/push:Get a push notification', 'mfa_method/other:Enter a code', 'mfa_method/sms:Text me a code'],
    },
  ],
  [
    'the name of the website, and a method list with a greeting',
    '<header><a href="/">Acme</a></header><h1>Hi Kim</h1><form method="post"><button>Authenticator app</button><button>Text message to *** 11</button></form><a href="/logout">Sign out</a>',
    { kind: 'method_choice' },
  ],
  [
    'a security question',
    '<h1>Security question</h1><form method="post"><label>First pet?<input name="k"></label><button>Continue</button></form><a href="/logout">Log out</a>',
    { kind: 'question', fields: ['text:First pet?'], submit: 'Continue' },
  ],
  [
    'new terms',
    '<h1>Updated terms</h1><p>You must accept the new terms to go on.</p><form method="post"><button>I accept</button></form><a href="/logout">Log out</a>',
    { kind: 'fork', choices: ['other/:I accept'] },
  ],
  [
    'a list to choose from',
    '<h1>Which store?</h1><form method="post"><label><input type="radio" name="k"> Store A</label><label><input type="radio" name="k"> Store B</label><button>Continue</button></form><a href="/logout">Log out</a>',
    { kind: 'fork', choices: ['other/:Store A', 'other/:Store B'], submit: 'Continue' },
  ],
  [
    'an account that is closed',
    '<h1>Account suspended</h1><p>Your account has been suspended. Contact support.</p><a href="mailto:help@site.example">help@site.example</a><a href="/logout">Log out</a>',
    { kind: 'error' },
  ],
];

/** Pages of somebody who is in, however little they show beside the way out. */
const IN: readonly (readonly [string, string])[] = [
  ['a greeting alone', '<h1>Welcome kim</h1><a href="/logout">Sign out</a>'],
  ['a line alone', '<p>Signed in as kim</p><a href="/logout">Sign out</a>'],
  [
    'a home page with little',
    '<header><a href="/home">Home</a><form action="/logout" method="post"><button>Sign out</button></form></header><h1>Good evening, Kim</h1><p>You have 3 open orders.</p>',
  ],
  [
    'work in buttons',
    '<h1>Orders</h1><form method="post"><button>New order</button></form><button>Export</button><a href="/logout">Sign out</a>',
  ],
  [
    'a list with a button that saves',
    '<h1>Hasiera</h1><form method="post"><select name="l"><option>A</option><option>B</option></select><button>Save</button></form><a href="/logout">Sign out</a>',
  ],
  [
    'a message of failure among its news',
    '<h1>Orders</h1><p role="alert">Payment failed</p><a href="/orders">Orders</a><a href="/logout">Sign out</a>',
  ],
  [
    'an address to confirm some time, beside work',
    '<h1>Projects</h1><p>Verify your email: we sent a verification link to k***@x.com.</p><a href="/new">New project</a><a href="/logout">Log out</a>',
  ],
  [
    'a question beside work',
    '<h1>Projects</h1><form method="post"><label>Title <input name="t"></label><button>Continue</button></form><a href="/reports">Reports</a><a href="/logout">Log out</a>',
  ],
  [
    'settings that end other sessions too',
    '<h1>Your account</h1><a href="/orders">Orders</a><button>Sign out of other devices</button><a href="/logout">Sign out</a>',
  ],
  [
    'a banner about cookies',
    '<h1>Your orders</h1><p>Three are open.</p><a href="/logout">Sign out</a><div><p>We use cookies.</p><button>Accept</button><button>Decline</button></div>',
  ],
];

/** Behind the password of a website whose login has the menus that are around each of its pages. */
const AMONG_MENUS: PageContext = {
  ...AFTER_PASSWORD,
  before: {
    ...(AFTER_PASSWORD.before as PageBefore),
    places: ['/Accounts', '/Savings', '/Business', '/Cards', '/Loans', '/a', '/b', '/c', '/d'],
  },
};

/** The menus of a website, around each of its pages. */
const framed = (html: string, more = ''): string =>
  `<header><nav>${['Accounts', 'Savings', 'Business', 'Cards', 'Loans'].map((text) => `<a href="/${text}">${text}</a>`).join('')}${more}</nav></header><main>${html}</main><footer><a href="/privacy">Privacy</a></footer>`;

const WALL = 'position:fixed;inset:0;background:#fffd;z-index:9';
/** What is laid over a login without being called a dialog, and the button that clears it away. */
const OVERLAYS: readonly (readonly [string, string, string])[] = [
  [
    'a banner named for cookies',
    `<div id="cookie-banner" class="cookie-consent" style="${WALL}"><div><p>We use cookies</p><button>Settings</button><button>Accept all</button></div></div>`,
    'Accept all',
  ],
  [
    'a nameless banner',
    `<div style="${WALL}"><div><p>Wir verwenden Cookies</p><button>Einstellungen</button><button>Alle akzeptieren</button></div></div>`,
    'Alle akzeptieren',
  ],
  [
    'a banner that can be refused',
    `<div class="banner" style="${WALL}"><p>Nous utilisons des cookies.</p><button>Accepter</button><button>Refuser</button></div>`,
    'Refuser',
  ],
  [
    'a consent wall',
    `<div id="cmp" style="${WALL}"><p>We value your privacy. We and our 842 partners store and access information on your device.</p><button>Manage options</button><button>Accept all</button></div>`,
    'Accept all',
  ],
  [
    'a newsletter',
    `<div id="promo" style="${WALL}"><p>Subscribe to our newsletter and get 10% off!</p><input type="email" placeholder="Your email"><button>Subscribe</button><button aria-label="Close">×</button></div>`,
    '×',
  ],
];

const CASES: readonly (readonly [string, string, Expected, PageContext?])[] = [
  [
    'identifier first',
    `<h1>Sign in</h1><form>${box('Email or phone', 'text', 'name="loginfmt"')}<button>Next</button></form>`,
    { kind: 'identifier', fields: ['identifier:Email or phone'], submit: 'Next' },
  ],
  [
    'password with the name shown',
    `<h1>Welcome</h1><form>${box('Account', 'text', 'readonly value="ada@site.example"')}${box('Enter your password', 'password')}<button>Sign in</button></form>`,
    { kind: 'password', submit: 'Sign in' },
  ],
  [
    'sign-up beside login',
    `<div>${login('Email', 'Password', 'Log in')}</div><div><h2>New here?</h2><form>${box('First name', 'text')}${box('Email', 'email')}${box('Password', 'password', 'autocomplete="new-password"')}${box('Confirm password', 'password')}<button>Create account</button></form></div>`,
    { kind: 'credentials', fields: ['identifier:Email', 'password:Password'], submit: 'Log in' },
  ],
  [
    'search and newsletter decoys',
    `<header><form role="search"><input type="search" name="q" placeholder="Search"><button>Search</button></form></header>${login('Customer number', 'PIN', 'Log on')}<footer><form class="newsletter"><input type="email" placeholder="Your email"><button>Subscribe</button></form></footer>`,
    { kind: 'credentials', fields: ['identifier:Customer number', 'password:PIN'], submit: 'Log on' },
  ],
  [
    'a whole-page form',
    `<form id="aspnetForm"><input name="q" placeholder="Search"><button>Go</button>${box('User ID', 'text')}${box('Password', 'password')}<input type="submit" value="Login"><input type="email" placeholder="Email for our newsletter"><button>Subscribe</button></form>`,
    { kind: 'credentials', fields: ['identifier:User ID', 'password:Password'], submit: 'Login' },
  ],
  [
    'only a sign-up',
    `<h1>Create your account</h1><form>${box('First name', 'text')}${box('Last name', 'text')}${box('Email', 'email')}${box('Password', 'password', 'autocomplete="new-password"')}<button>Sign up</button></form>`,
    { kind: 'sign_up', fields: [] },
  ],
  [
    'only a newsletter',
    `<h1>News</h1><form><p>Get our newsletter</p><input type="email" placeholder="Email address"><button>Subscribe</button></form>`,
    { kind: 'unknown', fields: [] },
  ],
  [
    'password reset request',
    `<h1>Reset your password</h1><form>${box('Email', 'email')}<button>Send reset link</button></form>`,
    { kind: 'password_reset', fields: [] },
  ],
  [
    'a way in behind a header button',
    `<header><nav><a href="/pricing">Pricing</a><a href="/signup">Sign up</a><a href="/login">Log in</a></nav></header><h1>The best product</h1><form>${box('Your email', 'email')}<button>Get started free</button></form>`,
    { kind: 'landing', entry: 'Log in' },
  ],
  [
    'a way in behind a link in another language',
    `<header><a href="/de/produkte">Produkte</a><a href="/konto">Anmelden</a></header><h1>Willkommen im Laden</h1>`,
    { kind: 'landing', entry: 'Anmelden' },
  ],
  [
    'login beside providers',
    `${login('Email', 'Password', 'Sign in')}<p>or</p><button>Continue with Google</button><a href="/auth/github" aria-label="GitHub"><svg width="20" height="20"><title>GitHub</title></svg></a><button>Sign in with Acme ID</button><footer><a href="https://facebook.com/site">Facebook</a></footer>`,
    {
      kind: 'credentials',
      submit: 'Sign in',
      choices: ['sso_provider/:Continue with Google', 'sso_provider/:GitHub', 'sso_provider/:Sign in with Acme ID'],
    },
  ],
  [
    'providers alone',
    `<h1>Log in to Example</h1><button>Continue with Google</button><button>Continue with Apple</button><button>Continue with email</button>`,
    {
      kind: 'method_choice',
      choices: ['sso_provider/:Continue with Google', 'sso_provider/:Continue with Apple', 'sign_in_method/:Continue with email'],
    },
  ],
  [
    'providers in Japanese',
    `<h1>ログイン</h1><button>Googleでログイン</button><button>LINEでログイン</button>`,
    { kind: 'method_choice', choices: ['sso_provider/:Googleでログイン', 'sso_provider/:LINEでログイン'] },
  ],
  [
    'passkey beside a password',
    `${login('Email', 'Password', 'Sign in')}<button>Sign in with a passkey</button><a href="#">Email me a sign-in link</a>`,
    { kind: 'credentials', choices: ['auth_method/passkey:Sign in with a passkey', 'auth_method/email:Email me a sign-in link'] },
  ],
  [
    'passkey only',
    `<h1>Use your passkey</h1><p>Your device will ask for your fingerprint, face or screen lock.</p><button>Continue</button>`,
    { kind: 'passkey', choices: [] },
  ],
  [
    'method buttons',
    `<h1>Choose how to verify it's you</h1><ul><li><button>Use your authenticator app</button></li><li><button>Get a text message at ••• ••• 42</button></li><li><button>Call me</button></li><li><button>Approve a push notification</button></li><li><button>Use a security key</button></li></ul><a href="/help">Help</a><a href="#">Cancel</a>`,
    {
      kind: 'method_choice',
      choices: [
        'mfa_method/totp:Use your authenticator app',
        'mfa_method/sms:Get a text message at ••• ••• 42',
        'mfa_method/call:Call me',
        'mfa_method/push:Approve a push notification',
        'mfa_method/passkey:Use a security key',
      ],
    },
    AFTER_PASSWORD,
  ],
  [
    'method rows with a Select button each',
    `<h1>Verify your identity</h1><div><div><b>Text message</b><p>+1 ••• ••• 42</p><button>Select</button></div><div><b>Email</b><p>a***@site.example</p><button>Select</button></div></div>`,
    { kind: 'method_choice', choices: ['mfa_method/sms:Text message', 'mfa_method/email:Email'] },
    AFTER_PASSWORD,
  ],
  [
    'method list in German',
    `<h1>Zwei-Faktor-Authentifizierung</h1><p>Wählen Sie eine Methode</p><button>SMS an ••• 42</button><button>Authenticator-App</button><button>Anruf</button>`,
    { kind: 'method_choice', choices: ['mfa_method/sms:SMS an ••• 42', 'mfa_method/totp:Authenticator-App', 'mfa_method/call:Anruf'] },
    AFTER_PASSWORD,
  ],
  [
    'SMS code with a way out',
    `<h1>Two-step verification</h1><p>We sent a code to +1 ••• ••• 42.</p><form>${box('Code', 'text', 'inputmode="numeric" maxlength="6" autocomplete="one-time-code"')}<button>Verify</button></form><button>Resend code</button><button>Try another way</button>`,
    { kind: 'code', fields: ['code:Code'], submit: 'Verify', choices: ['mfa_method/switch:Try another way'] },
    AFTER_PASSWORD,
  ],
  [
    'authenticator code',
    `<h1>Two-factor authentication</h1><p>Open your authenticator app and enter the code.</p><form>${box('Authentication code', 'text', 'name="otp" maxlength="6"')}<button>Verify</button></form>`,
    { kind: 'code', fields: ['totp_code:Authentication code'], submit: 'Verify' },
    AFTER_PASSWORD,
  ],
  [
    'authenticator set-up',
    `<h1>Set up two-factor authentication</h1><p>Scan the QR code with your authenticator app, or enter this key: JBSW Y3DP EHPK 3PXP</p><form>${box('6-digit code', 'text', 'maxlength="6"')}<button>Enable</button></form>`,
    { kind: 'totp_setup' },
    AFTER_PASSWORD,
  ],
  [
    'push with a number',
    `<h1>Check your phone</h1><p>We sent a notification to your phone. Tap the number shown here to approve the sign-in.</p><div>57</div><a href="#">Use another method</a>`,
    { kind: 'external_wait', external: { kind: 'push', number: '57' }, choices: ['mfa_method/switch:Use another method'] },
    AFTER_PASSWORD,
  ],
  [
    'magic link',
    `<h1>Check your inbox</h1><p>We sent you an email with a sign-in link. Click the link to continue.</p><button>Resend email</button>`,
    { kind: 'external_wait', external: { kind: 'magic_link', number: null } },
  ],
  [
    'magic link in French',
    `<h1>Consultez vos e-mails</h1><p>Nous avons envoyé un lien de connexion à ada@site.example.</p>`,
    { kind: 'external_wait', external: { kind: 'magic_link', number: null } },
  ],
  [
    'a code to scan',
    `<h1>Log in with your phone</h1><p>Scan the QR code with the camera of your phone.</p><canvas width="200" height="200"></canvas>`,
    { kind: 'external_wait', external: { kind: 'qr', number: null } },
  ],
  [
    'a code to scan, in Chinese',
    `<title>登录</title><h1>扫码登录</h1><p>请使用手机应用扫一扫</p><canvas width="200" height="200"></canvas>`,
    { kind: 'external_wait', external: { kind: 'qr', number: null } },
  ],
  [
    'a code that leads to an app is no login',
    `<header><a href="/login">Log in</a></header><h1>Our app is here</h1><p>Scan the QR code to download it.</p>`,
    { kind: 'landing', entry: 'Log in' },
  ],
  [
    'account picker',
    `<h1>Choose an account</h1><ul><li><div role="link" tabindex="0"><div>Ada Lovelace</div><div>ada@site.example</div></div></li><li><div role="link" tabindex="0"><div>Grace Hopper</div><div>grace@site.example</div></div></li><li><div role="link" tabindex="0">Use another account</div></li></ul><a href="/privacy">Privacy</a>`,
    { kind: 'account_picker', choices: ['account/:Ada Lovelace', 'account/:Grace Hopper', 'account/:Use another account'] },
    AFTER_PASSWORD,
  ],
  [
    'organization picker',
    `<h1>Select your workspace</h1><button>Acme Inc</button><button>Initech</button><a href="/logout">Sign out</a>`,
    { kind: 'account_picker', choices: ['account/:Acme Inc', 'account/:Initech'] },
    AFTER_PASSWORD,
  ],
  [
    'consent',
    `<h1>Example App wants to access your account</h1><p>This will allow Example App to see your email address.</p><button>Cancel</button><button>Allow</button>`,
    { kind: 'consent', choices: ['other/:Allow', 'other/:Cancel'] },
    AFTER_PASSWORD,
  ],
  [
    'stay signed in',
    `<h1>Stay signed in?</h1><p>Do this to reduce the number of times you are asked to sign in.</p><label><input type="checkbox"> Don't show this again</label><button>No</button><button>Yes</button>`,
    { kind: 'stay_signed_in', submit: 'Yes' },
    AFTER_PASSWORD,
  ],
  [
    'stay signed in, German',
    `<h1>Angemeldet bleiben?</h1><button>Nein</button><button>Ja</button>`,
    { kind: 'stay_signed_in', submit: 'Ja' },
    AFTER_PASSWORD,
  ],
  [
    'forced password change',
    `<h1>Your password has expired</h1><p>You must change your password.</p><form>${box('Current password', 'password')}${box('New password', 'password')}${box('Confirm new password', 'password')}<button>Change password</button></form>`,
    { kind: 'password_change', fields: [] },
    AFTER_PASSWORD,
  ],
  ['captcha page', `<h1>Verify you are human</h1><p>Press and hold the button to continue.</p>`, { kind: 'captcha', captcha: true }],
  [
    'security question',
    `<h1>Sign in</h1><form>${box('What was the name of your first pet?', 'text', 'name="security_answer" required')}<button>Continue</button></form>`,
    { kind: 'question', fields: ['text:What was the name of your first pet?'] },
    AFTER_PASSWORD,
  ],
  [
    'signed in',
    `<header><a href="/account">My account</a><a href="/logout">Log out</a></header><h1>Dashboard</h1><form role="search"><input type="search" name="q"></form>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'signed in, sign-out hidden in a menu',
    `<h1>Welcome back, Ada</h1><p>Here are your projects.</p>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'signed in, with a change-password form',
    `<a href="/sair">Sair</a><h1>Minha conta</h1><form>${box('Senha atual', 'password')}${box('Nova senha', 'password')}<button>Alterar senha</button></form>`,
    { kind: 'logged_in' },
  ],
  [
    'signed in, told by nothing but an application at work',
    `<nav><a href="/a">Invoices</a><a href="/b">Clients</a><a href="/c">Reports</a></nav><h1>Invoices</h1><form><input name="new" placeholder="Invoice title"><button>Create</button></form><button>Export</button><button>Filter</button>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'signed in, an application whose lists tell of failures',
    `<div><span role="button">Run</span><span role="button">Save</span><span role="button">Properties</span><button>☰</button><button>↔</button></div><h3>Latest runs</h3><h3>Failed runs</h3><table><tr><th>Error</th></tr><tr><td>Timeout</td></tr></table>`,
    { kind: 'logged_in', error: null },
    AFTER_PASSWORD,
  ],
  [
    'signed in, an application whose tools all stand in one place',
    `<div><a href="#">Refresh</a><button>Commands</button><button>More…</button><ul style="display:none"><li><button>Import</button></li><li><button>Export</button></li></ul>
     <a role="treeitem" href="#a">first</a><a role="treeitem" href="#b">second</a><a role="treeitem" href="#c">third</a></div><form><input aria-label="Prompt"></form>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'signed in at first use, one form and a welcome',
    `<p>Welcome to Ledger. There is nothing here yet. You may use the form below to create your first book.</p><fieldset><legend>Create a book</legend><form><input name="book"><input type="submit" value="Create"></form></fieldset>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'signed in before anything was sent, sign-out in a menu that is not open',
    `<header><button aria-haspopup="menu">Ada</button><ul style="display:none"><li><a href="/me">Profile</a></li><li><a href="/bye">Log out</a></li></ul></header><h1>Projects</h1><p>Apollo</p>`,
    { kind: 'logged_in' },
  ],
  [
    'a login whose page keeps a hidden sign-out',
    `<nav><a href="/bye" style="display:none">Log out</a></nav>${login('Email', 'Password', 'Sign in')}`,
    { kind: 'credentials' },
  ],
  [
    'a home page that keeps a hidden sign-out',
    `<header><a href="/bye" style="display:none">Log out</a><a href="/login">Log in</a></header><h1>Our shop</h1>`,
    { kind: 'landing', entry: 'Log in' },
  ],
  [
    'an offer of a second factor is no end, and is taken up or put off',
    `<nav><a href="/a">Plans</a><a href="/b">Docs</a><a href="/c">Blog</a><a href="/d">Shop</a></nav><h1>Protect your account</h1><p>Set up an authenticator app to go on.</p><button>Set up</button><button>Remind me tomorrow</button>`,
    { kind: 'fork', choices: ['other/:Set up', 'other/:Remind me tomorrow'] },
    AMONG_MENUS,
  ],
  [
    'a step in words nobody here knows, beside a menu of languages, is no end',
    `<nav>${['?l=ka', '?l=hy', '?l=eu', '?l=mt', '?l=cy', '?l=ga'].map((to) => `<a href="${to}">${to.slice(3)}</a>`).join('')}</nav><h1>Aukeratu nola</h1><form><button name="m" value="1">Telefonoa</button><button name="m" value="2">Gako bat</button></form>`,
    { kind: 'fork', choices: ['other/:Telefonoa', 'other/:Gako bat'] },
    AFTER_PASSWORD,
  ],
  [
    'such a step in one form with many buttons is none either',
    `<h1>Aukeratu nola</h1><form>${['Telefonoa', 'Gako bat', 'Gutuna', 'Ahotsa', 'Beste bat'].map((text) => `<button>${text}</button>`).join('')}</form>`,
    { kind: 'fork', choices: ['Telefonoa', 'Gako bat', 'Gutuna', 'Ahotsa', 'Beste bat'].map((text) => `other/:${text}`) },
    AFTER_PASSWORD,
  ],
  [
    'a code below the words of signing in',
    `<title>Sign in</title><h1>Sign in</h1><form id="login-form">${box('One-time code', 'text', 'name="otp"')}<button>Sign in</button></form>`,
    { kind: 'code', fields: ['code:One-time code'], submit: 'Sign in' },
    AFTER_PASSWORD,
  ],
  [
    'a set-up page that also asks for the name of the device',
    `<h1>Mobile authenticator setup</h1><ol><li>Open the application and scan the QR code.</li></ol><form>${box('One-time code', 'text', 'name="totp"')}${box('Device name', 'text', 'name="userLabel"')}<button>Submit</button></form>`,
    { kind: 'totp_setup', submit: 'Submit' },
    AFTER_PASSWORD,
  ],
  [
    'ways to prove oneself, told by what they are',
    `<h1>Continue</h1><form><button>Authenticator application<br>Enter a code from your app.</button><button>Passkey<br>Use your passkey to sign in.</button></form>`,
    { kind: 'method_choice', choices: ['mfa_method/totp:Authenticator application', 'mfa_method/passkey:Passkey'] },
    AFTER_PASSWORD,
  ],
  [
    'a lock screen whose only button is an arrow',
    `<b>Ada Lovelace</b><form><input type="password" placeholder="password"><button type="button"><i class="arrow-right"></i>&nbsp;</button></form><a href="/login">Or sign in as a different user</a>`,
    { kind: 'password', submit: '' },
  ],
  [
    'a way out below the box that tells of a refusal',
    `<div><button>Logout</button><button>Add</button></div><div style="position:fixed;inset:0;background:#ccc8"></div><div style="position:fixed;left:30%;top:30%;width:280px;background:#fff"><b class="warning">Login failed</b><p>You entered an incorrect password</p><button>OK</button></div>`,
    { kind: 'error', error: 'Login failed' },
    AFTER_PASSWORD,
  ],
  [
    'an application with a tab that is named after what failed',
    `<header><a href="/">Queues</a><a href="/docs">Docs</a></header><main><ul><li><a href="/a">All</a></li><li><a href="/b">Active</a></li><li><a href="/c">Waiting</a></li><li class="failed"><a href="/d"><i></i><span>Failed</span></a></li></ul></main>`,
    { kind: 'logged_in', error: null },
    AFTER_PASSWORD,
  ],
  [
    'an application that could not load a part of it',
    `<header><a href="/">Queues</a><a href="/docs">Docs</a></header><main><a href="/a">All</a><a href="/b">Active</a><a href="/c">Waiting</a><p role="alert">Failed to fetch what is new</p></main>`,
    { kind: 'logged_in', error: null },
    AFTER_PASSWORD,
  ],
  [
    'a refusal among the menus of a website',
    `<header><a href="/">Books</a><a href="/docs">Docs</a></header><main><a href="/a">All</a><a href="/b">Active</a><a href="/c">Waiting</a><p role="alert">Invalid password</p></main>`,
    { kind: 'error', error: 'Invalid password' },
    AFTER_PASSWORD,
  ],
  [
    'a name asked for by a box and a button that belong to no form',
    `<div><label>Username / e-mail</label><div><input type="text"></div><button type="button">Login</button></div>`,
    { kind: 'identifier', fields: ['identifier:Username / e-mail'], submit: 'Login' },
  ],
  [
    'an address for the news below a way in',
    `<div><button>Log in</button><p>News</p><label>E-mail</label><div><input type="text"></div><button>Send me some</button></div>`,
    { kind: 'landing', fields: [] },
  ],
  [
    'a menu all of whose items lie in one box with the hand',
    `<div style="cursor:pointer"><ul><li>Settings</li><li>Documentation</li><li>Sign out</li></ul></div><main><p>You are in no team yet.</p><button>Create a team</button></main>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'the same menu, closed by its height',
    `<div style="cursor:pointer;height:0;overflow:hidden"><li>Settings</li><li>Documentation</li><li>Sign out</li></div><main><p>You are in no team yet.</p><button>Create a team</button></main>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'an account that holds a list',
    `<h1>Choose an account</h1><div style="cursor:pointer"><b>Ada</b><ul><li>ada@site.example</li><li>Owner</li></ul></div><div style="cursor:pointer"><b>Bob</b><ul><li>bob@site.example</li><li>Guest</li></ul></div>`,
    { kind: 'account_picker', choices: ['account/:Ada', 'account/:Bob'] },
  ],
  [
    'an error in a label that names no box',
    `<div><label>User</label><input type="text"><label>Password</label><input type="password"><label class="error-inline">Login failed</label><button>Login</button></div>`,
    { kind: 'credentials', error: 'Login failed' },
  ],
  [
    'an application with a machine to unlock, and a sign-out in a menu that is not open',
    `<nav><button>Homing</button><button>Unlock</button><button>Reset</button><ul style="display:none"><li><button>Sign out</button></li></ul></nav><main><button>Open</button><button>Clear</button></main>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'the same before anything was sent',
    `<nav><button>Unlock</button><button aria-label="My Account"></button><ul style="display:none"><li><button>Sign out</button></li></ul></nav><main><button>Open</button></main>`,
    { kind: 'logged_in' },
  ],
  [
    'a way in by a word that may mean a login, back on the home page',
    `<nav><a href="/a">Libros</a><a href="/b">Autores</a><a href="/c">Noticias</a><a href="/d">Tienda</a><button>Acceder</button></nav><main><a href="/e">Novedades</a></main>`,
    { kind: 'unknown' },
    AFTER_PASSWORD,
  ],
  [
    'a passcode once the password is sent',
    `<h1>Two-factor authentication</h1><form>${box('Passcode', 'text', 'name="passcode"')}<button>Verify</button></form>`,
    { kind: 'code', fields: ['code:Passcode'], submit: 'Verify' },
    AFTER_PASSWORD,
  ],
  [
    'a passcode of an application',
    `<h1>Duo</h1><form>${box('Enter a passcode from Duo Mobile', 'text', 'name="passcode-input"')}<button>Verify</button></form>`,
    { kind: 'code', fields: ['code:Enter a passcode from Duo Mobile'], submit: 'Verify' },
  ],
  [
    'a passcode that is the password',
    `<h1>Sign in</h1><form>${box('User ID', 'text')}${box('Passcode', 'text')}<button>Sign in</button></form>`,
    { kind: 'credentials', fields: ['identifier:User ID', 'password:Passcode'], submit: 'Sign in' },
  ],
  [
    'a number that a profile lacks, once the password is sent',
    `<h1>Please complete your profile</h1><form>${box('Mobile number', 'tel')}<button>Save and continue</button></form>`,
    { kind: 'question', fields: ['text:Mobile number'], submit: 'Save and continue' },
    AFTER_PASSWORD,
  ],
  [
    'another address that offers nothing, in words nobody here knows',
    `<h1>Itxaron mesedez</h1><p>Zure kontua ez dago prest.</p><a href="/help">Help</a>`,
    { kind: 'unknown' },
    AFTER_PASSWORD,
  ],
  [
    'another address with something to use, in words nobody here knows',
    `<h1>Hasiera</h1><button>Berria</button><a href="/z">Zabaldu</a>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'second factors, a way out before them in the page',
    `<h1>Verify it's you</h1><a href="/help">I can't use any of these</a><form><label><input type="radio" name="how"> Text message to (•••) •••-4417</label><label><input type="radio" name="how"> Email r**@example.com</label><button>Send code</button></form>`,
    {
      kind: 'method_choice',
      choices: [
        'mfa_method/sms:Text message to (•••) •••-4417',
        'mfa_method/email:Email r**@example.com',
        "mfa_method/switch:I can't use any of these",
      ],
    },
    AFTER_PASSWORD,
  ],
  [
    'an offer of a passkey that can be put off',
    `<h1>Create a passkey</h1><p>Sign in faster next time.</p><button>Create</button><button>Not now</button>`,
    { kind: 'passkey', choices: ['other/:Not now'] },
    AFTER_PASSWORD,
  ],
  [
    'new terms, with a box to tick',
    `<h1>Updated terms of service</h1><p>Please read and accept our new terms.</p><form method="post"><label><input type="checkbox" name="t"> I have read the terms</label><button>Agree and continue</button><button>Decline</button></form><a href="/login">Log in again</a>`,
    { kind: 'fork', choices: ['other/:Agree and continue', 'other/:Decline'] },
    AFTER_PASSWORD,
  ],
  [
    'new terms among the menus of their website',
    framed(
      `<h1>Baldintza berriak</h1><form method="post"><label><input type="checkbox"> Ados nago</label><button>Jarraitu</button><button>Utzi</button></form><a href="/c">Contact us</a>`,
    ),
    { kind: 'fork', choices: ['other/:Jarraitu', 'other/:Utzi'] },
    AMONG_MENUS,
  ],
  [
    'an application at work that also has a form of buttons',
    framed(`<h1>Hasiera</h1><form method="post"><button>Berria</button></form><button>Zabaldu</button><a href="/z">Zerrenda</a>`),
    { kind: 'logged_in' },
    AMONG_MENUS,
  ],
  [
    'new terms outside of a form, whose button waits for the box',
    `<h1>Baldintza berriak</h1><div><p>Irakurri.</p><label><input type="checkbox"> Ados nago</label><button disabled>Jarraitu</button></div>`,
    { kind: 'fork', choices: ['other/:Jarraitu'] },
    AFTER_PASSWORD,
  ],
  [
    'a way in words nobody here knows, from a list with a button',
    `<h1>Aukeratu nola</h1><form><label><input type="radio" name="m"> Telefonoa</label><label><input type="radio" name="m"> Gutuna</label><button>Jarraitu</button></form>`,
    { kind: 'fork', choices: ['other/:Telefonoa', 'other/:Gutuna'], submit: 'Jarraitu' },
    AFTER_PASSWORD,
  ],
  [
    'a page of buttons before anything was sent',
    `<h1>Aukeratu nola</h1><form><button>Telefonoa</button><button>Gako bat</button></form>`,
    { kind: 'unknown' },
  ],
  [
    'an application at work that tells of former logins',
    `<nav><a href="/overview">Overview</a><a href="/logs">Logs</a><a href="/accounts">Accounts</a><a href="/services">Services</a></nav><h1>System</h1><p>Last login: today</p><div class="warning alert">1 failed login attempt</div><button>View login history</button><button>View hardware details</button><button>Join domain</button>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'a form of buttons before anything was sent, on a page that is about how to sign in',
    `<h1><a href="/">Select an authentication source</a></h1><p><a href="?l=de">Deutsch</a> | <a href="?l=fr">Français</a></p><h2>Select an authentication source</h2><form><ul><li><input type="submit" value="library-staff"></li><li><input type="submit" value="library-readers"></li></ul></form>`,
    { kind: 'fork', choices: ['other/:library-staff', 'other/:library-readers'] },
  ],
  [
    'an application whose first page is its settings, a new password for itself among them',
    `<table><tr><td><a href="http://www.site.example/">Catalogue Manager</a></td></tr></table><h1>General settings</h1><form action="/settings"><fieldset>${settings}<p><label>Allowed hosts <textarea></textarea></label></p><p><label>New master password <input type="password" name="passwd1"></label></p><p><label>Reenter password <input type="password" name="passwd2"></label></p></fieldset><button>Upload</button><button>Import from server</button><button>Ok</button><button>Cancel</button></form>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'the same with no more to set than comes with a change of a password',
    `<table><tr><td><a href="http://www.site.example/">Catalogue Manager</a></td></tr></table><h1>One more step</h1><form action="/settings"><fieldset><p><label>Language <select><option>English</option><option>Deutsch</option></select></label></p><p><label>New password <input type="password" name="passwd1"></label></p><p><label>Reenter password <input type="password" name="passwd2"></label></p></fieldset><button>Upload</button><button>Import from server</button><button>Ok</button><button>Cancel</button></form>`,
    { kind: 'password_change' },
    AFTER_PASSWORD,
  ],
  [
    'a memorable word that is hidden as it is typed',
    `<h1>Nearly there</h1><form>${box('Memorable word', 'password', 'name="mem"')}<button>Sign in</button></form>`,
    { kind: 'question', fields: ['text:Memorable word'], submit: 'Sign in' },
    AFTER_PASSWORD,
  ],
  [
    'a question that stands above its box',
    `<h1>One more step</h1><p>Which street did you live in when you were ten years old, without its number?</p><form><input name="a"><button>Continue</button></form>`,
    { kind: 'question', fields: ['text:Which street did you live in when you were ten years old, without its number?'] },
    AFTER_PASSWORD,
  ],
  [
    'a question that was answered wrong and keeps its answer',
    `<h1>One more step</h1><p role="alert">That is not right.</p><form>${box('Your first car', 'text', 'value="Beetle"')}<button>Continue</button></form>`,
    { kind: 'question', fields: ['text:Your first car'], error: 'That is not right.' },
    AFTER_PASSWORD,
  ],
  [
    'a website that begins anew after the password',
    `<h1>Welcome</h1><p role="alert">Wrong email or password.</p><form>${box('Email address', 'email')}<button>Continue</button></form>`,
    { kind: 'identifier', fields: ['identifier:Email address'] },
    AFTER_PASSWORD,
  ],
  [
    'a search in words nobody here knows, after the password',
    `<h1>Ongi etorri</h1><main><form role="search"><input name="q" aria-label="Bilatu"><button>Bilatu</button></form></main>`,
    { kind: 'logged_in', fields: [] },
    AFTER_PASSWORD,
  ],
  [
    'a newsletter after the password',
    `<h1>Ongi etorri</h1><form class="newsletter"><input type="email" placeholder="Posta"><button>Continue</button></form>`,
    { fields: [], choices: [] },
    AFTER_PASSWORD,
  ],
  [
    'a link by e-mail is how this form goes on',
    `<h1>Sign in</h1><form method="post">${box('Email', 'email')}<button>Email me a link</button></form>`,
    { kind: 'identifier', submit: 'Email me a link', choices: [] },
  ],
  [
    'a link by e-mail is another way than the password',
    `<h1>Sign in</h1><form method="post">${box('Email', 'email')}${box('Password', 'password')}<button>Sign in</button><button>Email me a link</button></form>`,
    { kind: 'credentials', submit: 'Sign in', choices: ['auth_method/email:Email me a link'] },
  ],
  [
    'a sign-up with email',
    `<h1>Create your account</h1><form>${box('Email', 'email')}<button>Continue with email</button></form>`,
    { kind: 'sign_up', fields: [] },
  ],
  [
    'only an error',
    `<div role="alert">Something went wrong. Please try again later.</div>`,
    { kind: 'error', error: 'Something went wrong. Please try again later.' },
  ],
  [
    'only an error, in one sentence that nothing marks',
    `Invalid token (session timeout; go back and try again)`,
    { kind: 'error', error: 'Invalid token (session timeout; go back and try again)' },
    AFTER_PASSWORD,
  ],
  [
    'no error in a cookie notice or a hint',
    `${login('Email', 'Password', 'Sign in')}<div role="status">We use cookies.</div><p class="form-feedback">At least 8 characters</p>`,
    { kind: 'credentials', error: null },
  ],
];

describe('what real pages are taken for', () => {
  let lab: PageLab;
  beforeAll(async () => {
    lab = await PageLab.open();
  });
  afterAll(async () => lab.close());
  afterEach(async () => lab.closeTabs());

  it.each(LANGUAGES)('a login in %s', async (language, name, password, button) => {
    const { verdict } = await lab.look(
      `<!doctype html><html lang="${language}"><meta charset="utf-8"><body>${login(name, password, button)}</body></html>`,
    );
    expect(summary(verdict)).toMatchObject({ kind: 'credentials', fields: [`identifier:${name}`, `password:${password}`], submit: button });
  });

  it.each(LANGUAGES)('the same in %s with boxes of no type, told apart by words alone', async (_language, name, password, button) => {
    const { verdict } = await lab.look(`<form>${box(password, 'text')}${box(name, 'text')}<button>${button}</button></form>`);
    expect(summary(verdict)).toMatchObject({ kind: 'credentials', fields: [`password:${password}`, `identifier:${name}`] });
  });

  it.each(CODE_WORDS)('a code in %s', async (_language, label, button) => {
    const { verdict } = await lab.look(`<form>${box(label, 'text')}<button>${button}</button></form>`);
    expect(summary(verdict)).toMatchObject({ kind: 'code', fields: [`code:${label}`], submit: button });
  });

  it.each(ONE_TIME)('a code in %s in the words of a password: %s', async (_language, label) => {
    const html = `<h1>One more step</h1><form>${box(label, 'text')}<button>OK</button></form>`;
    expect(summary((await lab.look(html, AFTER_PASSWORD)).verdict)).toMatchObject({
      kind: 'code',
      fields: [`code:${label}`],
      submit: 'OK',
    });
    const masked = `<h1>Sign in</h1><form><input type="password" aria-label="${label}"><button>OK</button></form>`;
    expect(summary((await lab.look(masked, AFTER_PASSWORD)).verdict)).toMatchObject({ kind: 'code', fields: [`code:${label}`] });
  });

  it.each(CODE_TOLD)('a code in %s that is told of above its box: %s', async (_language, heading, told) => {
    const { verdict } = await lab.look(
      `<h1>${heading}</h1><p>${told}</p><form method="post" action="/2"><input name="k"><button>OK</button></form>`,
      AFTER_PASSWORD,
    );
    expect(verdict).toMatchObject({ kind: 'code', fields: [{ type: 'code' }] });
  });

  it.each(BARRED)('nobody is in where the website lets nobody on, in %s: %s', async (_language, html, error) => {
    const { verdict } = await lab.look(html, AFTER_PASSWORD);
    expect(verdict).toMatchObject({ kind: 'error', error, errorIsNew: true, choices: [] });
  });

  it.each(AROUND)('D43: a website that lets nobody on and offers a way around, in %s: %s', async (_language, html, choices) => {
    const { verdict } = await lab.look(html, AFTER_PASSWORD);
    expect(summary(verdict)).toMatchObject({ kind: 'error', choices });
    expect(verdict.errorIsNew).toBe(true);
    expect(summary((await lab.look(framed(html), AMONG_MENUS)).verdict)).toMatchObject({ kind: 'error', choices });
    const beside = framed(html, '<a href="/login">Log in</a>');
    expect(summary((await lab.look(beside, AMONG_MENUS)).verdict)).toMatchObject({ kind: 'error', choices });
  });

  it.each(OWN_WAY_ON)('a form that goes on with its own box, in %s: %s, %s', async (_language, label, button) => {
    const html = `<form method="post">${box(label, 'email')}<button>${button}</button></form>`;
    const own = { kind: 'identifier', fields: [`identifier:${label}`], submit: button };
    expect(summary((await lab.look(`<h1>Log in or sign up</h1>${html}`)).verdict)).toMatchObject({ ...own, choices: [] });
    const beside = `<h1>Welcome</h1>${html}<p>or</p><button>Continue with Google</button>`;
    expect(summary((await lab.look(beside)).verdict)).toMatchObject({ ...own, choices: ['sso_provider/:Continue with Google'] });
  });

  it.each(ASKED)('D60: what a website asks after the password, in %s: %s: %s', async (language, heading, labels, button) => {
    const html = `<h1>${heading}</h1><form method="post" action="/2">${labels.map((label) => box(label, 'text')).join('')}<button>${button}</button></form><a href="/login">Back to login</a>`;
    const { verdict } = await lab.look(html, AFTER_PASSWORD);
    expect(summary(verdict)).toMatchObject({
      kind: 'question',
      fields: labels.map((label) => `text:${label.replace(/\s*:$/, '')}`),
      submit: button,
    });
    expect(verdict.fields.every(({ required }) => required)).toBe(true);
    if (language !== 'eu') expect((await lab.look(framed(html), AMONG_MENUS)).verdict.kind).toBe('question');
    expect((await lab.look(html)).verdict.kind).not.toBe('question');
  });

  it.each(ELSEWHERE)('D43: a website that wants other sessions ended first, in %s: %s', async (_language, told, buttons, labels) => {
    const { verdict } = await lab.look(`${told}<form method="post" action="/2">${buttons}</form>`, AFTER_PASSWORD);
    expect(verdict.kind).toBe('fork');
    expect(verdict.choices.map(({ label }) => label)).toEqual(expect.arrayContaining([...labels]));
    expect(verdict.success).toEqual([]);
  });

  it.each(WAY_OUT_BESIDE)('nobody is in where a way out stands beside %s', async (_name, html, expected) => {
    expect(summary((await lab.look(html, AFTER_PASSWORD)).verdict)).toMatchObject(expected);
  });

  it.each(IN)('somebody is in by a way out and %s', async (_name, html) => {
    expect((await lab.look(html, AFTER_PASSWORD)).verdict.kind).toBe('logged_in');
  });

  it.each(OVERLAYS)('what clears %s away', async (_name, overlay, label) => {
    const { verdict } = await lab.look(
      `<header><a href="/">Acme</a></header><main>${login('Username', 'Password', 'Sign in')}</main>${overlay}`,
    );
    expect(verdict.dismiss?.label).toBe(label);
  });

  it('a login laid over its page is not cleared away', async () => {
    const overlay = `<div style="${WALL}">${login('Username', 'Password', 'Sign in')}<p>We use cookies.</p><button>OK</button></div>`;
    expect((await lab.look(`<main><button>Shop</button></main>${overlay}`)).verdict.dismiss).toBeNull();
  });

  it.each(ERRORS)('an error in %s, said only by its colour', async (_language, text) => {
    const { verdict } = await lab.look(`${login('Email', 'Password', 'Sign in')}<p style="color:#d00">${text}</p>`);
    expect(verdict.error).toBe(text);
  });

  // Every row the same length: Jest takes a missing last argument for its `done` callback.
  it.each(CASES.map(([name, html, expected, context = NOTHING_SENT]) => [name, html, expected, context] as const))(
    '%s',
    async (_name, html, expected, context) => {
      const { verdict } = await lab.look(html, context);
      expect(summary(verdict)).toMatchObject(expected);
      expect(verdict.rules.length > 0 || verdict.kind === 'unknown').toBe(true);
    },
  );
});

describe('D41: what sends blanks is no way in', () => {
  let lab: PageLab;
  beforeAll(async () => {
    lab = await PageLab.open();
  });
  afterAll(async () => lab.close());
  afterEach(async () => lab.closeTabs());

  const form = (inside: string, button = '<button>Log on</button>'): string =>
    `<h1>Security details</h1><form method="post" action="/two">${inside}${button}</form>`;
  const letters = (control: string): string => ['2nd', '5th', '7th'].map((place) => `<label>${place}${control}</label>`).join('');
  const list = (...options: readonly string[]): string =>
    `<select>${options.map((option) => `<option>${option}</option>`).join('')}</select>`;
  const BLANKS = [
    ['characters of a word, typed', form(letters('<input type="password" maxlength="1" size="1">'))],
    ['characters of a word, chosen', form(letters(list('', 'a', 'b')))],
    ['two secrets', form(box('Password', 'password') + box('Security number', 'password'))],
    ['a birthday of lists', form(list('1', '2') + list('Jan', 'Feb') + list('1990', '1991'), '<input type="submit" value="Log in">')],
    ['a reason', form('<textarea placeholder="Reason for access"></textarea>', '<button>Log in</button>')],
    ['a date', form('<input type="date" aria-label="Date of birth">', '<button>Sign in</button>')],
    ['a key file', form('<input type="file" aria-label="Key file">', '<button>Sign in</button>')],
    ['a reason outside of a form', '<main><textarea placeholder="Reason for access"></textarea><button>Log in</button></main>'],
    ['a reason beside a greeting', `<h2>Welcome back, ada</h2>${form('<textarea placeholder="Reason"></textarea>')}`],
  ] as const;

  it.each(BLANKS)('%s', async (_name, html) => {
    const { snapshot, page } = await lab.look(html);
    for (const context of [
      NOTHING_SENT,
      { ...NOTHING_SENT, home: page.url() },
      { ...AFTER_PASSWORD, sent: ['identifier'] as const },
      AFTER_PASSWORD,
    ]) {
      const verdict = classifyPage(snapshot, context);
      expect(verdict.entry).toBe(null);
      expect(verdict.kind).not.toMatch(/^(landing|logged_in)$/);
    }
  });

  it.each([
    [
      'of a form that hides what it sends',
      '<form method="post" action="/login"><input type="hidden" name="token" value="1"><button>Log in</button></form>',
    ],
    ['beside a box to search in', '<main><input type="search" placeholder="Search"><button>Log in</button></main>'],
    [
      'in the menu of a form that is the whole page',
      `<form><header><button>Log in</button></header><main>${box('Your email', 'email')}<button>Get started</button></main></form>`,
    ],
    ['as a link in a form', `<form>${list('English', 'Deutsch')}<a href="/login">Log in</a></form>`],
  ])('but it may be a button %s', async (_name, html) => {
    const { verdict } = await lab.look(`<h1>Our shop</h1>${html}`);
    expect(summary(verdict)).toMatchObject({ kind: 'landing', entry: 'Log in' });
  });
});

describe('what a page is taken for by what is known of the flow', () => {
  let lab: PageLab;
  beforeAll(async () => {
    lab = await PageLab.open();
  });
  afterAll(async () => lab.close());
  afterEach(async () => lab.closeTabs());

  it.each([
    ['something to use, in words nobody here knows', `<h1>Hasiera</h1><button>Berria</button><button>Zabaldu</button>`, 'logged_in'],
    ['a login', login('Email', 'Password', 'Sign in'), 'credentials'],
    ['an account', `<header><button>My account</button></header><h1>Hasiera</h1>`, 'logged_in'],
    ['a way in', `<header><a href="/login">Log in</a></header><h1>Our shop</h1>`, 'landing'],
    ['a refusal', `<p role="alert">Your session is not valid</p><button>Retry</button>`, 'error'],
    ['nothing to use yet', `<p>Kargatzen</p>`, 'unknown'],
  ] as const)('D44: where the last login ended: %s', async (_name, html, kind) => {
    const { page, snapshot } = await lab.look(html);
    expect(classifyPage(snapshot, { ...NOTHING_SENT, home: `${page.url()}?from=login#top` }).kind).toBe(kind);
  });

  it.each([
    ['alone from its page, is asked again as the password', ['password'], 'password:Memorable word'],
    ['beside a name, was another', ['username', 'password'], 'text:Memorable word'],
  ])('D43: a memorable word on the page from which a password went %s', async (_name, asked, field) => {
    const { snapshot } = await lab.look(`<h1>Sign in</h1><form>${box('Memorable word', 'password')}<button>Sign in</button></form>`);
    const before = {
      url: snapshot.url,
      documentId: 'before',
      alerts: [],
      plain: [],
      asked,
      boxes: [],
      places: [],
      form: null,
      error: null,
    };
    expect(summary(classifyPage(snapshot, { ...AFTER_PASSWORD, before }))).toMatchObject({ fields: [field] });
  });

  it('D43: a password that is shown as it is typed, refused on its own page, is asked again as the password', async () => {
    const { snapshot } = await lab.look(
      `<h1>Hello ada</h1><p role="alert">Wrong password</p><form>${box('Password', 'text')}<button>Sign in</button></form>`,
    );
    const before = {
      url: snapshot.url,
      documentId: 'before',
      alerts: [],
      plain: [],
      asked: [],
      boxes: [],
      places: [],
      form: null,
      error: null,
    };
    expect(summary(classifyPage(snapshot, { ...AFTER_PASSWORD, before }))).toMatchObject({ fields: ['password:Password'] });
    expect(summary(classifyPage(snapshot, AFTER_PASSWORD))).toMatchObject({ fields: ['code:Password'] });
  });

  it.each([
    ['a statement in the form', 'Wrong user name or password', 'Wrong user name or password'],
    ['a question in the form', 'Wrong account?', null],
    ['words of no table', 'Use the one of the library card', 'Use the one of the library card'],
  ])('D43: %s that was not there when it was sent, marked by nothing', async (_name, said, error) => {
    const { page, raw, snapshot, verdict } = await lab.look(
      `<form>${box('User name', 'text')}${box('Password', 'password')}<div id="told"></div><p>Invalid entries are not kept.</p><button>Sign in</button></form>`,
    );
    const context: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
    expect(classifyPage(snapshot, context).error).toBe(null);
    await raw.evaluate((text) => (document.getElementById('told') as HTMLElement).append(text), said);
    expect(classifyPage(await page.observe(), context)).toMatchObject({ kind: 'credentials', error, errorIsNew: error !== null });
  });
});

function summary(verdict: Verdict): Record<string, unknown> {
  return {
    kind: verdict.kind,
    fields: verdict.fields.filter(({ editable }) => editable).map(({ type, label }) => `${type}:${label}`),
    choices: verdict.choices.map(({ type, mfaType, label }) => `${type}/${mfaType ?? ''}:${label}`),
    submit: verdict.submit?.label ?? null,
    error: verdict.error,
    captcha: verdict.captcha,
    entry: verdict.entry?.label,
    external: verdict.externalAction ? { kind: verdict.externalAction.kind, number: verdict.externalAction.number } : undefined,
  };
}
