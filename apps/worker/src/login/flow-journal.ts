import type { LoginFlowRow } from '@berth/database';
import {
  advance,
  type Answer,
  answerIn,
  type ClaimedFlow,
  type FlowConnection,
  type FlowEvent,
  FlowLost,
  type FlowStore,
  mask,
  readFlow,
  remember,
} from '@berth/login-flow';
import { type PageSnapshot, routeOf } from '../discovery/snapshot.js';
import { beforeSending, type ChoiceFinding, type FieldFinding, type PageContext, type Verdict } from '../discovery/verdict.js';
import { formSignature } from './judge.js';
import { KnownValues, noValues, type OpenCredential, type SubmittedValues } from './known-values.js';
import { type FlowMemory, memoryOf, type SentKind } from './memory.js';
import { choiceKey } from './offer.js';

const valuesPurpose = 'login-values';
const mostMasked = 20;

/** What is about to reach the website. */
export interface Intent {
  readonly page: PageSnapshot;
  /** Of that page: its form is recognised when it comes back. */
  readonly verdict: Verdict;
  readonly fields: readonly FieldFinding[];
  readonly sends: readonly SentKind[];
}

/** What a run knows of its flow. Everything that must not be forgotten is in the row, so a worker can die anywhere. */
export class FlowJournal {
  readonly connection: FlowConnection;
  #flow: LoginFlowRow;
  #memory: FlowMemory;
  #values: SubmittedValues;
  #answer: Answer | null;

  constructor(
    private readonly store: FlowStore,
    private readonly credential: OpenCredential | null,
    { flow, connection }: ClaimedFlow,
  ) {
    this.connection = connection;
    this.#flow = flow;
    this.#memory = memoryOf(flow.memory);
    this.#values =
      flow.sealedValues === null
        ? noValues
        : { ...noValues, ...store.sealer.openJson<Partial<SubmittedValues>>(valuesPurpose, flow.sealedValues) };
    this.#answer = answerIn(store, flow);
  }

  get flow(): LoginFlowRow {
    return this.#flow;
  }

  get memory(): FlowMemory {
    return this.#memory;
  }

  /** Given in this flow. */
  get values(): SubmittedValues {
    return this.#values;
  }

  /** What the person answered to what was asked last; null once it has been used. */
  get answer(): Answer | null {
    return this.#answer;
  }

  get context(): PageContext {
    const name = this.known.name;
    const { sent, before, entries } = this.#memory;
    return {
      ...homeOf(this.connection),
      sent,
      before,
      ...(before === null && entries > 0 && { entered: true }),
      ...(name !== undefined && { name }),
    };
  }

  get known(): KnownValues {
    return new KnownValues(this.#values, this.credential);
  }

  /** Takes out of a text of the website whatever must not be readable in it (D45). */
  masking(): (text: string) => string {
    const answered = this.#answer?.kind === 'fields' ? Object.entries(this.#answer.values) : [];
    const secrets = [...this.known.secrets(), ...answered.filter(([id]) => !/^username/.test(id)).map(([, value]) => value)];
    return (text) => mask(text, secrets);
  }

  /** Is written with the next thing that is. */
  note(changes: Partial<FlowMemory>): void {
    this.#memory = { ...this.#memory, ...changes };
  }

  /** The answer has been used, or is void. */
  dropAnswer(): void {
    this.#answer = null;
  }

  /**
   * A value given in this flow: kept, sealed, to fill later pages and to be saved after success; of one-time codes, of values that
   * another one replaces and of those that the credential has only what masking needs: the website may quote them still. What was left empty
   * was not needed, now or later; what the credential has is its owner's, who may change or delete it.
   */
  keep(field: FieldFinding, value: string): void {
    if (value === '') return;
    const { save, masked, open } = this.#values;
    const isOpen = field.type === 'identifier' || field.accepts?.kind === 'option';
    const isStored = save[field.ref] === undefined && this.known.isStored(field, value);
    const former = isOpen ? undefined : save[field.ref];
    const isPassing = isOneTime(field) || (isStored && !isOpen);
    const past = isPassing ? value : former === value ? undefined : former;
    this.#values = {
      save: isOneTime(field) || isStored ? save : { ...save, [field.ref]: value },
      masked: past === undefined ? masked : united(masked, [past]).slice(-mostMasked),
      open: field.accepts?.kind === 'option' ? united(open, [field.ref]) : open,
    };
    const { requirements } = this.#memory;
    if (requirements.fields.some(({ type, ref }) => type === field.type && ref === field.ref)) return;
    const channel = field.type === 'code' ? { channel: channelOf(field) } : {};
    this.note({ requirements: { ...requirements, fields: [...requirements.fields, { type: field.type, ref: field.ref, ...channel }] } });
  }

