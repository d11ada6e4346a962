import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  RequestMapping,
  RequestMethod,
  UseInterceptors,
} from '@nestjs/common';
import { newId } from '@berth/database';
import type { Endpoint, Method } from '@berth/schema';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { IdempotencyInterceptor } from '../idempotency/idempotency.interceptor.js';
import { authenticatedContext, contextOf } from './context.js';

const requestMethod: Record<Method, RequestMethod> = {
  GET: RequestMethod.GET,
  POST: RequestMethod.POST,
  PATCH: RequestMethod.PATCH,
  DELETE: RequestMethod.DELETE,
};

/**
 * Declares that a handler serves an endpoint of the contract. Path, method, credential rule, parsing, success status and idempotency all
 * follow from it.
 */
export function Serves(endpoint: Endpoint): MethodDecorator {
  const success =
    Object.keys(endpoint.responses)
      .map(Number)
      .find((status) => status < 300) ?? 200;
  return applyDecorators(
    RequestMapping({ method: requestMethod[endpoint.method], path: endpoint.path.replace(/\{(\w+)\}/g, ':$1') }),
    RouteConfig({ endpoint }),
    HttpCode(success),
    ...(endpoint.idempotent ? [UseInterceptors(IdempotencyInterceptor)] : []),
  );
}

const fromContext = (read: (request: FastifyRequest) => unknown) =>
  createParamDecorator((_: unknown, execution: ExecutionContext) => read(execution.switchToHttp().getRequest<FastifyRequest>()));

/** Who asks. */
export const Caller = fromContext((request) => authenticatedContext(request).principal);
/** The organization and project the request acts in. */
export const InScope = fromContext((request) => authenticatedContext(request).scope);
/** The row that `{id}` names. */
export const PathRow = fromContext((request) => contextOf(request).record);
/**
 * The id of what the handler makes: its idempotency claim's, so that a process that takes the claim over finds it (`MadeBefore`), or a new
 * one.
 */
export const NewId = fromContext((request) => contextOf(request).newId ?? newId());
/** The parsed body. */
export const ParsedBody = fromContext((request) => contextOf(request).body);
/** The parsed query. */
export const ParsedQuery = fromContext((request) => contextOf(request).query);
