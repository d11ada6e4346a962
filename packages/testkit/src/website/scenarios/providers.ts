import { html, literal } from '../html.js';
import type { Account } from '../accounts.js';
import type { Scenario } from '../scenario.js';
import { go, type Outcome, type Screen, type Visit } from '../screen.js';
import { judgeBoth, onePageForm } from '../screens/credentials.js';
import { card } from '../layout.js';

// Where the person came from decides how the proof goes back: by address, to the window that opened this one, or to the page around this
// frame.
function handBack(visit: Visit, account: Account): Outcome {
  const ticket = visit.issueTicket(account);
  const back = visit.attempt.notes.get('return') ?? '';
  if (visit.attempt.notes.get('mode') !== 'popup') return go(`${back}?ticket=${ticket}`);
  return {
    kind: 'page',
    verdict: 'accepted',
    page: {
      title: 'Signed in',
      body: card(html`<p>You can close this window.</p>`),
      script: html`if (window.opener) window.opener.postMessage({ ticket: ${literal(ticket)} }, '*'); window.close();`,
    },
  };
}

const authorize: Screen = {
  step: 'authorize',
  show: (visit) => {
    for (const note of ['return', 'mode']) visit.attempt.notes.set(note, visit.query.get(note) ?? visit.attempt.notes.get(note) ?? '');
    return {
      title: 'Sign in',
      body: card(html`<h1>Sign in with Harbour ID</h1><p class="lead">to continue to Tidewater</p>`, onePageForm(visit, 'authorize')),
    };
  },
  accept: (visit, form) => judgeBoth(visit, form, handBack),
};

// A login box that other sites put into an iframe; it works without cookies, as framed pages must.
const frame: Screen = {
  step: 'frame',
  show: (visit) => ({ title: 'Sign in', layout: 'bare', body: onePageForm(visit, 'frame') }),
  accept: (visit, form) =>
    judgeBoth(visit, form, (_visit, account) => ({
      kind: 'page',
      verdict: 'accepted',
      page: {
        title: 'Signed in',
        layout: 'bare',
        body: html`<p>Signing you in…</p>`,
        script: html`window.parent.postMessage({ ticket: ${literal(visit.issueTicket(account))} }, '*');`,
      },
    })),
};

/** A stop on the way that nobody sees (D61: a pass-through redirect). */
const hop: Screen = { step: 'hop', show: ({ query }) => go(query.get('to') ?? '') };

const provider = (name: string, description: string): Scenario => ({
  name,
  family: 'providers',
  description,
  brand: 'Harbour ID',
  language: 'en',
  start: '/authorize',
  screens: [authorize, frame, hop],
  expected: { pauses: [], end: 'SUCCESS' },
});

/** Sites that other scenarios send people to. Not journeys of their own, so not in `scenarios`. */
export const providerSites: readonly Scenario[] = [
  provider('identity', 'An identity provider that connections allow'),
  provider('stranger', 'The same on a host name that no connection allows'),
];
