import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Frame } from './frames.js';

const lastChunk = '0\r\n\r\n';
const streaming = new WeakSet<Socket>();

/** An event stream is written on it: nothing else may be. */
export function isStreaming(socket: Socket): boolean {
  return streaming.has(socket);
}

/**
 * A pipelined request has no connection to write on before the answers of those before it are out. Settled when it has one, or when the
 * client has left.
 */
export async function untilItsTurn(response: ServerResponse): Promise<void> {
  const client = response.req.socket;
  if (response.socket !== null || client.destroyed) return;
  await new Promise<void>((resolve) => {
    response.once('socket', () => resolve());
    client.once('close', () => resolve());
  });
}

/**
 * The connection of a response that is an event stream from now on: head and frames are written on the socket itself, the response object
 * is never written to. A frame so costs one write of bytes that all its readers share, where `ServerResponse.write` frames a chunk for each
 * reader in three writes; and a quiet stream holds neither the text of its head (0.7 KB, more than any other part of ours) nor Fastify's
 * request and reply (0.7 KB), which only their listeners keep. The connection ends with the stream. HTTP/1.0, which nginx speaks to its
 * upstreams unless told otherwise, knows no chunks: there the end of the connection is the end of the body.
 */
export class StreamConnection {
  /** How much was not taken yet at the last silent beat, and over how many beats that has been so. */
  #untaken = 0;
  #stalled = 0;

  private constructor(
    private readonly socket: Socket,
    private readonly chunked: boolean,
  ) {}

  /** Sends status, headers and the first frame. @returns undefined when the client has left. */
  static open(response: ServerResponse, headers: Readonly<Record<string, string>>, first: Frame): StreamConnection | undefined {
    const { socket, req } = response;
    if (socket === null || socket.destroyed) return undefined;
    response.removeAllListeners();
    streaming.add(socket);
    const chunked = req.httpVersionMinor > 0;
    const lines = Object.entries({
      ...headers,
      Date: new Date().toUTCString(),
      Connection: 'close',
      ...(chunked ? { 'Transfer-Encoding': 'chunked' } : {}),
    });
    const head = Buffer.from(`HTTP/1.1 200 OK\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`, 'latin1');
    socket.write(Buffer.concat([head, chunked ? first.chunk : first.bytes]));
    return new StreamConnection(socket, chunked);
  }

  /** The reader has not taken what it was sent. */
  get isBehind(): boolean {
    return this.socket.writableNeedDrain;
  }

  /** To be asked at every beat at which nothing is written: cuts off a reader that has taken nothing over `beats` of them. */
  cutWhenStalled(beats: number): void {
    const untaken = this.socket.writableLength;
    this.#stalled = untaken > 0 && untaken === this.#untaken ? this.#stalled + 1 : 0;
    this.#untaken = untaken;
    if (this.#stalled >= beats) this.socket.destroy();
  }

  write(frame: Frame): void {
    this.#stalled = 0;
    this.socket.write(this.chunked ? frame.chunk : frame.bytes);
  }

  onceDrained(caughtUp: () => void): void {
    this.socket.once('drain', caughtUp);
  }

  onceClosed(closed: () => void): void {
    this.socket.once('close', closed);
  }

  /** Closes the connection behind what was written. */
  end(): void {
    if (this.chunked && this.socket.writable) this.socket.write(lastChunk);
    this.socket.destroySoon();
  }
}
