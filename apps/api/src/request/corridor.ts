import { Inject, Injectable } from '@nestjs/common';
import type { Endpoint } from '@berth/schema';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_CONFIG, type ApiConfig } from '../config.js';
import { ApiError, notFound } from '../errors/api-error.js';
import { bearerSecret } from './bearer.js';
import { contextOf, type Principal, type RequestContext } from './context.js';
import { Credentials } from './credentials.js';
import { parseRequest } from './parse.js';
import { PathLookups } from './path-lookups.js';
import { namedProject, projectHeader } from './project-header.js';
import { projectNotFound, Scopes } from './scopes.js';

function unauthorized(): ApiError {
  return new ApiError('unauthorized', 'A valid bearer credential is needed.');
}

/** Role refusals come before the path is looked up, so they tell nothing about what exists (D6, D7). */
function assertRole(endpoint: Endpoint, principal: Principal, wanted: string | undefined): void {
  if (principal.boundProjectId === null) return;
  const refused = {
    none: false,
    any: false,
    hosted: true,
    org_wide: true,
    own_key: wanted !== principal.id,
    // The project's own name is allowed too, so the path's lookup decides (D6).
    own_project: false,
  }[endpoint.access];
  if (refused) throw new ApiError('forbidden', 'This needs an org-wide credential.');
}

/**
 * The corridor every request walks, in Fastify's own hooks so that nothing of the body is read before the credential, the project and the path are known to be
 * good (D7): bearer → projects enabled → project header → role → path → query and body.
 */
@Injectable()
export class Corridor {
  readonly #headerNames: readonly string[];

  constructor(
    @Inject(API_CONFIG) config: ApiConfig,
    @Inject(Credentials) private readonly credentials: Credentials,
    @Inject(Scopes) private readonly scopes: Scopes,
    @Inject(PathLookups) private readonly lookups: PathLookups,
  ) {
    this.#headerNames = [projectHeader, ...config.projectHeaderAliases];
  }

  /** Installs the hooks. Must run before routes are registered; a route that no endpoint describes then stops the boot. */
  install(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method, config }) => {
      if (config?.endpoint === undefined) throw new Error(`${String(method)} ${url} declares no endpoint, hence no credential rule`);
    });
    fastify.addHook('onRequest', (request, reply) => this.enter(request, reply));
    fastify.addHook('preHandler', async (request) => {
      if (request.berth !== undefined) Object.assign(request.berth, parseRequest(request.berth.endpoint, request));
    });
  }

  private async enter(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.header('X-Request-Id', request.id);
    const { endpoint } = request.routeOptions.config;
    // Unknown routes have no endpoint and end as 404 in the not-found handler, credential or not (D7).
    if (endpoint === undefined) return;
    request.berth = { endpoint, query: {}, body: undefined };
    if (endpoint.access === 'none' || endpoint.access === 'hosted') return;

    const secret = bearerSecret(request.headers.authorization);
    const principal = secret === undefined ? undefined : await this.credentials.principalOf(secret);
    if (principal === undefined) throw unauthorized();
    request.berth.principal = principal;
    if (endpoint.projectManagement && !principal.organization.projectsEnabled) {
      throw new ApiError('projects_disabled', 'Projects are not enabled for this organization.');
    }
    request.berth.scope = await this.scopes.resolve(principal, namedProject(this.#headerNames, request.raw.rawHeaders, request.headers));
    await this.lookUpPath(request);
  }

  private async lookUpPath(request: FastifyRequest): Promise<void> {
    const context = contextOf(request) as RequestContext;
    const { id } = request.params as { id?: string };
    assertRole(context.endpoint, context.principal, id);
    if (context.endpoint.pathRecord === undefined || id === undefined) return;
    context.record = await this.lookups.get(context.endpoint.pathRecord)(id, context);
    if (context.record === undefined) throw context.endpoint.pathRecord === 'project' ? projectNotFound() : notFound();
  }
}
