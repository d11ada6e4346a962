import { says } from '../lexicon/words.js';
import type { PageView } from '../page-view.js';
import type { FrameSnapshot } from '../snapshot.js';
import type { RuleId } from '../verdict.js';
import { isBesideWork, offersUse } from '../work.js';
import { isSignOut } from './sign-out.js';

/** Challenge frames by what serves them. `open` ones are shown only while a person must solve them. */
const CHALLENGES: readonly { readonly id: RuleId; readonly url: RegExp; readonly open: boolean; readonly least: number }[] = [
  { id: 'captcha/recaptcha_challenge', url: /recaptcha\/(api2|enterprise)\/bframe/, open: true, least: 200 },
  { id: 'captcha/recaptcha_box', url: /recaptcha\/(api2|enterprise)\/anchor(?!.*size=invisible)/, open: false, least: 60 },
  { id: 'captcha/hcaptcha_challenge', url: /hcaptcha\.com\/.*frame=challenge/, open: true, least: 200 },
  { id: 'captcha/hcaptcha_box', url: /hcaptcha\.com/, open: false, least: 60 },
  { id: 'captcha/turnstile', url: /challenges\.cloudflare\.com|turnstile/, open: false, least: 50 },
  { id: 'captcha/arkose', url: /arkoselabs|funcaptcha/, open: true, least: 100 },
  { id: 'captcha/datadome', url: /captcha-delivery\.com/, open: true, least: 100 },
  { id: 'captcha/other_frame', url: /captcha|geetest|perimeterx|px-cdn/i, open: false, least: 60 },
];

export interface CaptchaFinding {
  /** The challenge is open: nothing else can be done. */
  readonly blocks: boolean;
  readonly rules: readonly RuleId[];
}

function isShown({ visible, box }: FrameSnapshot, least: number): boolean {
  return visible && box.width >= least && box.height >= Math.min(least, 50) && box.x + box.width > 0 && box.y + box.height > 0;
}

/** A visible challenge. Invisible checks and their badges are none (D62). */
export function findCaptcha(view: PageView, asksForText: boolean): CaptchaFinding | null {
  const frames = view.snapshot.frames.slice(1);
  const hits = CHALLENGES.filter(({ url, least }) =>
    frames.some((frame) => url.test(frame.url) && isShown(frame, least) && !/size=invisible/.test(frame.url)),
  );
  const box = [...view.labels.values()].some(
    ({ label, handle }) =>
      label === 'captcha' &&
      view.snapshot.controls.some((control) => control.handle === handle && control.visible && control.unreachable === null),
  );
  // A website may be about robots: one that keeps them out offers nothing else.
  const isIn = view.pressables.some(isSignOut);
  const isTold = !asksForText && view.told.squeezed.length < 800 && says('human', view.told) && !offersUse(view);
  const isHeaded = says('human', view.headings) && (!offersUse(view) || (view.context.before !== null && !isBesideWork(view)));
  const told = !isIn && (isHeaded || isTold);
  const rules = [...hits.map(({ id }) => id), ...(box ? ['captcha/box'] : []), ...(told && !asksForText ? ['captcha/told'] : [])];
  if (rules.length === 0) return null;
  return { blocks: hits.some(({ open }) => open) || !asksForText, rules };
}
