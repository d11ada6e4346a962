import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { newId } from '@berth/database';
import type { ErrorBody } from '@berth/schema';

/** What Node's parser refuses before there is a request, by its codes; anything else is bytes that are no HTTP. */
const faults: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The request line and headers are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

function answer(message: string): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  const body = JSON.stringify({ code: 'bad_request', message } satisfies ErrorBody);
  return {
    body, headers: { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(Buffer.byteLength(body)), 'X-Request-Id': newId(), Connection: 'close' },
  };
}

/** Even what never becomes a request is answered with the Error body and an id (D8), and the connection ends. */
export function respondToUnreadable(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, message] = faults[error.code ?? ''] ?? [400, 'The request is not valid HTTP.'];
  const { body, headers } = answer(message);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** An `Expect` other than 100-continue, which Node would refuse without a body. */
export function respondToExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { body, headers } = answer('The expectation of the request cannot be met.');
  response.writeHead(417, headers).end(body);
}
