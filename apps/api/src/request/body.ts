import type { FastifyInstance } from 'fastify';
import { type ApiError, invalid, invalidBody } from '../errors/api-error.js';
import { type Head, headerValues } from './header-values.js';
import { structureFault } from './json-structure.js';

/** Refuses bytes that are no UTF-8 instead of replacing them: what is stored is what was sent. A byte order mark is no JSON either. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** JSON between systems is UTF-8 (RFC 8259, section 8.1): what says that it is in another encoding, or packed, would be misread. */
function refuseOtherEncodings(head: Head): void {
  const types = headerValues('content-type', head);
  if (types.length > 1) throw invalidBody('must have one media type, application/json');
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(types[0] ?? '') ?? [];
  if (!/^utf-?8$/i.test(charset)) throw invalidBody('must be in UTF-8; its media type names another character set');
  if (headerValues('content-encoding', head).some((coding) => coding.toLowerCase() !== 'identity'))
    throw invalidBody('must be sent without a Content-Encoding');
  // Node takes the chunks apart and leaves what is packed in them as it is.
  if (headerValues('transfer-encoding', head).some((coding) => coding.trim().toLowerCase() !== 'chunked'))
    throw invalidBody('must have no Transfer-Encoding but chunked');
}

function parse(bytes: Buffer): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (cause) {
    throw invalidBody('is not valid UTF-8', cause);
  }
  // Before it is parsed: what is too much for that is told by looking at its beginning.
  const fault = structureFault(text);
  if (fault !== undefined) throw invalid(fault);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidBody('is not valid JSON', cause);
  }
}

/**
 * JSON only. An absent body is undefined, so that endpoints with optional bodies take it; text that is not JSON is 400. `limit` in bytes.
 */
export function readJsonOnly(fastify: FastifyInstance, limit: number): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: limit }, ({ raw }, bytes, done) => {
    try {
      refuseOtherEncodings(raw);
      done(null, bytes.length === 0 ? undefined : parse(bytes as Buffer));
    } catch (error) {
      done(error as ApiError);
    }
  });
}
