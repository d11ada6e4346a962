import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { type Endpoint, endpoints, foldName } from '@berth/schema';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_CONFIG, type ApiConfig } from '../config.js';
import { ApiError, invalid, invalidHeader, noSuchRoute, notFound, projectNotFound } from '../errors/api-error.js';
import { type Soon, then } from './at-once.js';
import { bearerSecret } from './bearer.js';
import { contextOf, type PartialContext, type Principal, type RequestContext } from './context.js';
import { Credentials } from './credentials.js';
import { headerValues } from './header-values.js';
import { HostedDoor } from './hosted-door.js';
import { parseRequest } from './parse.js';
import { PathLookups } from './path-lookups.js';
import { namedProject, projectHeader } from './project-header.js';
import { responseSchemas } from './response-schemas.js';
import { Scopes } from './scopes.js';

function unauthorized(): ApiError {
  return new ApiError('unauthorized', 'A valid credential is needed: send the header Authorization: Bearer <API key or OAuth token>.');
}

/** To a person at a hosted page, who has no header to send. */
function visitorNeeded(): ApiError {
  return new ApiError('unauthorized', 'This page may not, or no longer, follow the login: open the link of the login again.');
}

/** One host, or none where HTTP/1.0 has none (RFC 9112, section 3.2). */
function assertHost(request: IncomingMessage): void {
  const hosts = headerValues('host', request).length;
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) throw invalidHeader('Host', 'must be sent once');
}

/** Routers cut it off, so that what was named would be another thing (RFC 9112, section 3.2, has none). */
function assertTarget({ url = '' }: IncomingMessage): void {
  if (url.includes('#')) throw invalid({ field: 'path', message: 'must have no fragment: write # as %23' });
}

/** Role refusals come before the path is looked up, so they tell nothing about what exists (D6, D7). */
function assertRole({ endpoint, principal, scope }: RequestContext, wanted: string | undefined): void {
  const own = principal.boundProjectId;
  if (own === null) return;
  const refused = {
    none: false,
    any: false,
    hosted: true,
    org_wide: true,
    own_key: wanted !== principal.id,
    own_project: wanted !== own && foldName(wanted ?? '') !== foldName(scope.projectName),
  }[endpoint.access];
  if (refused) throw orgWideNeeded();
}

/** A bound key may rename its project and nothing else: any `status`, good or bad, is refused before the body is judged (D6, D7). */
function assertBodyRole({ endpoint, principal }: PartialContext, body: unknown): void {
  if (endpoint.access !== 'own_project' || principal?.boundProjectId == null) return;
  if (typeof body === 'object' && body !== null && 'status' in body) throw orgWideNeeded();
}

function orgWideNeeded(): ApiError {
  return new ApiError('forbidden', 'This needs an org-wide credential; the key of this request is bound to one project.');
}

/**
 * The corridor every request walks, in Fastify's own hooks so that nothing of the body is read before the credential, the project and the
 * path are known to be good (D7): bearer → projects enabled → project header → role → path → query and body.
 */
@Injectable()
export class Corridor {
  readonly #headerNames: readonly string[];

  constructor(
    @Inject(API_CONFIG) config: ApiConfig,
    @Inject(Credentials) private readonly credentials: Credentials,
    @Inject(Scopes) private readonly scopes: Scopes,
    @Inject(PathLookups) private readonly lookups: PathLookups,
    @Inject(HostedDoor) private readonly hostedDoor: HostedDoor,
  ) {
    this.#headerNames = [projectHeader, ...config.projectHeaderAliases];
  }

