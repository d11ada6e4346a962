import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AMONG_MENUS, box, framed, login, summary } from './cases.js';
import { AFTER_PASSWORD, PageLab } from './fixture.js';

let lab: PageLab;
beforeAll(async () => {
  lab = await PageLab.open();
}, 60_000);
afterAll(() => lab.close());
afterEach(() => lab.closeTabs());

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

/** Waits for an act elsewhere, beside a button that gives up: the heading, what is told, the button. */
const WAITS: readonly (readonly [string, string, string, string])[] = [
  ['en', 'Approval required', 'Waiting for your approval on your other device.', 'Cancel'],
  ['de', 'Freigabe erforderlich', 'Öffnen Sie die App und geben Sie die Anmeldung frei.', 'Abbrechen'],
  ['fr', 'Approbation requise', 'Approuvez la connexion depuis votre téléphone.', 'Annuler'],
  ['es', 'Aprobación requerida', 'Pendiente de aprobación en otro dispositivo.', 'Cancelar'],
  ['pt', 'Aprovação necessária', 'A aguardar aprovação.', 'Cancelar'],
  ['it', 'Approvazione richiesta', 'In attesa di approvazione.', 'Annulla'],
  ['nl', 'Goedkeuring vereist', 'Wacht op goedkeuring.', 'Annuleren'],
  ['pl', 'Zatwierdź żądanie', 'Otwórz aplikację i zatwierdź żądanie.', 'Anuluj'],
  ['ru', 'Подтвердите запрос', 'Проверьте свой телефон.', 'Отмена'],
  ['ja', 'サインインを承認', 'スマホで続けてください。', 'キャンセル'],
  ['zh', '批准登录', '请检查您的手机。', '取消'],
  ['ko', '승인이 필요합니다', '앱에서 확인하세요.', '취소'],
  ['sv', 'Godkänn inloggningen', 'Vi väntar på godkännande i appen.', 'Avbryt'],
  ['da', 'Godkend log ind', 'Vi venter på godkendelse på din telefon.', 'Afbryd'],
  ['da', 'Tjek din telefon', 'Åbn appen og godkend anmodningen.', 'Annuller'],
  ['no', 'Sjekk mobilen', 'Vi venter på godkjenning.', 'Avbryt'],
  ['fi', 'Hyväksy kirjautuminen', 'Odotetaan hyväksyntää.', 'Peruuta'],
  ['cs', 'Schvalte přihlášení', 'Čekáme na schválení v mobilní aplikaci.', 'Zrušit'],
  ['sk', 'Schváľte prihlásenie', 'Čakáme na potvrdenie vo vašom telefóne.', 'Zrušiť'],
  ['hu', 'Jóváhagyásra vár', 'Hagyja jóvá a kérést a telefonján.', 'Mégse'],
  ['uk', 'Підтвердьте вхід', 'Очікуємо підтвердження на вашому телефоні.', 'Скасувати'],
  ['bg', 'Одобрете входа', 'Очаква се одобрение.', 'Отказ'],
  ['hr', 'Odobrite prijavu', 'Čeka se odobrenje na vašem mobitelu.', 'Odustani'],
  ['sl', 'Odobrite prijavo', 'Čakamo na potrditev.', 'Prekliči'],
  ['lt', 'Patvirtinkite prisijungimą', 'Laukiama patvirtinimo.', 'Atšaukti'],
  ['et', 'Kinnitage sisselogimine', 'Ootame kinnitust.', 'Tühista'],
  ['tr', 'Girişi onaylayın', 'Telefonunuza bildirim gönderdik. Onay bekleniyor.', 'İptal'],
  ['el', 'Εγκρίνετε τη σύνδεση', 'Αναμονή για έγκριση.', 'Ακύρωση'],
  ['ro', 'Aprobați autentificarea', 'Se așteaptă aprobarea pe telefonul dumneavoastră.', 'Anulează'],
  ['ca', 'Aproveu la sol·licitud', 'Esperant la confirmació.', 'Cancel·la'],
  ['ar', 'وافق على تسجيل الدخول', 'في انتظار الموافقة على هاتفك.', 'إلغاء'],
  ['he', 'אשר את ההתחברות', 'ממתין לאישור.', 'ביטול'],
  ['hi', 'अनुरोध स्वीकृत करें', 'आपके फ़ोन पर स्वीकृति की प्रतीक्षा है।', 'रद्द करें'],
  ['th', 'อนุมัติการเข้าสู่ระบบ', 'กำลังรอการอนุมัติ', 'ยกเลิก'],
  ['vi', 'Phê duyệt đăng nhập', 'Đang chờ phê duyệt.', 'Hủy'],
  ['id', 'Setujui permintaan', 'Menunggu persetujuan.', 'Batal'],
];

