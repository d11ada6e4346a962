import type { PageContext, PageKind, Verdict } from '../../src/discovery/verdict.js';
import { AFTER_PASSWORD, pageBefore } from './fixture.js';

/** What a case may say of its verdict; fields as `type:label`, choices as `type/mfaType:label`. */
export type Expected = {
  readonly kind?: PageKind;
  readonly fields?: readonly string[];
  readonly choices?: readonly string[];
  readonly submit?: string | null;
  readonly error?: string | null;
  readonly entry?: string;
  readonly external?: { readonly kind: string; readonly number: string | null };
  readonly captcha?: boolean;
};

/** Behind the password of a website whose login has the menus that are around each of its pages. */
export const AMONG_MENUS: PageContext = {
  ...AFTER_PASSWORD,
  before: pageBefore({
    places: ['/Accounts', '/Savings', '/Business', '/Cards', '/Loans', '/a', '/b', '/c', '/d'],
    offers: ['/Accounts Accounts', '/Savings Savings', '/Business Business', '/Cards Cards', '/Loans Loans', '/privacy Privacy'],
  }),
};

/** The menus of a website, around each of its pages. */
export const framed = (html: string, more = ''): string =>
  `<header><nav>${['Accounts', 'Savings', 'Business', 'Cards', 'Loans'].map((text) => `<a href="/${text}">${text}</a>`).join('')}${more}</nav></header><main>${html}</main><footer><a href="/privacy">Privacy</a></footer>`;

export const box = (label: string, type: string, more = ''): string => `<p><label>${label} <input type="${type}" ${more}></label></p>`;
export const login = (name: string, password: string, button: string): string =>
  `<form>${box(name, 'text')}${box(password, 'password')}<button>${button}</button></form>`;

export function summary(verdict: Verdict): Record<string, unknown> {
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
