import { masked, secretsEqual, totpMatches, type Account } from '../accounts.js';
import { html, type Html } from '../html.js';
import { card } from '../layout.js';
import { go, reject, type Screen, type Visit } from '../screen.js';
import { fill } from '../words/index.js';
import type { Onward } from './credentials.js';
import { codeField, helpfulMarkup, postForm, submitButton, type Markup } from './form.js';

export type Channel = 'sms' | 'email' | 'totp';

interface ChannelKind {
  hint(visit: Visit, account: Account): string;
  matches(account: Account, code: string): boolean;
}

const channels: Readonly<Record<Channel, ChannelKind>> = {
  sms: {
    hint: ({ words }, account) => fill(words.smsSent, { to: masked.phone(account) }),
    matches: (account, code) => secretsEqual(code, account.smsCode),
  },
  email: {
    hint: ({ words }, account) => fill(words.emailSent, { to: masked.email(account) }),
    matches: (account, code) => secretsEqual(code, account.emailCode),
  },
  totp: {
    hint: ({ words }) => words.appCode,
    matches: (account, code) => account.totpSecret !== undefined && totpMatches(account.totpSecret, code),
  },
};

export interface CodeOptions {
  readonly step: string;
  readonly channel: Channel;
  readonly onward: Onward;
  /** One box a digit, moving on by itself, instead of one box. */
  readonly split?: boolean;
  readonly markup?: Markup;
  readonly beside?: (visit: Visit) => Html;
}

const sixBoxes = ({ words }: Visit): Html => html`<div class="boxes" role="group" aria-label="${words.code}">
  ${[1, 2, 3, 4, 5, 6].map((digit) => html`<input name="digit${digit}" aria-label="${words.code} ${digit}" inputmode="numeric" maxlength="1" autocomplete="off">`)}
  <input type="hidden" name="code"></div>`;

// Joins the boxes on every key, as such widgets do, and moves to the next one; pasting fills all of them.
const boxScript = html`
const boxes = [...document.querySelectorAll('.boxes input:not([type=hidden])')], whole = document.querySelector('.boxes input[name=code]');
const join = () => { whole.value = boxes.map((box) => box.value).join(''); };
boxes.forEach((box, at) => {
  box.addEventListener('input', () => { box.value = box.value.replace(/\\D/g, '').slice(0, 1); join(); if (box.value !== '' && at < boxes.length - 1) boxes[at + 1].focus(); });
  box.addEventListener('keydown', (event) => { if (event.key === 'Backspace' && box.value === '' && at > 0) boxes[at - 1].focus(); });
  box.addEventListener('paste', (event) => { event.preventDefault(); const digits = event.clipboardData.getData('text').replace(/\\D/g, ''); boxes.forEach((one, index) => { one.value = digits.charAt(index); }); join(); });
});
boxes[0].focus();`;

/** Asks for a one-time code of one kind, for the person who came through the step before. */
export function codeScreen({ step, channel, onward, split = false, beside, markup = helpfulMarkup }: CodeOptions): Screen {
  const kind = channels[channel];
  return {
    step,
    show: (visit) => {
      const { account } = visit.attempt;
      if (!account) return go('login');
      return {
        title: visit.words.codeTitle,
        body: card(
          html`<h1>${visit.words.codeTitle}</h1><p class="lead">${kind.hint(visit, account)}</p>`,
          postForm(visit, step, split ? sixBoxes(visit) : codeField(visit, markup), submitButton(visit.words.verify)),
          html`${beside?.(visit)}`,
        ),
        ...(split ? { script: boxScript } : {}),
      };
    },
    accept: (visit, form) => {
      const { account } = visit.attempt;
      if (!account) return go('login');
      return kind.matches(account, (form[split ? 'code' : markup.code] ?? '').trim())
        ? onward(visit, account)
        : reject(visit.words.wrongCode);
    },
  };
}

/** For pages that ask for a code in a form of their own. */
export const codeIsRight = (channel: Channel, account: Account, code: string): boolean => channels[channel].matches(account, code.trim());
