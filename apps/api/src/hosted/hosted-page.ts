import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { HostedFlow } from '@berth/login-flow';

const asset = (name: string): string => readFileSync(new URL(`../../assets/hosted/${name}`, import.meta.url), 'utf8');
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] as string);

const style = asset('page.css');
const script = asset('page.js');
const template = asset('page.html')
  .replace('{{style}}', () => style)
  .replace('{{script}}', () => script);

/**
 * Nothing runs, loads or frames here but what the page itself brings: its one style and its one script are named by their hashes. The link
 * in the address bar is a credential, so it goes into no Referer and no cache.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** What becomes of what the person enters (D45). */
const answersKept = 'What you enter is kept too, encrypted, to log in again; one-time codes are not.';
const answersForgotten = 'What you enter is not.';

/** The page on which a person finishes the login of a flow at `domain`. What is asked comes over the event stream. */
export function hostedPage(flowId: string, { domain, saveCredentials }: HostedFlow['connection']): string {
  const filled = template
    .replace('{{flow}}', () => escapeHtml(flowId))
    .replace('{{answers}}', saveCredentials ? answersKept : answersForgotten);
  return filled.replaceAll('{{domain}}', () => escapeHtml(domain));
}
