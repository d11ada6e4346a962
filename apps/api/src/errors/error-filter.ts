import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { errorTraits } from '@berth/schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ClientLeft } from './api-error.js';
import { respondWithError, toApiError } from './respond.js';

/** The one filter: whatever is thrown, wherever, becomes an Error body here and nowhere else. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    const { log, id: requestId } = http.getRequest<FastifyRequest>();
    const error = toApiError(thrown);
    if (error instanceof ClientLeft) log.info({ requestId }, 'the client left before its answer');
    else if (errorTraits(error.code).status >= 500 && !error.alreadyLogged)
      log.error({ err: error.cause ?? error, errorCode: error.code, requestId }, 'request failed');
    if (reply.sent) return;
    respondWithError(reply, error);
  }
}
