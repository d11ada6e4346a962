import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { LoginFlowRow } from '@berth/database';
import {
  type ClaimedFlow,
  type FlowEvent,
  FlowLost,
  type FlowStore,
  finishSaved,
  isPause,
  Requirements,
  startAddress,
  stateOf,
} from '@berth/login-flow';
import type { Logger } from '@berth/logging';
import { READ_ONLY } from '../discovery/fields/fields.js';
import { routeOf } from '../discovery/snapshot.js';
import { isLoginAt, isShownToAll } from '../discovery/stranger.js';
import { type FieldFinding, NOTHING_SENT, type PageContext, type PageKind, type PressTarget } from '../discovery/verdict.js';
import type { ActOutcome, GotoOutcome, Onlooker, PagePort, QuietLimits } from '../page/page-port.js';
import { decide, type Decision, type RevisitReason, fail, type Failure, type PressReason, unreached } from './decide.js';
import { mayBeAt } from './domains.js';
import { enter, type Entered } from './entries.js';
import { FlowJournal, isOneTime } from './flow-journal.js';
import type { Hold } from './holds.js';
import { isSameForm, judge, newError, signatureOf } from './judge.js';
import { maskedAddress } from './masked-address.js';
import { asksForSeed, codesFromSeed, type OpenCredential, type SubmittedValues } from './known-values.js';
import type { SentKind } from './memory.js';
import { namePage, type NamedPage, offerOf } from './offer.js';
import { type Classify, type Pressed, settle, type Settled } from './settle.js';

/** The worker was told to stop; the flow is handed over as it is. */
export class Stopping extends Error {
  override readonly name = 'Stopping';
}

export interface RunPorts {
  readonly store: FlowStore;
  readonly logger: Logger;
  readonly classify: Classify;
  readonly quiet: QuietLimits;
  readonly maxSteps: number;
  /** The stored credential of the connection, opened; null if it has none. */
  readonly credential: OpenCredential | null;
  /** Waits, at most so many milliseconds, for the page to change by itself while a person is waited for. */
  untilPageMoves(maxMs: number): Promise<unknown>;
  /** Saves profile, credential and requirements of a login that has succeeded, and marks the flow saved. @throws {FlowLost} */
  save(flow: LoginFlowRow, outcome: LoginOutcome): Promise<LoginFlowRow>;
}

export interface LoginOutcome {
  readonly postLoginUrl: string;
  readonly values: SubmittedValues;
  readonly requirements: Requirements;
  /** Something was sent: the requirements tell a whole login, not a profile that was logged in already. */
  readonly complete: boolean;
}

const gotoMs = 20_000;
/** Of a start address that does not lead to the login any more. */
const deadEnds: ReadonlySet<PageKind> = new Set(['logged_in', 'error', 'unknown', 'sign_up', 'password_reset']);
/** After these the page may be another, whatever it is about. */
const acts: ReadonlySet<Decision['kind']> = new Set(['fill', 'choose', 'press']);
/** For a look beside the page, and for what is looked at to be quiet: each. */
const asideMs = 5_000;
const mostRetries = 2;
/** Times in a row that what was given may not go out without a word of the page; each may be another value. */
const mostUnsent = 3;
/** Time between two looks at a page while a person is waited for, however restless the page is. */
const watchMs = 1_000;
const longestWaitMs = 60_000;

/** Drives one claimed flow in its page until it ends. */
export class LoginRun {
  readonly #journal: FlowJournal;
  /** The former owner committed an intent and died: it is not known whether its submit reached the website (D41). */
  #resumed: boolean;
  #retries = 0;
  #unsent = 0;
  /** Not kept: a look sends nothing, and who takes the flow over may look again. */
  #revisited: RevisitReason | null = null;
  /** Nor this: what was seen beside a page, as a stranger sees it, and of the login. */
  #aside: { readonly route: string; readonly shownToAll: boolean; readonly loginStands: boolean | null } | null = null;
  /** Nor this: what was pressed last, on which page, until something else is done: it is not pressed again while its answer may come. */
  #pressed: Pressed | null = null;

  constructor(
    private readonly ports: RunPorts,
    claimed: ClaimedFlow,
    private readonly hold: Hold,
    private readonly page: PagePort,
  ) {
    this.#journal = new FlowJournal(ports.store, ports.credential, claimed);
    this.#resumed = claimed.flow.intent !== null;
  }

