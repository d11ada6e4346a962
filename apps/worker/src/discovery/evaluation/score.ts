import { classifyPage } from '../classify.js';
import type { Handle } from '../snapshot.js';
import { type ControlLabel, NOTHING_SENT, type PageKind, type Verdict } from '../verdict.js';
import type { GoldPage, Tier } from './corpus.js';
import type { ObservedPage } from './observe-corpus.js';

/** Kinds that are a step of a login, for "login or not". */
const LOGIN_KINDS: ReadonlySet<PageKind> = new Set([
  'identifier',
  'password',
  'credentials',
  'code',
  'totp_setup',
  'question',
  'method_choice',
  'account_picker',
  'external_wait',
  'passkey',
  'stay_signed_in',
]);
const GOLD_LABEL: Readonly<Partial<Record<ControlLabel, string>>> = {
  identifier: 'identifier',
  password: 'password',
  new_password: 'new-password',
  code: 'code',
};
export const SCORED = ['identifier', 'password', 'new-password', 'code'] as const;
type Scored = (typeof SCORED)[number];

interface Count {
  hits: number;
  extra: number;
  missed: number;
}

export interface Measure {
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
  readonly hits: number;
  readonly extra: number;
  readonly missed: number;
}

type Labels = Record<Scored, Count>;

interface Tally {
  pages: number;
  loginPages: number;
  /** Labels of visible boxes on login pages, of hidden ones there, of visible boxes on all pages, and of the boxes the verdict asks for. */
  visible: Labels;
  hidden: Labels;
  allPages: Labels;
  asked: Labels;
  submit: { right: number; labelled: number; wrong: number; baselineWrong: number };
  kind: { right: number; pages: number };
  unlike: string[];
  worse: string[];
}

const emptyLabels = (): Labels => Object.fromEntries(SCORED.map((label) => [label, { hits: 0, extra: 0, missed: 0 }])) as Labels;
const emptyTally = (): Tally => ({
  pages: 0,
  loginPages: 0,
  visible: emptyLabels(),
  hidden: emptyLabels(),
  allPages: emptyLabels(),
  asked: emptyLabels(),
  submit: { right: 0, labelled: 0, wrong: 0, baselineWrong: 0 },
  kind: { right: 0, pages: 0 },
  unlike: [],
  worse: [],
});

export interface PageScore {
  readonly file: string;
  readonly tier: Tier;
  readonly kind: PageKind;
  readonly mistakes: readonly string[];
}

/** Adds up pages by tier. */
export class Scores {
  private readonly tiers = new Map<Tier, Tally>();

  add(page: ObservedPage): PageScore {
    const { gold } = page;
    const tally = this.tiers.get(gold.label_tier) ?? emptyTally();
    this.tiers.set(gold.label_tier, tally);
    const verdict = classifyPage(page.snapshot, NOTHING_SENT);
    const isLogin = gold.page_kind === 'login';
    tally.pages += 1;
    tally.loginPages += isLogin ? 1 : 0;
    const mistakes = [
      ...scoreLabels(page, verdict, tally, isLogin),
      ...scoreKind(gold, verdict, tally),
      ...scoreSubmit(page, verdict, tally, isLogin),
    ];
    compareWithBaseline(gold, mistakes, tally);
    return { file: gold.file, tier: gold.label_tier, kind: verdict.kind, mistakes };
  }

  report(): Record<string, unknown> {
    return Object.fromEntries(
      [...this.tiers].map(([tier, tally]) => [
        tier,
        {
          pages: tally.pages,
          login_pages: tally.loginPages,
          visible: measures(tally.visible),
          hidden: measures(tally.hidden),
          asked: measures(tally.asked),
          visible_on_all_pages: measures(tally.allPages),
          submit: {
            accuracy: ratio(tally.submit.right, tally.submit.labelled),
            labelled: tally.submit.labelled,
            wrong: tally.submit.wrong,
            baseline_wrong: tally.submit.baselineWrong,
          },
          page_kind: { accuracy: ratio(tally.kind.right, tally.kind.pages), pages: tally.kind.pages },
          differs_from_ddg: { ours_right_theirs_wrong: tally.unlike, ours_wrong_theirs_right: tally.worse },
        },
      ]),
    );
  }
}

