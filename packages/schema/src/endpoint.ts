import type { z } from 'zod';
import type { ErrorCode } from './errors.js';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * Which credential a route asks for. There is no default: an endpoint without one does not compile, and a route that no endpoint
 * describes does not boot.
 * - `none`: no credential (health, documents, the hosted page's own link)
 * - `any`: any valid bearer credential
 * - `org_wide`: an org-wide key or an OAuth token; a project-scoped key is 403 before the path is looked up (D6)
 * - `own_project`: org-wide, or a project-scoped key whose own project the path names (D6: it may rename it)
 * - `own_key`: org-wide, or the key that the path names (D10: reading oneself)
 * - `hosted`: the cookie of one login flow's hosted page (D58)
 */
export type Access = 'none' | 'any' | 'org_wide' | 'own_project' | 'own_key' | 'hosted';

/**
 * What `{id}` in a path names. It is looked up before query and body are read, so that 404 comes before 400 (D7). `invocation_browsers` is
 * an invocation by what is asked of it: one question finds it and them; so is `connection_standing` a connection with its newest flow, and
 * `followed_connection` one of which a stream needs nothing but that it is there.
 */
export type PathRecord =
  | 'project'
  | 'api_key'
  | 'browser'
  | 'browser_pool'
  | 'invocation'
  | 'invocation_browsers'
  | 'profile'
  | 'credential'
  | 'auth_connection'
  | 'connection_standing'
  | 'followed_connection';

export interface Endpoint {
  readonly operationId: string;
  readonly method: Method;
  /** With `{id}` for the path record. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly access: Access;
  /** `/org/projects*`: 404 `projects_disabled` where the organization has no projects enabled (D7). */
  readonly projectManagement?: true;
  readonly pathRecord?: PathRecord;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body may be absent altogether. */
  readonly bodyOptional?: true;
  /** Status → schema of the answer; null where there is no body. */
  readonly responses: Readonly<Record<number, z.ZodType | null>>;
  readonly errors: readonly ErrorCode[];
  /** Answers with `X-Has-More` and `X-Next-Offset` (D15). */
  readonly paged?: true;
  /** Accepts `Idempotency-Key` (D36). */
  readonly idempotent?: true;
  /** Answers with this media type instead of JSON. */
  readonly mediaType?: 'text/event-stream' | 'text/html' | 'text/plain' | '*/*';
}

export type BodyOf<E extends Endpoint> = E extends { body: infer B extends z.ZodType } ? z.output<B> : undefined;
export type QueryOf<E extends Endpoint> = E extends { query: infer Q extends z.ZodType } ? z.output<Q> : Record<string, never>;

/** Keeps the literal types of an endpoint, so that a handler's body and query types follow from it. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}
