import type { AuthConnectionRow, LoginFlowRow } from '@berth/database';

/** What a flow needs of the connection it belongs to. */
export type FlowConnection = Pick<
  AuthConnectionRow,
  'id' | 'domain' | 'loginUrl' | 'allowedDomains' | 'credentialId' | 'requirements' | 'postLoginUrl'
>;

/** Objects, so that a column of the schema cannot be forgotten here. */
const flow: Readonly<Record<keyof LoginFlowRow, true>> = {
  id: true,
  organizationId: true,
  projectId: true,
  connectionId: true,
  type: true,
  status: true,
  step: true,
  sequence: true,
  state: true,
  interactionId: true,
  memory: true,
  browserSessionId: true,
  ownerEpoch: true,
  ownerSeenAt: true,
  hostedTokenHash: true,
  sealedHostedToken: true,
  sealedAnswer: true,
  answeredInteractionId: true,
  sealedValues: true,
  intent: true,
  savedAt: true,
  postLoginUrl: true,
  pauseExpiresAt: true,
  expiresAt: true,
  createdAt: true,
  updatedAt: true,
  finishedAt: true,
};
const connection: Readonly<Record<keyof FlowConnection, true>> = {
  id: true,
  domain: true,
  loginUrl: true,
  allowedDomains: true,
  credentialId: true,
  requirements: true,
  postLoginUrl: true,
};

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const listed = (table: string, fields: object, prefix: string): string =>
  Object.keys(fields)
    .map((name) => `${table}.${snake(name)} AS "${prefix}${name}"`)
    .join(', ');

/** All of a flow, of the table or alias `f`. */
export const flowColumns = listed('f', flow, '');
/** What `FlowConnection` has, of the table or alias `c`, apart from a flow's columns by their prefix. */
export const connectionColumns = listed('c', connection, 'c.');

/** A flow as `pg` reads it: a number that may be large comes as text. */
export type ReadFlow = Omit<LoginFlowRow, 'sequence'> & { readonly sequence: string };
/** The same with its connection beside it. */
export type ReadFlowAndConnection = ReadFlow & { readonly [Name in keyof FlowConnection as `c.${Name}`]: FlowConnection[Name] };

export function flowOf(read: ReadFlow): LoginFlowRow {
  return Object.fromEntries(
    Object.keys(flow).map((name) => [name, name === 'sequence' ? BigInt(read.sequence) : read[name as keyof ReadFlow]]),
  ) as LoginFlowRow;
}

export function connectionOf(read: ReadFlowAndConnection): FlowConnection {
  return Object.fromEntries(Object.keys(connection).map((name) => [name, read[`c.${name as keyof FlowConnection}`]])) as FlowConnection;
}

/** For JSON that PostgreSQL is to keep: half of a pair, as of an emoji that was cut, is none of its characters. */
export const wellFormed = (_name: string, part: unknown): unknown => (typeof part === 'string' ? part.toWellFormed() : part);
export const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value, wellFormed));
