import { html, literal, type Html } from '../html.js';
import { card, errorText } from '../layout.js';
import { go, signedIn, type Screen, type Visit } from '../screen.js';

export interface WaitOptions {
  readonly step: string;
  readonly title: string;
  /** What the person has to do elsewhere. */
  readonly task: (visit: Visit) => Html;
  /** Text once the person has refused. */
  readonly refused: string;
  /** What the page offers besides waiting, before and after a refusal. */
  readonly offers?: (visit: Visit) => Html;
}

/** A page that only waits for the person to act on another device, asking its server four times a second. */
export function waitScreen({ step, title, task, refused, offers }: WaitOptions): Screen {
  return {
    step,
    show: (visit) => {
      const { account, decision, notes } = visit.attempt;
      if (!account) return go('login');
      if (decision === 'approved') return signedIn(account);
      if (decision === 'refused') return { title, body: card(html`<h1>${title}</h1>`, errorText(refused), html`${offers?.(visit)}`) };
      notes.set('waiting', 'yes');
      return {
        title,
        body: card(
          html`<h1>${title}</h1>${task(visit)}<p class="waiting" role="status"><span class="spinner"></span>Waiting for you…</p>`,
          html`${offers?.(visit)}`,
        ),
        script: html`
const ask = async () => {
  const { decision } = await (await fetch(${literal(`${visit.base}/${step}.json`)})).json();
  if (decision === 'none') setTimeout(ask, 250); else location.reload();
};
setTimeout(ask, 250);`,
      };
    },
    poll: ({ attempt }) => ({ decision: attempt.decision }),
  };
}