  /** A choice made in this flow; later logins make it alone. */
  pick(choice: ChoiceFinding): void {
    const { requirements } = this.#memory;
    const others = requirements.picks.filter(({ type }) => type !== choice.type);
    this.note({ requirements: { ...requirements, picks: [...others, { type: choice.type, key: choiceKey(choice) }] } });
  }

  /** The login needs a person elsewhere. */
  waitsOutside(): void {
    this.note({ sent: united(this.#memory.sent, ['external']), requirements: { ...this.#memory.requirements, external: true } });
  }

  /**
   * Takes over what others have written into the row: an answer, or an end.
   * @returns true when the flow has ended
   * @throws {FlowLost} when it has another owner
   */
  async catchUp(): Promise<boolean> {
    const row = await readFlow(this.store, this.#flow.id);
    if (row === null || row.status !== 'IN_PROGRESS') return true;
    if (row.ownerEpoch !== this.#flow.ownerEpoch) throw new FlowLost(row.id);
    this.#flow = row;
    this.#answer = answerIn(this.store, row);
    return false;
  }

  /** The intent is in Postgres before anything reaches the website; with it the answer leaves the row (D41). */
  async intend({ page, verdict, fields, sends }: Intent): Promise<void> {
    const before = beforeSending(page, verdict, this.#memory.before);
    const signature = formSignature(verdict);
    const masking = this.masking();
    const { steps, sent, inDoubt } = this.#memory;
    this.note({
      told: null,
      steps: steps + 1,
      last: { signature, fields: fields.map(({ type, ref }) => ({ type, ref })) },
      sent: united(sent, sends),
      inDoubt: inDoubt.filter((doubted) => fields.every(({ ref }) => ref !== doubted)),
      before: {
        ...before,
        url: routeOf(before.url),
        alerts: before.alerts.map(masking),
        plain: before.plain.map(masking),
        asked: [...before.asked],
        boxes: before.boxes.map(masking),
        beneath: before.beneath.map(masking),
        places: before.places.map(masking),
        folded: before.folded.map(masking),
        offers: before.offers.map(masking),
        error: before.error === null ? null : masking(before.error),
      },
    });
    const written = { memory: this.#memory, intent: { signature, at: new Date().toISOString() }, ...this.#withoutAnswer() };
    this.#flow =
      this.#flow.step === 'SUBMITTING'
        ? await remember(this.store, this.#flow, written)
        : await advance(this.store, this.#flow, { kind: 'submit' }, written);
  }

  /** The answer leaves the row unsent; what was right of it stays. */
  async giveBack(): Promise<void> {
    this.#answer = null;
    this.#flow = await advance(this.store, this.#flow, { kind: 'discover' }, { memory: this.#memory, ...this.#withoutAnswer() });
  }

  #withoutAnswer(): { readonly sealedAnswer: null; readonly sealedValues: Uint8Array } {
    return { sealedAnswer: null, sealedValues: this.store.sealer.sealJson(valuesPurpose, this.#values) };
  }

  /** A new state; the intent has been judged by then. */
  async advance(event: FlowEvent): Promise<void> {
    const changed = this.#flow.intent !== null || JSON.stringify(this.#flow.memory) !== JSON.stringify(this.#memory);
    this.#flow = await advance(this.store, this.#flow, event, changed ? { memory: this.#memory, intent: null } : {});
  }

  /** No new state, but something that must not be forgotten. */
  async remember(): Promise<void> {
    this.#flow = await remember(this.store, this.#flow, { memory: this.#memory, intent: null });
  }
}

export const homeOf = ({ postLoginUrl }: Pick<FlowConnection, 'postLoginUrl'>): Pick<PageContext, 'home'> =>
  postLoginUrl === null ? {} : { home: postLoginUrl };

/** Asked for anew at every login: never kept. */
export const isOneTime = ({ type, accepts }: FieldFinding): boolean =>
  type === 'code' || type === 'totp_code' || accepts?.kind === 'characters';

const united = <T>(some: readonly T[], more: readonly T[]): T[] => [...new Set([...some, ...more])];

function channelOf({ hint, label }: FieldFinding): 'email' | 'sms' | 'unknown' {
  const text = `${hint ?? ''} ${label}`;
  if (/@|e-?mail/i.test(text)) return 'email';
  return /\d|sms|phone|text/i.test(text) ? 'sms' : 'unknown';
}
