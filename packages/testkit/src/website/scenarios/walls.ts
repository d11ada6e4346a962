import { html, literal, type Html } from '../html.js';
import { card, errorText } from '../layout.js';
import type { Scenario } from '../scenario.js';
import { go, reject, signedIn, type Screen, type Visit } from '../screen.js';
import { identifierScreen, judgeBoth, onePageForm, onePageLogin, onwardTo, passwordScreen } from '../screens/credentials.js';
import { asks, bothFields, finish, identifier, password, picks } from './shorthand.js';

const base = { family: 'walls', language: 'en', start: '/login' } as const;

const passkeyButton = html`<button type="button" class="plain full" data-passkey>Sign in with a passkey</button><p class="muted" data-passkey-answer></p>`;

const passkeyScript = html`
document.querySelector('[data-passkey]').addEventListener('click', async () => {
  const answer = document.querySelector('[data-passkey-answer]');
  try {
    await navigator.credentials.get({ publicKey: { challenge: crypto.getRandomValues(new Uint8Array(32)), timeout: 60000, userVerification: 'required' } });
  } catch {
    answer.textContent = 'No passkey was found on this device.';
  }
});`;

const withScript = (screen: Screen, script: Html): Screen => ({
  ...screen,
  show: async (visit) => {
    const shown = await screen.show(visit);
    return 'kind' in shown ? shown : { ...shown, script };
  },
});

const passkeyOnly: Screen = {
  step: 'login',
  show: () => ({
    title: 'Sign in',
    body: card(
      html`<h1>Sign in to Tidewater</h1><p class="lead">Use the passkey on your phone or computer: your fingerprint, face or screen lock.</p>${passkeyButton}`,
    ),
    script: passkeyScript,
  }),
};

// What a widget draws: its frame comes from the widget's own path, the token box is hidden, and only a solved widget fills it.
const anchor: Screen = {
  step: 'recaptcha/api2/anchor',
  show: () => ({
    title: 'reCAPTCHA',
    layout: 'bare',
    body: html`<div class="challenge"><span class="tick" role="checkbox" aria-checked="false" tabindex="0" aria-label="I'm not a robot"></span><span>I’m not a robot</span></div>`,
  }),
};
const widget = ({
  base: root,
}: Visit): Html => html`<div class="g-recaptcha" data-sitekey="test"><iframe title="reCAPTCHA" src="${root}/recaptcha/api2/anchor?size=normal" width="304" height="78" style="border:0"></iframe>
  <textarea name="g-recaptcha-response" hidden></textarea></div>`;

const formWithBox: Screen = {
  step: 'login',
  show: (visit) => ({
    title: 'Sign in',
    body: card(html`<h1>Sign in to Tidewater</h1>`, onePageForm(visit, 'login', undefined, widget(visit))),
  }),
  accept: () => reject('Please confirm that you are not a robot.'),
};

const wall: Screen = {
  step: 'login',
  show: (visit) => ({
    title: 'Just a moment',
    body: card(
      html`<h1>Verify you are human</h1><p class="lead">We have to check the security of your connection before you can go on.</p>`,
      errorText(visit.error),
      widget(visit),
    ),
  }),
};

const wallAfter: Screen = { ...wall, step: 'check' };

// The same tick in the form, served by another company: told by its address alone.
const turnstile: Screen = {
  ...anchor,
  step: 'turnstile/if/ov2/normal',
  show: () => ({ title: 'Widget', layout: 'bare', body: html`<div class="challenge"><input type="checkbox" aria-label="Verify"></div>` }),
};
const formWithTurnstile: Screen = {
  ...formWithBox,
  show: (visit) => ({
    title: 'Sign in',
    body: card(
      html`<h1>Sign in to Tidewater</h1>`,
      onePageForm(
        visit,
        'login',
        undefined,
        html`<iframe title="Widget containing a security challenge" src="${visit.base}/turnstile/if/ov2/normal" width="300" height="65" style="border:0"></iframe>`,
      ),
    ),
  }),
  accept: () => reject('Please complete the security check.'),
};

// A puzzle that opens over the page once the form is sent.
const puzzle: Screen = {
  ...anchor,
  step: 'hcaptcha.com/captcha/challenge',
  show: () => ({ title: 'Puzzle', layout: 'bare', body: html`<p>Click on every picture of a bus</p>` }),
};
const puzzleAfter: Screen = {
  step: 'puzzle',
  show: (visit) => ({
    title: 'Sign in',
    body: html`${card(html`<h1>Sign in to Tidewater</h1>`, onePageForm(visit, 'login'))}
      <div style="position:fixed;inset:0;background:rgba(255,255,255,.6)"><iframe title="Main content of the challenge" src="${visit.base}/hcaptcha.com/captcha/challenge?frame=challenge" width="400" height="500" style="border:0;background:white"></iframe></div>`,
  }),
};

const letters: Screen = {
  step: 'login',
  show: (visit) => ({
    title: 'Sign in',
    body: card(
      html`<h1>Sign in to Tidewater</h1>`,
      onePageForm(
        visit,
        'login',
        undefined,
        html`<svg width="120" height="40" role="img" aria-label=""><path d="M5 30l10-20 10 20m10-20v20m10-20l10 20 10-20"></path></svg><label for="letters">Enter the characters in the image</label><input id="letters" name="captcha" autocomplete="off">`,
      ),
    ),
  }),
  accept: () => reject('The characters do not match.'),
};