  /** @throws {FlowLost} when the flow went to another owner, {Stopping}, {PageGone} */
  async run(): Promise<void> {
    if (!(await this.#open())) return;
    const classify: Classify = (snapshot, context) =>
      codesFromSeed(asksForSeed(this.ports.classify(snapshot, context)), this.#journal.known);
    const hasLost = (): boolean => this.#news() === 'lost';
    let before: Settled | null = null;
    for (;;) {
      this.#checkHold();
      const { memory } = this.#journal;
      const context = this.#context;
      const known = { sentForm: memory.last?.signature ?? null, pressed: this.#pressed, before };
      const settled: Settled = await settle(this.page, classify, context, this.ports.quiet, known, hasLost);
      if (await this.#caughtUpWithTheEnd()) return;
      const { steps } = this.#journal.memory;
      if (await this.#follow(settled)) return;
      const isUntouched = this.#journal.memory.steps === steps && this.#journal.memory.last === null;
      before = isUntouched && isDeepStrictEqual(this.#context, context) ? settled : null;
    }
  }

  /**
   * Waits for the page that the host has sent to the start address, and goes there itself if that failed. Whoever takes over before
   * anything else was written waits for it as well, so that it was is written with the next thing that is.
   * @returns false when the flow ended here
   */
  async #open(): Promise<boolean> {
    if (this.#journal.memory.started) {
      this.page.trustOpen();
      return true;
    }
    let outcome = await this.page.arrive(gotoMs);
    if (isLost(outcome)) outcome = await this.page.goto(startAddress(this.#journal.connection), gotoMs);
    if (isLost(outcome)) {
      await this.#end(unreached(this.page.isLooping()));
      return false;
    }
    this.#journal.note({ started: true });
    return true;
  }

  /** What follows from a settled page. @returns true when the flow has ended */
  async #follow(settled: Settled): Promise<boolean> {
    const isCutOff = this.#isCutOff(settled);
    // A page that says why can be answered.
    if (settled.verdict.error !== null) this.#unsent = 0;
    if (this.#aside !== null && this.#aside.route !== routeOf(settled.snapshot.url)) {
      const { loginStands } = this.#aside;
      this.#aside = null;
      // Read as what it is not.
      if (loginStands === true) return false;
    }
    this.#takeBack(settled);
    const judged = judge(this.#journal.memory, settled.verdict, this.#resumed);
    this.#resumed = false;
    const page = namePage(judged.memory.names, settled.verdict);
    this.#journal.note({ ...judged.memory, names: page.names });
    const decision = isCutOff ? fail('network_error') : judged.end === undefined ? this.#decide(settled, page) : fail(judged.end);
    this.ports.logger.info(
      {
        flow: this.#journal.flow.id,
        kind: settled.verdict.kind,
        rules: settled.verdict.rules,
        decision: decision.kind,
        ...(decision.kind === 'fail' && { reason: decision.code }),
      },
      'page read',
    );
    return this.#perform(decision, settled, page);
  }

  get #context(): PageContext {
    return {
      ...this.#journal.context,
      ...(this.#revisited !== null && { revisited: true }),
      ...(this.#aside?.loginStands === true && { loginStands: true }),
    };
  }

  /** The form stands there without a word because its website was not reached, and nobody has refused it. */
  #isCutOff({ verdict }: Settled): boolean {
    const { memory } = this.#journal;
    return memory.last !== null && isSameForm(memory.last.signature, verdict) && newError(verdict, memory) === null && this.page.isCutOff();
  }

  async #compare(as: Onlooker, { snapshot }: Settled): Promise<void> {
    const url = as === 'stranger' ? snapshot.url : startAddress(this.#journal.connection);
    const seen = await this.page.lookAside(as, url, asideMs, { ...this.ports.quiet, maxMs: asideMs });
    const verdict = seen === null ? null : this.ports.classify(seen, NOTHING_SENT);
    const isLogin = verdict !== null && isLoginAt(verdict);
    // Whom the website asks who they are under this address is shown something else; a way in may stand on what everybody is shown.
    const isAsked = isLogin && verdict.kind !== 'landing';
    const shownToAll = as === 'stranger' && seen !== null && !isAsked && isShownToAll(snapshot, seen);
    this.#aside = { route: routeOf(snapshot.url), shownToAll, loginStands: as === 'self' ? isLogin : null };
  }

  /** The login asks again who is there, after a page for everybody or one that leads nowhere: what it had seemed to take was refused. */
  #takeBack({ verdict: { kind } }: Settled): void {
    const isBack = (this.#revisited === 'refused' || this.#revisited === 'expired') && !deadEnds.has(kind);
    const isAsked = this.#revisited === 'shown_to_all' ? kind !== 'logged_in' : isBack;
    if (!isAsked) return;
    if (this.#revisited === 'expired') {
      this.#journal.note({ renewals: this.#journal.memory.renewals + 1, entries: 0 });
      this.#revisited = null;
      return;
    }
    const { rejected, accepted } = this.#journal.memory;
    this.#journal.note({ rejected: [...new Set([...rejected, ...accepted])], accepted: [], entries: 0 });
    this.#revisited = null;
  }

  #decide({ snapshot, verdict }: Settled, page: NamedPage): Decision {
    const { answer, connection, flow, known, memory } = this.#journal;
    const requirements = Requirements.safeParse(connection.requirements).data;
    return decide({
      verdict,
      page,
      url: snapshot.url,
      isLooping: this.page.isLooping(),
      memory,
      answer,
      knows: (field) => known.knows(field, memory),
      mayBeAt: (url) => mayBeAt(url, connection),
      alone: flow.type === 'REAUTH',
      picks: requirements?.picks ?? [],
      isOwn: (choice) => known.isOwn(choice),
      maxSteps: this.ports.maxSteps,
      newError: newError(verdict, memory),
      revisited: this.#revisited,
      shownToAll: this.#aside?.shownToAll ?? null,
      loginStands: this.#aside?.loginStands ?? null,
      waitingUnder: flow.step === 'AWAITING_EXTERNAL_ACTION' ? (stateOf(flow).websiteError ?? '') : null,
    });
  }

  async #perform(decision: Decision, settled: Settled, page: NamedPage): Promise<boolean> {
    const websiteError = this.#websiteError(settled);
    if (acts.has(decision.kind)) [this.#aside, this.#pressed] = [null, null];
    switch (decision.kind) {
      case 'fill': {
        const fields = decision.places.map((place) => settled.verdict.fields[place] as FieldFinding);
        const { answer, known } = this.#journal;
        const given = answer?.kind === 'fields' ? answer.values : {};
        const entered = await enter(
          fields,
          decision.places.map((place) => given[page.fieldIds[place] as string]),
          known,
        );
        if (await this.#refuses(entered)) return false;
        return this.#sent(await this.#fill(entered, settled), fields, settled.verdict.captcha);
      }
      case 'choose':
        return this.#sent(await this.#choose(decision.place, settled), []);
      case 'press':
        await this.#press(decision.target, decision.why, websiteError ?? null);
        this.#pressed = {
          handle: decision.target.handle,
          documentId: settled.snapshot.documentId,
          signature: signatureOf(settled.verdict),
        };
        return false;
      case 'ask':
        // It stays until something is sent again, also where the website shows it for a moment only.
        this.#journal.note({ told: websiteError ?? null });
        return this.#pause({ kind: 'ask', offer: this.#offer(decision.places, settled, page), websiteError });
      case 'wait':
        this.#journal.waitsOutside();
        return this.#pause({
          kind: 'wait',
          message: this.#journal.masking()(decision.message),
          offer: this.#offer([], settled, page),
          websiteError,
        });
      case 'compare':
        await this.#compare(decision.as, settled);
        return false;
      case 'revisit':
        // What everybody is shown in a window of its own says nothing of the one behind it.
        if (decision.why === 'shown_to_all' && this.page.leaveUninvited()) return false;
        if (decision.why === 'refused' || decision.why === 'expired') this.#journal.note({ told: websiteError ?? null });
        this.#revisited = decision.why;
        this.#aside = null;
        await this.page.goto(startAddress(this.#journal.connection), gotoMs);
        return false;
      case 'succeed':
        await this.#succeed(settled);
        return true;
      case 'fail':
        await this.#end(decision, websiteError);
        return true;
    }
  }

  /**
   * Tells what is asked and waits for an answer, for the page to move by itself, or for the end.
   * @returns true when the flow has ended
   */
  async #pause(event: FlowEvent): Promise<boolean> {
    this.#journal.dropAnswer();
    await this.#journal.advance(event);
    const { id, sequence } = this.#journal.flow;
    const earliest = delay(watchMs);
    const wake = await Promise.race([
      this.hold.wait(sequence, longestWaitMs),
      this.ports.untilPageMoves(longestWaitMs).then(async () => {
        await earliest;
        return 'timeout' as const;
      }),
    ]);
    if (wake === 'lost') throw new FlowLost(id);
    return this.#caughtUpWithTheEnd();
  }

  /** Whether a value is none that its field takes: then nothing is sent, what is right is kept, and the rest is asked for again. */
  async #refuses(entered: readonly Entered[]): Promise<boolean> {
    const refusals = entered.flatMap(({ field, entry }) => ('refused' in entry ? [{ ref: field.ref, told: entry.refused }] : []));
    const [first] = refusals;
    if (first === undefined) return false;
    for (const { field, value, entry } of entered) if ('typed' in entry && !isOneTime(field)) this.#journal.keep(field, value);
    const { rejected } = this.#journal.memory;
    this.#journal.note({ told: first.told, rejected: [...new Set([...rejected, ...refusals.map(({ ref }) => ref)])] });
    await this.#journal.giveBack();
    return true;
  }

  async #fill(entered: readonly Entered[], { snapshot, verdict }: Settled): Promise<ActOutcome> {
    const fields = entered.map(({ field }) => field);
    for (const { field, value } of entered) this.#journal.keep(field, value);
    const filling = entered.map(({ field, value, entry }) => ({
      handles: field.handles,
      value: 'typed' in entry ? entry.typed : value,
      oneTime: isOneTime(field) || field.rules.includes(READ_ONLY),
    }));
    await this.#journal.intend({ page: snapshot, verdict, fields, sends: sentBy(entered) });
    return this.page.fillAndSubmit(filling, verdict.submit?.handle ?? null, verdict.agreement ?? undefined);
  }

  async #choose(place: number, { snapshot, verdict }: Settled): Promise<ActOutcome> {
    const choice = verdict.choices[place];
    if (choice === undefined) throw new RangeError('no such choice on the page');
    this.#journal.pick(choice);
    const sends = [choice.type === 'sso_provider' ? ('sso' as const) : ('choice' as const)];
    await this.#journal.intend({ page: snapshot, verdict, fields: [], sends });
    return this.page.act(choice.action, choice.action.kind === 'press' ? null : (verdict.submit?.handle ?? null));
  }

  /**
   * What came of a fill or a choice. Unless `done`, nothing reached the website, and it may be tried again.
   * @returns true when the flow has ended
   */
  async #sent(outcome: ActOutcome, fields: readonly FieldFinding[], captcha = false): Promise<boolean> {
    if (outcome.kind === 'done') {
      this.#journal.dropAnswer();
      [this.#retries, this.#unsent] = [0, 0];
      return false;
    }
    this.#journal.note({ last: null });
    if (captcha && outcome.kind === 'disabled' && fields.length > 0) {
      await this.#end(fail('captcha_blocked'));
      return true;
    }
    const isBlamed = outcome.kind !== 'not_found' && canBeBlamed(outcome, fields, this.#journal.flow.type === 'REAUTH');
    // A page that is just coming to life may drop what a script has entered: only what it drops again and again is at fault.
    if (isBlamed && outcome.kind !== 'not_accepted') return this.#askAnew(outcome, fields);
    if ((this.#retries += 1) <= mostRetries) {
      await this.#journal.remember();
      return false;
    }
    if (isBlamed) return this.#askAnew(outcome, fields);
    await this.#end(fail('element_not_found'));
    return true;
  }

  /** @returns true when the flow has ended */
  async #askAnew(outcome: Untaken, fields: readonly FieldFinding[]): Promise<boolean> {
    const { code, told } = untaken[outcome.kind];
    if (code !== null && (this.#unsent += 1) >= mostUnsent) {
      await this.#end(fail(code));
      return true;
    }
    this.#retries = 0;
    const { memory } = this.#journal;
    this.#journal.dropAnswer();
    this.#journal.note({
      rejected: [...new Set([...memory.rejected, ...fields.map(({ ref }) => ref)])],
      told: outcome.kind === 'invalid' ? this.#journal.masking()(outcome.message) : (told ?? memory.told),
    });
    await this.#journal.remember();
    return false;
  }

  async #press({ handle }: PressTarget, why: PressReason, told: string | null): Promise<void> {
    const { entries, dismissals, yeses, steps } = this.#journal.memory;
    this.#journal.note({
      told,
      steps: steps + 1,
      entries: entries + (why === 'entry' ? 1 : 0),
      dismissals: dismissals + (why === 'dismiss' ? 1 : 0),
      yeses: yeses + (why === 'yes' ? 1 : 0),
    });
    await this.#journal.remember();
    await this.page.act({ kind: 'press', handle }, null);
  }

