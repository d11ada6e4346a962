import type { OrganizationScope, ProjectScope } from '@berth/database';
import type { Endpoint } from '@berth/schema';
import type { FastifyRequest } from 'fastify';

/** Who asks. Made by the corridor from a bearer credential and nothing else. */
export interface Principal {
  readonly kind: 'org_key' | 'project_key' | 'oauth';
  /** Id of the key, or the subject of the token. */
  readonly id: string;
  readonly name: string | null;
  /** Of the person behind a token, when it says so. */
  readonly email: string | null;
  readonly organization: {
    readonly id: string;
    readonly name: string;
    readonly projectsEnabled: boolean;
    readonly defaultProjectId: string;
  };
  /** Epoch ms from which a token is no longer good; null for keys, whose end can change and is looked up. */
  readonly endsAt: number | null;
  /** The project that the key is bound to. */
  readonly boundProjectId: string | null;
}

/** The project a request acts in, and the organization it belongs to. */
export interface ResolvedScope {
  readonly organization: OrganizationScope;
  readonly project: ProjectScope;
  readonly projectName: string;
}

/** What the corridor has established by the time a handler runs. */
export interface RequestContext {
  readonly endpoint: Endpoint;
  readonly principal: Principal;
  readonly scope: ResolvedScope;
  /** The row that `{id}` names, found by the feature's lookup. */
  record?: unknown;
  /** The id of what this request makes, when its idempotency claim has chosen one (D36). */
  newId?: string;
  query: unknown;
  body: unknown;
  /** Of an idempotent endpoint alone (D36). */
  idempotencyKey: string | undefined;
}

/** Routes without a bearer credential have no principal and no scope; a handler that asks for one there is a mistake in the code. */
export interface PartialContext extends Pick<RequestContext, 'endpoint' | 'query' | 'body' | 'idempotencyKey' | 'record' | 'newId'> {
  principal: Principal | undefined;
  scope: ResolvedScope | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    berth?: PartialContext;
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

export function contextOf(request: FastifyRequest): PartialContext {
  if (request.berth === undefined) throw new Error('the corridor did not run for this route');
  return request.berth;
}

export function authenticatedContext(request: FastifyRequest): RequestContext {
  const context = contextOf(request);
  if (context.principal === undefined || context.scope === undefined) throw new Error(`${context.endpoint.operationId} has no credential`);
  return context as RequestContext;
}