// The quiet kind: a script, a badge in the corner and a hidden token box that its script fills. Nobody has to do anything.
const quiet: Screen = {
  step: 'login',
  show: (visit) => ({
    title: 'Sign in',
    body: html`${card(html`<h1>Sign in to Tidewater</h1>`, onePageForm(visit, 'login', undefined, html`<textarea name="g-recaptcha-response" class="g-recaptcha-response" style="display:none"></textarea>`))}
      <div class="grecaptcha-badge" style="position:fixed;right:0;bottom:14px;width:70px;height:60px;box-shadow:0 0 5px gray"><iframe title="reCAPTCHA" src="${visit.base}/recaptcha/api2/anchor?size=invisible" width="256" height="60" style="border:0"></iframe></div>`,
    script: html`document.querySelector('.g-recaptcha-response').value = ${literal('quiet-token')};`,
  }),
  accept: (visit, form) =>
    form['g-recaptcha-response'] === 'quiet-token' ? judgeBoth(visit, form, finish) : reject('Please confirm that you are not a robot.'),
};

const passkeyBesidePassword: Screen = {
  step: 'how',
  show: (visit) =>
    visit.attempt.account
      ? {
          title: 'Sign in',
          body: card(
            html`<h1>Choose how to sign in</h1><div class="stack">${passkeyButton}<a class="button plain full" href="${visit.base}/password">Use your password</a></div>`,
          ),
          script: passkeyScript,
        }
      : go('login'),
  accept: (visit) => (visit.attempt.account ? signedIn(visit.attempt.account) : go('login')),
};

const passkey = { type: 'auth_method', label: 'Sign in with a passkey', mfaType: 'passkey' } as const;

// A check that a browser passes by itself; there is nothing to do on its page.
const checking: Screen = {
  step: 'check',
  show: (visit) => ({
    title: 'Just a moment…',
    layout: 'bare',
    body: html`<h1>tidewater.example</h1><p>Verifying you are human. This may take a few seconds.</p>`,
    script: html`setTimeout(() => location.replace(${literal(`${visit.base}/login`)}), 3000);`,
  }),
};

const browserDialog: Screen = {
  step: 'login',
  show: () => ({
    title: '401 Authorization Required',
    layout: 'bare',
    status: 401,
    challenge: 'Basic realm="Tidewater"',
    body: html`<h1>401 Authorization Required</h1><p>This server could not verify that you are authorized to access the document requested.</p>`,
  }),
};

export const wallScenarios: readonly Scenario[] = [
  {
    ...base,
    name: 'checked-first',
    description: 'A page that verifies that nobody is a machine and goes on by itself',
    start: '/check',
    screens: [checking, onePageLogin({ onward: finish })],
    expected: { pauses: [bothFields], end: 'SUCCESS', posts: { login: 1 } },
  },
  {
    ...base,
    name: 'browser-dialog',
    description: 'HTTP Basic: no page, but the dialog of the browser itself',
    screens: [browserDialog],
    expected: { pauses: [], end: ['unsupported_auth_method'] },
  },
  {
    ...base,
    name: 'passkey-only',
    description: 'Nothing but a passkey button',
    screens: [passkeyOnly],
    expected: { pauses: [], end: ['unsupported_auth_method'] },
  },
  {
    ...base,
    name: 'passkey-beside-password',
    description: 'A form, and a passkey button under it: a choice beside the fields',
    screens: [withScript(onePageLogin({ onward: finish, beside: () => html`<div class="or">or</div>${passkeyButton}` }), passkeyScript)],
    expected: { pauses: [{ fields: [identifier(), password], choices: [passkey] }], end: 'SUCCESS', posts: { login: 1 } },
  },
  {
    ...base,
    name: 'passkey-or-password',
    description: 'After the identifier: passkey or password, as buttons',
    screens: [identifierScreen({ onward: onwardTo('how') }), passkeyBesidePassword, passwordScreen({ onward: finish })],
    expected: {
      pauses: [
        asks(identifier()),
        picks('Use your password', passkey, { type: 'auth_method', label: 'Use your password', mfaType: 'password' }),
        asks(password),
      ],
      end: 'SUCCESS',
    },
  },
  {
    ...base,
    name: 'captcha-box',
    description: 'A visible “not a robot” box in the form; without it the form is refused',
    screens: [formWithBox, anchor],
    expected: { pauses: [{ ...bothFields, repeats: true }], end: ['captcha_blocked'] },
  },
  {
    ...base,
    name: 'captcha-wall',
    description: 'A challenge instead of the form',
    screens: [wall, anchor],
    expected: { pauses: [], end: ['captcha_blocked'] },
  },
  {
    ...base,
    name: 'captcha-after',
    description: 'A challenge follows the submit',
    screens: [onePageLogin({ onward: onwardTo('check') }), wallAfter, anchor],
    expected: { pauses: [bothFields], end: ['captcha_blocked'], posts: { login: 1 } },
  },
  {
    ...base,
    name: 'captcha-turnstile',
    description: 'A check of another maker in the form; without it the form is refused',
    screens: [formWithTurnstile, turnstile],
    expected: { pauses: [{ ...bothFields, repeats: true }], end: ['captcha_blocked'] },
  },
  {
    ...base,
    name: 'captcha-puzzle',
    description: 'A puzzle opens over the form once it is sent',
    screens: [onePageLogin({ onward: onwardTo('puzzle') }), puzzleAfter, puzzle],
    expected: { pauses: [bothFields], end: ['captcha_blocked'], posts: { login: 1 } },
  },
  {
    ...base,
    name: 'captcha-letters',
    description: 'A picture of letters to type beside the form',
    screens: [letters],
    expected: { pauses: [{ ...bothFields, repeats: true }], end: ['captcha_blocked'] },
  },
  {
    ...base,
    name: 'captcha-quiet',
    description: 'A captcha script with a badge that asks nothing of anybody',
    screens: [quiet, anchor],
    expected: { pauses: [bothFields], end: 'SUCCESS', posts: { login: 1 } },
  },
];