  async #succeed({ snapshot }: Settled): Promise<void> {
    if (isPause(this.#journal.flow.step)) await this.#journal.advance({ kind: 'discover' });
    const { flow, memory, values } = this.#journal;
    const saved = await this.ports.save(flow, {
      postLoginUrl: maskedAddress(snapshot.url, this.#journal.masking()),
      values,
      requirements: memory.requirements,
      complete: memory.sent.length > 0,
    });
    await finishSaved(this.ports.store, saved);
  }

  async #end({ code, message }: Failure, websiteError?: string): Promise<void> {
    await this.#journal.advance({ kind: 'fail', code, message, websiteError });
  }

  #offer(places: readonly number[], { verdict }: Settled, page: NamedPage): ReturnType<typeof offerOf> {
    return offerOf(verdict, page, places, this.#journal.memory.rejected, this.#journal.masking());
  }

  #websiteError({ verdict }: Settled): string | undefined {
    const { memory } = this.#journal;
    const text = newError(verdict, memory);
    return text === null ? (memory.told ?? undefined) : this.#journal.masking()(text);
  }

  /** What happened to the flow that the journal does not know of yet. */
  #news(): ReturnType<Hold['look']> {
    return this.hold.look(this.#journal.flow.sequence);
  }

  /** @returns true when others have ended the flow */
  async #caughtUpWithTheEnd(): Promise<boolean> {
    return this.#news() === 'changed' && (await this.#journal.catchUp());
  }

  #checkHold(): void {
    const news = this.#news();
    if (news === 'lost') throw new FlowLost(this.#journal.flow.id);
    if (news === 'stopping') throw new Stopping();
  }
}

