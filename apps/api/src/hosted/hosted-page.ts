import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const asset = (name: string): string => readFileSync(new URL(`../../assets/hosted/${name}`, import.meta.url), 'utf8');
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] as string);

const style = asset('page.css');
const script = asset('page.js');
const template = asset('page.html').replace('{{style}}', () => style).replace('{{script}}', () => script);

/**
 * Nothing runs, loads or frames here but what the page itself brings: its one style and its one script are named by their hashes. The link in the address bar is
 * a credential, so it goes into no Referer and no cache.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'", `script-src ${hashOf(script)}`, `style-src ${hashOf(style)}`, "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  ].join('; '),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** The page on which a person finishes the login of a flow at `domain`. What is asked comes over the event stream. */
export function hostedPage(flowId: string, domain: string): string {
  return template.replace('{{flow}}', () => escapeHtml(flowId)).replaceAll('{{domain}}', () => escapeHtml(domain));
}