  /** Installs the hooks. Must run before routes are registered; a route that no endpoint describes then stops the boot. */
  install(fastify: FastifyInstance): void {
    const served = new Set<string>();
    fastify.addHook('onRoute', (route) => {
      const endpoint = route.config?.endpoint;
      if (endpoint === undefined) throw new Error(`${String(route.method)} ${route.url} declares no endpoint, hence no credential rule`);
      if (served.has(endpoint.operationId)) throw new Error(`two handlers serve ${endpoint.operationId}`);
      served.add(endpoint.operationId);
      route.schema = { response: responseSchemas(endpoint) };
    });
    fastify.addHook('onReady', async () => this.assertComplete(served));
    fastify.addHook('onRequest', (request, reply, done) => {
      const entered = this.enter(request, reply);
      if (entered instanceof Promise) entered.then(() => done(), done);
      else done();
    });
    fastify.addHook('preHandler', (request, _reply, done) => {
      const context = request.berth;
      if (context !== undefined) {
        assertBodyRole(context, request.body);
        Object.assign(context, parseRequest(context.endpoint, request));
      }
      done();
    });
  }

  /** A path record without a lookup, or an endpoint of the contract without a handler, stops the boot. */
  private assertComplete(served: ReadonlySet<string>): void {
    const all: readonly Endpoint[] = Object.values(endpoints);
    const missing = all.filter(({ operationId }) => !served.has(operationId)).map(({ operationId }) => `no handler serves ${operationId}`);
    const unfound = all.flatMap(({ operationId, pathRecord }) =>
      pathRecord !== undefined && served.has(operationId) && !this.lookups.has(pathRecord)
        ? [`${operationId}: no feature looks up ${pathRecord}`]
        : [],
    );
    const faults = [...missing, ...unfound];
    if (faults.length > 0) throw new Error(`The API does not serve its contract:\n${faults.join('\n')}`);
  }

  private enter(request: FastifyRequest, reply: FastifyReply): Soon<void> {
    reply.header('X-Request-Id', request.id);
    const { endpoint } = request.routeOptions.config;
    // Before a credential is asked for and before a body is read (D7).
    if (endpoint === undefined) throw noSuchRoute();
    assertHost(request.raw);
    assertTarget(request.raw);
    const context: PartialContext = {
      endpoint,
      query: {},
      body: undefined,
      idempotencyKey: undefined,
      principal: undefined,
      scope: undefined,
      record: undefined,
    };
    request.berth = context;
    if (endpoint.access === 'none') return;
    if (endpoint.access === 'hosted') return this.enterHosted(request, context);
    const [authorization, ...more] = headerValues('authorization', request.raw);
    const secret = more.length > 0 ? undefined : bearerSecret(authorization);
    if (secret === undefined) throw unauthorized();
    return then(this.credentials.principalOf(secret), (principal) => this.enterAs(principal, context, request));
  }

  private enterAs(principal: Principal | undefined, context: PartialContext, request: FastifyRequest): Soon<void> {
    if (principal === undefined) throw unauthorized();
    context.principal = principal;
    if (context.endpoint.projectManagement && !principal.organization.projectsEnabled) {
      throw new ApiError('projects_disabled', 'Projects are not enabled for this organization; whoever runs the service can enable them.');
    }
    return then(this.scopes.resolve(principal, namedProject(this.#headerNames, request.raw)), (scope) => {
      context.scope = scope;
      return this.lookUpPath(request);
    });
  }

  /** The hosted page's cookie is a credential of its own: good for one flow and nothing else (D58). */
  private async enterHosted({ headers, params }: FastifyRequest, context: PartialContext): Promise<void> {
    context.record = await this.hostedDoor.flowOf((params as { id: string }).id, headers.cookie);
    if (context.record === undefined) throw visitorNeeded();
  }

  private lookUpPath(request: FastifyRequest): Soon<void> {
    const context = contextOf(request) as RequestContext;
    const { id } = request.params as { id?: string };
    assertRole(context, id);
    const { pathRecord } = context.endpoint;
    if (pathRecord === undefined || id === undefined) return;
    // PostgreSQL has no text with a null character, so nothing is named so.
    const found = id.includes('\0') ? undefined : this.lookups.get(pathRecord)(id, context);
    return then(found, (record) => {
      if (record === undefined) throw pathRecord === 'project' ? projectNotFound() : notFound();
      context.record = record;
    });
  }
}
