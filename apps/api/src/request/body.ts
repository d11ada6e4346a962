import type { FastifyInstance } from 'fastify';
import { ApiError, invalidBody } from '../errors/api-error.js';

/** Refuses bytes that are no UTF-8 instead of replacing them: what is stored is what was sent. A byte order mark is no JSON either. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parse(bytes: Buffer): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (cause) {
    throw invalidBody('is not valid UTF-8', cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidBody('is not valid JSON', cause);
  }
}

/** JSON only. An absent body is undefined, so that endpoints with optional bodies take it; text that is not JSON is 400. `limit` in bytes. */
export function readJsonOnly(fastify: FastifyInstance, limit: number): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: limit }, (_request, bytes, done) => {
    try {
      done(null, bytes.length === 0 ? undefined : parse(bytes as Buffer));
    } catch (error) {
      done(error as ApiError);
    }
  });
}
