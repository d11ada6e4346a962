import { html, raw, type Html } from './html.js';
import type { Page } from './screen.js';
import type { Words } from './words/index.js';

export interface Surroundings {
  readonly language: string;
  readonly base: string;
  readonly words: Words;
  /** What to call the site; identity providers have a name of their own. */
  readonly brand: string;
  readonly header: 'sign-in' | 'sign-out' | 'none';
}

const mark = raw(
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0b6477"/><path d="M5 13c4-4 7-4 11 0s7 4 11 0M5 20c4-4 7-4 11 0s7 4 11 0" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>',
);

function header({ base, brand, header: kind, words }: Surroundings, instead: Html | undefined): Html {
  const action =
    instead ??
    {
      'sign-in': html`<a class="button small" href="${base}/login">${words.signIn}</a>`,
      'sign-out': html`<a class="button small plain" href="${base}/logout">${words.signOut}</a>`,
      none: html``,
    }[kind];
  return html`<header class="top"><div class="row"><a class="brand" href="${base}/">${mark}${brand}</a>
    <nav><a href="${base}/about">Accounts</a><a href="${base}/about">Savings</a><a href="${base}/about">Business</a></nav>${action}</div></header>`;
}

const footer = (base: string): Html =>
  html`<footer class="foot"><div class="row"><span>© Tidewater Savings</span><a href="${base}/about">Privacy</a><a href="${base}/about">Terms</a><a href="${base}/about">Security</a></div></footer>`;

/** A whole document. The style sheet is the site's own; scripts are inline, after the content. */
export function documentOf(page: Page, around: Surroundings): string {
  const layout = page.layout ?? 'card';
  const script = page.script ? html`<script>${page.script}</script>` : html``;
  return html`${raw('<!doctype html>')}
<html lang="${around.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} – ${around.brand}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/_assets/site.css"></head>
<body>${layout !== 'bare' && header(around, page.headerAction)}<main class="${layout}-layout">${page.body}</main>${layout !== 'bare' && footer(around.base)}${script}</body></html>`
    .text;
}

export const card = (...content: Html[]): Html => html`<section class="card">${content}</section>`;

export const errorText = (error: string | undefined): Html => (error ? html`<div class="error" role="alert">${error}</div>` : html``);
