import type { ErrorBody, ErrorEvent, HeartbeatEvent } from '@berth/schema';

/**
 * Headers of every event stream (D47). Nothing on the way may hold frames back: neither a cache, nor a compressor, nor a proxy's buffer.
 */
export const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'X-SSE-Content-Type': 'application/json',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/** Bytes that go to any number of readers, made once. */
export interface Frame {
  readonly bytes: Buffer;
  /** The same as one chunk of a chunked body. */
  readonly chunk: Buffer;
}

function frameOf(text: string): Frame {
  const size = `${Buffer.byteLength(text).toString(16)}\r\n`;
  const chunk = Buffer.from(`${size}${text}\r\n`);
  return { chunk, bytes: chunk.subarray(size.length, -2) };
}

/** The first block of a stream: how long a client waits before it connects again (D46). */
const retryBlock = Buffer.from('retry: 3000\n\n');

/** What a stream begins with: the retry block and its first frame, in one piece. */
export function firstFrame({ bytes }: Frame): Frame {
  return frameOf(Buffer.concat([retryBlock, bytes]).toString());
}

/** A stored state as it goes on the wire. `json` is one line, as `JSON.stringify` gives it. */
export function stateFrame(sequence: number, json: string): Frame {
  return frameOf(`id: ${sequence}\ndata: ${json}\n\n`);
}

/** Heartbeats and errors carry no id, so a client's Last-Event-ID stays that of its newest state (D46). */
function frameWithoutId(event: HeartbeatEvent | ErrorEvent): Frame {
  return frameOf(`data: ${JSON.stringify(event)}\n\n`);
}

export function heartbeatFrame(now: Date): Frame {
  return frameWithoutId({ event: 'sse_heartbeat', timestamp: now.toISOString() });
}

export function errorFrame(error: ErrorBody, now: Date): Frame {
  return frameWithoutId({ event: 'error', timestamp: now.toISOString(), error });
}

/** The sequence in a `Last-Event-ID` header, however large; a malformed one is ignored (D49). */
export function lastSequence(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d+$/.test(header) ? Number(header) : undefined;
}
