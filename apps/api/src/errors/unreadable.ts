import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { newId } from '@berth/database';
import { type ErrorBody, type ErrorCode, errorTraits } from '@berth/schema';
import { noSuchRoute } from './api-error.js';

/** What Node's parser refuses before there is a request, by its codes; anything else is bytes that are no HTTP. */
const faults: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The request line and headers are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

function answer(
  message: string,
  code: ErrorCode = 'bad_request',
): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  const body = JSON.stringify({ code, message } satisfies ErrorBody);
  return {
    body,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Request-Id': newId(),
      Connection: 'close',
    },
  };
}

function write(socket: Duplex, status: number, { body, headers }: ReturnType<typeof answer>): void {
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Even what never becomes a request is answered with the Error body and an id (D8), and the connection ends. */
export function respondToUnreadable(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, message] = faults[error.code ?? ''] ?? [400, 'The request is not valid HTTP.'];
  write(socket, status, answer(message));
}

/** A `CONNECT`, which Node would end without a word: a method that no path has (D8). */
export function respondToConnect(_request: IncomingMessage, socket: Duplex): void {
  const { code, message } = noSuchRoute();
  write(socket, errorTraits(code).status, answer(message, code));
}

/** An `Expect` other than 100-continue, which Node would refuse without a body. */
export function respondToExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { body, headers } = answer('The expectation of the request cannot be met.');
  response.writeHead(417, headers).end(body);
}
