import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { type ErrorBody, errorTraits } from '@berth/schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from './refusal.js';

const nothingHere = new Refusal('not_found', 'There is nothing at this address.');

function answerTo(error: unknown): { readonly status: number; readonly body: ErrorBody } {
  if (error instanceof Refusal) return error;
  const status = error instanceof HttpException ? error.getStatus() : 500;
  if (status === nothingHere.status) return nothingHere;
  if (status < 500)
    return { status: errorTraits('bad_request').status, body: { code: 'bad_request', message: 'The request cannot be read.' } };
  return { status: 500, body: { code: 'internal_error', message: 'Something went wrong inside the browser host.' } };
}

/** What goes wrong at the host's HTTP door is told as by the API: the Error body, and no text of a library (D8). */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, context: ArgumentsHost): void {
    const http = context.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    const { status, body } = answerTo(thrown);
    const request = http.getRequest<FastifyRequest>();
    if (status >= 500) request.log.error({ err: thrown, requestId: request.id }, 'request failed');
    if (!reply.sent) respond(reply, status, body);
  }
}

/** Found before there is a route: a path that is not validly percent-encoded. */
export function respondToBadUrl(_error: Error, request: { readonly id: string }, reply: unknown): void {
  respond((reply as FastifyReply).header('X-Request-Id', request.id), 400, {
    code: 'bad_request',
    message: 'The path is not validly percent-encoded.',
  });
}

function respond(reply: FastifyReply, status: number, body: ErrorBody): void {
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  void reply.status(status).type('application/json; charset=utf-8').send(body);
}