/** What was given does not go out: the browser refuses a value, the page keeps its button locked, or a box does not keep what is entered. */
type Untaken = Exclude<ActOutcome, { kind: 'done' | 'not_found' }>;

/** What is told of it where the page says nothing, and how the flow ends when that goes on. What the browser says can always be answered. */
const untaken: {
  readonly [K in Untaken['kind']]: { readonly code: 'stuck_in_loop' | 'element_not_found' | null; readonly told: string | null };
} = {
  invalid: { code: null, told: null },
  disabled: { code: 'stuck_in_loop', told: null },
  not_accepted: {
    code: 'element_not_found',
    told: 'The website does not take this as it is: a box does not keep it. Give it in the form that the website asks for.',
  },
};

/** Values that were right before (a flow without a person) are not blamed for a lock or a box, which may be the page's own trouble. */
const canBeBlamed = (outcome: Untaken, fields: readonly FieldFinding[], alone: boolean): boolean =>
  outcome.kind === 'invalid' || (fields.length > 0 && !alone);

/** A name and something else in one form prove who it is, as a customer's number and a date of birth do. */
function sentBy(entered: readonly Entered[]): readonly SentKind[] {
  const types = entered.map(({ field }) => field.type);
  const isAnswered = types.includes('identifier') && entered.some(({ field, value }) => field.type === 'text' && value !== '');
  return isAnswered ? [...types, 'answer'] : types;
}

/** A navigation that ends in a download, or that the page itself replaces, is aborted and leaves a page to look at. */
const isLost = (outcome: GotoOutcome): boolean => outcome.kind === 'failed' && outcome.reason !== 'aborted';