function scoreLabels({ gold, snapshot, fields }: ObservedPage, verdict: Verdict, tally: Tally, isLogin: boolean): string[] {
  const mistakes: string[] = [];
  const given = new Map<Handle, string>(verdict.labels.map(({ handle, label }) => [handle, GOLD_LABEL[label] ?? 'none']));
  const asked = new Map<Handle, string>(
    verdict.fields.flatMap(({ handles, type }) => handles.map((handle) => [handle, type === 'totp_code' ? 'code' : type] as const)),
  );
  const goldOf = new Map(gold.fields.map((field, place) => [fields[place] ?? `missing ${place}`, field]));
  const seen = new Map(snapshot.controls.map(({ handle, visible }) => [handle, visible]));
  for (const handle of new Set([...seen.keys(), ...goldOf.keys()])) {
    const field = goldOf.get(handle);
    const visible = field?.visible ?? seen.get(handle) ?? false;
    for (const label of SCORED) {
      const wanted = field?.label === label;
      const outcome = count(wanted, given.get(handle) === label);
      if (!outcome) continue;
      if (visible) tally.allPages[label][outcome] += 1;
      if (isLogin) tally[visible ? 'visible' : 'hidden'][label][outcome] += 1;
      if (visible && outcome !== 'hits') mistakes.push(`${outcome} ${label}`);
    }
    if (!visible || !isLogin) continue;
    for (const label of SCORED) {
      const outcome = count(field?.label === label, asked.get(handle) === label);
      if (outcome) tally.asked[label][outcome] += 1;
    }
  }
  return mistakes;
}

function count(wanted: boolean, given: boolean): keyof Count | null {
  if (wanted) return given ? 'hits' : 'missed';
  return given ? 'extra' : null;
}

function scoreKind(gold: GoldPage, verdict: Verdict, tally: Tally): string[] {
  const right = LOGIN_KINDS.has(verdict.kind) === (gold.page_kind === 'login');
  tally.kind.pages += 1;
  tally.kind.right += right ? 1 : 0;
  return right ? [] : [`kind ${verdict.kind}`];
}

/** One control is pressed on a page: right if it is one of the labelled ones. The baseline's count is what its source records. */
function scoreSubmit({ gold, submits }: ObservedPage, verdict: Verdict, tally: Tally, isLogin: boolean): string[] {
  if (!isLogin || gold.login_submit !== true) return [];
  const right = verdict.submit !== null && submits.includes(verdict.submit.handle);
  tally.submit.labelled += 1;
  tally.submit.right += right ? 1 : 0;
  tally.submit.wrong += right ? 0 : 1;
  tally.submit.baselineWrong += gold.ddg_submit_false_negatives + gold.ddg_submit_false_positives > 0 ? 1 : 0;
  return right ? [] : ['submit'];
}

function compareWithBaseline(gold: GoldPage, mistakes: readonly string[], tally: Tally): void {
  if (gold.page_kind !== 'login') return;
  const theirs = gold.ddg_known_failures.length > 0;
  const ours = mistakes.some((mistake) => !mistake.startsWith('kind') && mistake !== 'submit');
  if (theirs && !ours) tally.unlike.push(gold.file);
  if (ours && !theirs) tally.worse.push(gold.file);
}

function measures(labels: Labels): Record<string, Measure> {
  return Object.fromEntries(
    SCORED.map((label) => {
      const { hits, extra, missed } = labels[label];
      return [
        label,
        {
          precision: ratio(hits, hits + extra),
          recall: ratio(hits, hits + missed),
          f1: ratio(2 * hits, 2 * hits + extra + missed),
          hits,
          extra,
          missed,
        },
      ];
    }),
  );
}

/** Null where there is nothing to measure. */
function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}
