import type { Duplex } from 'node:stream';
import { type ErrorBody, type ErrorCode, errorTraits } from '@berth/schema';

/** Why a door stays shut. What was wrong with the token is not told. */
export class Refusal extends Error {
  constructor(
    readonly code: Extract<ErrorCode, 'unauthorized' | 'not_found' | 'service_unavailable'>,
    message: string,
  ) {
    super(message);
  }

  get status(): number {
    return errorTraits(this.code).status;
  }

  get body(): ErrorBody {
    return { code: this.code, message: this.message };
  }
}

/** Answers an upgrade request that is refused, and closes. */
export function refuseUpgrade(socket: Duplex, { status, body }: Refusal, requestId: string): void {
  const text = JSON.stringify(body);
  const reasons: Record<number, string> = { 401: 'Unauthorized', 404: 'Not Found' };
  const head = [
    `HTTP/1.1 ${status} ${reasons[status] ?? 'Refused'}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    '',
  ];
  socket.end(head.join('\r\n') + text);
}
