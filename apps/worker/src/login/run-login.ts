import { setTimeout as delay } from 'node:timers/promises';
import {
  advance,
  answerIn,
  type Answer,
  type Changes,
  type ClaimedFlow,
  finishSaved,
  type FlowConnection,
  type FlowEvent,
  FlowLost,
  type FlowStore,
  isPause,
  mask,
  readFlow,
  remember,
  Requirements,
  startAddress,
  stateOf,
} from '@berth/login-flow';
import type { LoginFlowRow } from '@berth/database';
import type { Logger } from '@berth/logging';
import { beforeSending, type FieldFinding, type PageContext, type PressTarget } from '../discovery/verdict.js';
import type { ActOutcome, GotoOutcome, PagePort, QuietLimits } from '../page/page-port.js';
import { decide, type Decision, fail, failures } from './decide.js';
import { mayBeAt } from './domains.js';
import type { Hold } from './holds.js';
import { formSignature, judge, newError } from './judge.js';
import { asksForSeed, KnownValues, noValues, type OpenCredential, type SubmittedValues, typedFor } from './known-values.js';
import { type FlowMemory, memoryOf, type SentKind } from './memory.js';
import { choiceKey, namePage, type NamedPage, offerOf } from './offer.js';
import { type Classify, settle, type Settled } from './settle.js';

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
const mostRetries = 2;
/** Time between two looks at a page while a person is waited for, however restless the page is. */
const watchMs = 1_000;
const valuesPurpose = 'login-values';

/** Drives one claimed flow in its page until it ends. Everything it must not forget is in the row, so it can die anywhere. */
export class LoginRun {
  #flow: LoginFlowRow;
  #memory: FlowMemory;
  #values: SubmittedValues;
  #answer: Answer | null;
  /** The former owner committed an intent and died: it is not known whether its submit reached the website (D41). */
  #resumed: boolean;
  #retries = 0;
  readonly #connection: FlowConnection;

  constructor(
    private readonly ports: RunPorts,
    { flow, connection }: ClaimedFlow,
    private readonly hold: Hold,
    private readonly page: PagePort,
  ) {
    this.#flow = flow;
    this.#connection = connection;
    this.#memory = memoryOf(flow.memory);
    this.#values = flow.sealedValues === null ? noValues : ports.store.sealer.openJson(valuesPurpose, flow.sealedValues);
    this.#answer = answerIn(ports.store, flow);
    this.#resumed = flow.intent !== null;
  }