/** Pages among the menus of a website that let nobody on: the heading, and what is told below it. */
const CLOSED: readonly (readonly [string, string, string])[] = [
  ['en', 'Your session has expired', 'Please start from the beginning.'],
  ['en', 'Cookies are turned off', 'Please enable cookies in your browser.'],
  ['en', 'Sorry', 'You do not have the rights to see this. Insufficient permissions.'],
  ['de', 'Ihre Sitzung ist abgelaufen', 'Bitte beginnen Sie von vorn.'],
  ['de', 'Zugriff verweigert', 'Wenden Sie sich an Ihre Verwaltung.'],
  ['fr', 'Votre session a expiré', 'Merci de recommencer depuis le début.'],
  ['es', 'Acceso denegado', 'No cuenta con permisos para ver esta página.'],
  ['nl', 'Toegang geweigerd', 'U hebt niet voldoende rechten.'],
  ['nl', 'Uw sessie is verlopen', 'Begin van voren af aan.'],
  ['pl', 'Sesja wygasła', 'Zacznij od początku.'],
  ['pl', 'Prace techniczne', 'Wracamy o 6:00.'],
  ['sv', 'Ditt konto har spärrats', 'Kontakta oss.'],
  ['sv', 'Din session har gått ut', 'Börja om från början.'],
  ['no', 'Nettleseren din støttes ikke', 'Last ned en nyere.'],
  ['da', 'Planlagt vedligeholdelse', 'Vi åbner kl. 6.'],
  ['fi', 'Huoltokatko', 'Palvelu avautuu kello 6.'],
  ['fi', 'Pääsy kielletty', 'Sinulla ei ole oikeutta nähdä tätä sivua.'],
  ['cs', 'Probíhá údržba', 'Vrátíme se v 6:00.'],
  ['cs', 'Soubory cookie jsou vypnuté', 'Změňte nastavení.'],
  ['sk', 'Prístup odopretý', 'Nemáte oprávnenie.'],
  ['hu', 'Karbantartás alatt', 'Hat órakor nyitunk.'],
  ['hu', 'Előfizetése lejárt', 'Hosszabbítsa meg.'],
  ['uk', 'Технічні роботи', 'Повертаємося о шостій.'],
  ['uk', 'Доступ заборонено', 'Ви не маєте прав для перегляду цієї сторінки.'],
  ['bg', 'Извършва се поддръжка', 'Отваряме в шест часа.'],
  ['hr', 'Preglednik nije podržan', 'Preuzmite noviji.'],
  ['tr', 'Hesabınız kilitlendi', 'Şubenize başvurun.'],
  ['tr', 'Oturumunuzun süresi doldu', 'Baştan başlayın.'],
  ['tr', 'Talebiniz inceleniyor', 'Size haber vereceğiz.'],
  ['el', 'Υπό συντήρηση', 'Ανοίγουμε στις έξι.'],
  ['el', 'Δεν έχετε δικαίωμα', 'Η σελίδα είναι για λίγους.'],
  ['ro', 'Contul dvs. a fost blocat', 'Mergeți la o sucursală.'],
  ['ar', 'تحت الصيانة', 'نفتح في السادسة.'],
  ['hi', 'खाता लॉक', 'शाखा में आएं।'],
  ['vi', 'Đang bảo trì', 'Mở cửa lúc 6 giờ.'],
  ['id', 'Akun Anda diblokir', 'Datang ke cabang.'],
];

/** Ways to prove who one is, in words of none of them: a code that was written down, and an app. */
const METHODS: readonly (readonly [string, string, string, string])[] = [
  ['sv', 'Hur vill du logga in?', 'Använd en reservkod', 'Få en avisering'],
  ['da', 'Bekræft din identitet', 'Brug en gendannelseskode', 'Få en pushbesked'],
  ['no', 'Bekreft identiteten din', 'Bruk en gjenopprettingskode', 'Få et pushvarsel'],
  ['fi', 'Vahvista henkilöllisyytesi', 'Käytä varakoodia', 'Lähetä push-ilmoitus'],
  ['cs', 'Ověřte svou totožnost', 'Použít záložní kód', 'Poslat oznámení do telefonu'],
  ['tr', 'Kimliğinizi doğrulayın', 'Yedekleme kodu kullan', 'Anlık bildirim al'],
  ['el', 'Επιβεβαιώστε την ταυτότητά σας', 'Χρήση εφεδρικού κωδικού', 'Ειδοποίηση push'],
  ['hi', 'अपनी पहचान सत्यापित करें', 'बैकअप कोड', 'पुश सूचना'],
];

describe('what a page says in one language after the other', () => {
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

  it.each(ERRORS)('an error in %s, said only by its colour', async (_language, text) => {
    const { verdict } = await lab.look(`${login('Email', 'Password', 'Sign in')}<p style="color:#d00">${text}</p>`);
    expect(verdict.error).toBe(text);
  });

  it.each(WAITS)('a wait for somebody elsewhere, in %s: %s', async (_language, heading, told, button) => {
    const html = `<h1>${heading}</h1><p>${told}</p><form method="post" action="/2"><button>${button}</button></form>`;
    const { verdict } = await lab.look(html, AFTER_PASSWORD);
    expect(summary(verdict)).toMatchObject({ kind: 'external_wait', external: { kind: 'push', number: null } });
    expect((await lab.look(framed(html), AMONG_MENUS)).verdict.kind).toBe('external_wait');
  });

  it.each(CLOSED)('nobody is in where a website lets nobody on among its menus, in %s: %s', async (_language, heading, told) => {
    const { verdict } = await lab.look(framed(`<h1>${heading}</h1><p>${told}</p>`), AMONG_MENUS);
    expect(summary(verdict)).toMatchObject({ kind: 'error' });
    expect(verdict.success).toEqual([]);
  });

  it.each(METHODS)('ways to prove who one is, in %s: %s', async (_language, heading, backup, push) => {
    const html = `<h1>${heading}</h1><form method="post"><button name="k" value="1">${backup}</button><button name="k" value="2">${push}</button></form>`;
    const { verdict } = await lab.look(html, AFTER_PASSWORD);
    expect(summary(verdict)).toMatchObject({ kind: 'method_choice', choices: [`mfa_method/other:${backup}`, `mfa_method/push:${push}`] });
  });
});