  /** @throws {FlowLost} when the flow went to another owner, {Stopping}, {PageGone} */
  async run(): Promise<void> {
    if (!(await this.#open())) return;
    const classify: Classify = (snapshot, context) => asksForSeed(this.ports.classify(snapshot, context));
    const hasLost = (): boolean => this.hold.look(this.#flow.sequence) === 'lost';
    let before: Settled | null = null;
    for (;;) {
      this.#checkHold();
      const settled: Settled = await settle(
        this.page,
        classify,
        this.#context(),
        this.ports.quiet,
        { sentForm: this.#memory.last?.signature ?? null, before },
        hasLost,
      );
      if (await this.#answerArrived()) return;
      const { steps } = this.#memory;
      if (await this.#follow(settled)) return;
      before = this.#memory.steps === steps && this.#memory.last === null ? settled : null;
    }
  }

  /**
   * Waits for the page that the host has sent to the start address, and goes there itself if that failed. Whoever takes over before anything else was written waits
   * for it as well, so that it was is written with the next thing that is. @returns false when the flow ended here.
   */
  async #open(): Promise<boolean> {
    if (this.#memory.started) return true;
    let outcome = await this.page.arrive(gotoMs);
    if (isLost(outcome)) outcome = await this.page.goto(startAddress(this.#connection), gotoMs);
    if (isLost(outcome)) {
      await this.#end('network_error');
      return false;
    }
    this.#memory = { ...this.#memory, started: true };
    return true;
  }

  /** What follows from a settled page. @returns true when the flow has ended. */
  async #follow(settled: Settled): Promise<boolean> {
    const judged = judge(this.#memory, settled.verdict, this.#resumed);
    this.#resumed = false;
    const page = namePage(judged.memory.names, settled.verdict);
    this.#memory = { ...judged.memory, names: page.names };
    const decision = judged.end === undefined ? this.#decide(settled, page) : fail(judged.end);
    this.ports.logger.info(
      {
        flow: this.#flow.id,
        kind: settled.verdict.kind,
        rules: settled.verdict.rules,
        decision: decision.kind,
        ...(decision.kind === 'fail' && { reason: decision.code }),
      },
      'page read',
    );
    return this.#perform(decision, settled, page);
  }

  #decide({ snapshot, verdict }: Settled, page: NamedPage): Decision {
    const known = this.#known();
    const requirements = Requirements.safeParse(this.#connection.requirements).data;
    return decide({
      verdict,
      page,
      url: snapshot.url,
      memory: this.#memory,
      answer: this.#answer,
      knows: (field) => known.knows(field, this.#memory),
      mayBeAt: (url) => mayBeAt(url, this.#connection),
      alone: this.#flow.type === 'REAUTH',
      picks: requirements?.picks ?? [],
      maxSteps: this.ports.maxSteps,
      newError: newError(verdict, this.#memory),
      waitingUnder: this.#flow.step === 'AWAITING_EXTERNAL_ACTION' ? (stateOf(this.#flow).websiteError ?? '') : null,
    });
  }

  async #perform(decision: Decision, settled: Settled, page: NamedPage): Promise<boolean> {
    switch (decision.kind) {
      case 'fill':
        return this.#sent(
          await this.#fill(decision.places, settled, page),
          decision.places.map((place) => (settled.verdict.fields[place] as FieldFinding).ref),
        );
      case 'choose':
        return this.#sent(await this.#choose(decision.place, settled), []);
      case 'press':
        await this.#press(decision.target, decision.why, this.#websiteError(settled) ?? null);
        return false;
      case 'ask':
        await this.#pause({ kind: 'ask', offer: this.#offer(decision.places, settled, page), websiteError: this.#websiteError(settled) });
        return this.#answerArrived();
      case 'wait':
        this.#note('external', { external: true });
        await this.#pause({
          kind: 'wait',
          message: this.#masking()(decision.message),
          offer: this.#offer([], settled, page),
          websiteError: this.#websiteError(settled),
        });
        return this.#answerArrived();
      case 'succeed':
        await this.#succeed(settled);
        return true;
      case 'fail':
        await this.#end(decision.code as keyof typeof failures, this.#websiteError(settled));
        return true;
    }
  }

  /** Tells what is asked and waits for an answer, for the page to move by itself, or for the end. */
  async #pause(event: FlowEvent): Promise<void> {
    this.#answer = null;
    await this.#advance(event);
    const earliest = delay(watchMs);
    const wake = await Promise.race([
      this.hold.wait(this.#flow.sequence, 60_000),
      this.ports.untilPageMoves(60_000).then(async () => {
        await earliest;
        return 'timeout' as const;
      }),
    ]);
    if (wake === 'lost') throw new FlowLost(this.#flow.id);
  }

  /** Takes over what others have written into the row: an answer, or an end. @returns true when the flow has ended. */
  async #answerArrived(): Promise<boolean> {
    if (this.hold.look(this.#flow.sequence) !== 'changed') return false;
    const row = await readFlow(this.ports.store, this.#flow.id);
    if (row === null || row.status !== 'IN_PROGRESS') return true;
    if (row.ownerEpoch !== this.#flow.ownerEpoch) throw new FlowLost(row.id);
    this.#flow = row;
    this.#answer = answerIn(this.ports.store, row);
    return false;
  }

  async #fill(places: readonly number[], { snapshot, verdict }: Settled, page: NamedPage): Promise<ActOutcome> {
    const fields = places.map((place) => verdict.fields[place] as FieldFinding);
    const given = this.#answer?.kind === 'fields' ? this.#answer.values : {};
    await delay(this.#known().waitFor(fields));
    const values = fields.map(
      (field, index) => given[page.fieldIds[places[index] as number] as string] || (this.#known().valueOf(field) ?? ''),
    );
    for (const [index, field] of fields.entries()) this.#keep(field, values[index] as string);
    const typed = fields.map((field, index) => typedFor(field, values[index] as string));
    const refs = fields.map(({ ref }) => ref);
    await this.#commitIntent(
      snapshot,
      formSignature(verdict),
      fields.map(({ type, ref }) => ({ type, ref })),
      { inDoubt: this.#memory.inDoubt.filter((ref) => !refs.includes(ref)) },
      fields.map(({ type }) => type),
    );
    return this.page.fillAndSubmit(
      fields.map((field, index) => ({ handles: field.handles, value: typed[index] as string, oneTime: isOneTime(field) })),
      verdict.submit?.handle ?? null,
    );
  }

  /** A value given in this flow: kept, sealed, to fill later pages and to be saved after success; of one-time codes only what masking needs. */
  #keep(field: FieldFinding, value: string): void {
    const { save, codes } = this.#values;
    this.#values = isOneTime(field)
      ? { save, codes: [...new Set([...codes, value])].slice(-10) }
      : { save: { ...save, [field.ref]: value }, codes };
    const fields = this.#memory.requirements.fields;
    if (!fields.some(({ type, ref }) => type === field.type && ref === field.ref)) {
      const channel = field.type === 'code' ? { channel: channelOf(field) } : {};
      this.#memory = {
        ...this.#memory,
        requirements: { ...this.#memory.requirements, fields: [...fields, { type: field.type, ref: field.ref, ...channel }] },
      };
    }
  }

  async #choose(place: number, { snapshot, verdict }: Settled): Promise<ActOutcome> {
    const choice = verdict.choices[place];
    if (choice === undefined) throw new RangeError('no such choice on the page');
    const picks = this.#memory.requirements.picks.filter(({ type }) => type !== choice.type);
    this.#memory = {
      ...this.#memory,
      requirements: { ...this.#memory.requirements, picks: [...picks, { type: choice.type, key: choiceKey(choice) }] },
    };
    await this.#commitIntent(snapshot, formSignature(verdict), [], {}, [choice.type === 'sso_provider' ? 'sso' : 'choice']);
    return this.page.act(choice.action, choice.action.kind === 'press' ? null : (verdict.submit?.handle ?? null));
  }

  /** The intent is in Postgres before anything reaches the website; with it the answer leaves the row (D41). */
  async #commitIntent(
    snapshot: Settled['snapshot'],
    signature: string,
    fields: NonNullable<FlowMemory['last']>['fields'],
    changes: Partial<FlowMemory>,
    sent: readonly SentKind[],
  ): Promise<void> {
    const masking = this.#masking();
    const { url, documentId, alerts } = beforeSending(snapshot);
    this.#memory = {
      ...this.#memory,
      ...changes,
      told: null,
      steps: this.#memory.steps + 1,
      last: { signature, fields: [...fields] },
      sent: [...new Set([...this.#memory.sent, ...sent])],
      before: { url: withoutQuery(url), documentId, alerts: alerts.map(masking) },
    };
    const written: Changes = {
      memory: this.#memory,
      intent: { signature, at: new Date().toISOString() },
      sealedAnswer: null,
      sealedValues: this.ports.store.sealer.sealJson(valuesPurpose, this.#values),
    };
    this.#flow =
      this.#flow.step === 'SUBMITTING'
        ? await remember(this.ports.store, this.#flow, written)
        : await advance(this.ports.store, this.#flow, { kind: 'submit' }, written);
  }

  /** What came of a fill or a choice. Unless `done`, nothing reached the website, and it may be tried again. @returns true when the flow has ended. */
  async #sent(outcome: ActOutcome, refs: readonly string[]): Promise<boolean> {
    if (outcome.kind === 'done') {
      this.#answer = null;
      this.#retries = 0;
      return false;
    }
    this.#memory = { ...this.#memory, last: null };
    if (outcome.kind === 'invalid') {
      this.#answer = null;
      this.#memory = { ...this.#memory, rejected: [...new Set([...this.#memory.rejected, ...refs])] };
    } else if ((this.#retries += 1) > mostRetries) {
      await this.#end('element_not_found');
      return true;
    }
    await this.#remember();
    return false;
  }

  async #press({ handle }: PressTarget, why: 'entry' | 'dismiss' | 'yes', told: string | null): Promise<void> {
    const { entries, dismissals, steps } = this.#memory;
    this.#memory = {
      ...this.#memory,
      told,
      steps: steps + 1,
      entries: entries + (why === 'entry' ? 1 : 0),
      dismissals: dismissals + (why === 'dismiss' ? 1 : 0),
    };
    await this.#remember();
    await this.page.act({ kind: 'press', handle }, null);
  }

  async #succeed({ snapshot }: Settled): Promise<void> {
    if (isPause(this.#flow.step)) await this.#advance({ kind: 'discover' });
    const saved = await this.ports.save(this.#flow, {
      postLoginUrl: this.#masking()(snapshot.url),
      values: this.#values,
      requirements: this.#memory.requirements,
      complete: this.#memory.sent.length > 0,
    });
    await finishSaved(this.ports.store, saved);
  }

  async #end(code: keyof typeof failures, websiteError?: string): Promise<void> {
    await this.#advance({ kind: 'fail', code, message: failures[code], websiteError });
  }

  /** A new state; the intent has been judged by then. */
  async #advance(event: FlowEvent): Promise<void> {
    const changed = this.#flow.intent !== null || JSON.stringify(this.#flow.memory) !== JSON.stringify(this.#memory);
    this.#flow = await advance(this.ports.store, this.#flow, event, changed ? { memory: this.#memory, intent: null } : {});
  }

  async #remember(): Promise<void> {
    this.#flow = await remember(this.ports.store, this.#flow, { memory: this.#memory, intent: null });
  }

  #note(kind: SentKind, requirements: Partial<Requirements>): void {
    this.#memory = {
      ...this.#memory,
      sent: [...new Set([...this.#memory.sent, kind])],
      requirements: { ...this.#memory.requirements, ...requirements },
    };
  }

  #context(): PageContext {
    return { sent: this.#memory.sent, before: this.#memory.before };
  }

  #known(): KnownValues {
    return new KnownValues(this.#values, this.ports.credential);
  }

  #masking(): (text: string) => string {
    const answered =
      this.#answer?.kind === 'fields'
        ? Object.entries(this.#answer.values)
            .filter(([id]) => !/^username/.test(id))
            .map(([, value]) => value)
        : [];
    const secrets = [...this.#known().secrets(), ...answered];
    return (text) => mask(text, secrets);
  }

  #offer(places: readonly number[], { verdict }: Settled, page: NamedPage): ReturnType<typeof offerOf> {
    return offerOf(verdict, page, places, this.#memory.rejected, this.#masking());
  }

  #websiteError({ verdict }: Settled): string | undefined {
    const text = newError(verdict, this.#memory);
    return text === null ? (this.#memory.told ?? undefined) : this.#masking()(text);
  }

  #checkHold(): void {
    const state = this.hold.look(this.#flow.sequence);
    if (state === 'lost') throw new FlowLost(this.#flow.id);
    if (state === 'stopping') throw new Stopping();
  }
}

/** A navigation that ends in a download, or that the page itself replaces, is aborted and leaves a page to look at. */
const isLost = (outcome: GotoOutcome): boolean => outcome.kind === 'failed' && outcome.reason !== 'aborted';
const isOneTime = ({ type }: FieldFinding): boolean => type === 'code' || type === 'totp_code';
const channelOf = ({ hint, label }: FieldFinding): 'email' | 'sms' | 'unknown' =>
  /@|e-?mail/i.test(`${hint ?? ''} ${label}`) ? 'email' : /\d|sms|phone|text/i.test(`${hint ?? ''} ${label}`) ? 'sms' : 'unknown';
const withoutQuery = (url: string): string => url.replace(/[?#].*$/, '');
