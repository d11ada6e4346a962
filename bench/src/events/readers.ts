/** A process that holds many event streams on plain sockets and tells when published events arrive. */
import { connect, type Socket } from 'node:net';
import type { ReaderQuestion, Received } from './measured-process.js';

const atOnce = 200;
const sockets = new Set<Socket>();
let latencies: number[] = [];
let lastAt = 0;
let wanted: number | undefined;

const now = (): number => performance.timeOrigin + performance.now();

function answerWhenAll(): void {
  if (wanted === undefined || latencies.length < wanted) return;
  process.send?.({ latencies, lastAt } satisfies Received);
  [latencies, wanted] = [[], undefined];
}

/** Publishers put the instant of publishing where a state has its interaction id. */
function read(text: string): void {
  for (const [, at] of text.matchAll(/"interaction_id":"([\d.]+)"/g)) {
    lastAt = now();
    latencies.push(lastAt - Number(at));
  }
  answerWhenAll();
}

function open(url: URL, key: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname);
    sockets.add(socket);
    let rest = '';
    socket.once('data', () => resolve());
    socket.on('data', (chunk) => {
      const text = rest + chunk.toString('latin1');
      const end = text.lastIndexOf('\n\n') + 2;
      rest = end < 2 ? text : text.slice(end);
      if (end >= 2) read(text.slice(0, end));
    });
    socket.once('error', reject);
    socket.once('close', () => sockets.delete(socket));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\nAccept: text/event-stream\r\n\r\n`);
  });
}

async function openAll({ url, key, paths }: Extract<ReaderQuestion, { kind: 'open' }>): Promise<void> {
  const target = new URL(url);
  const left = [...paths];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let path = left.pop(); path !== undefined; path = left.pop()) await open(target, key, path);
    }),
  );
  process.send?.('opened');
}

process.on('message', (question: ReaderQuestion) => {
  if (question.kind === 'open') return void openAll(question);
  if (question.kind === 'close') {
    for (const socket of sockets) socket.destroy();
    return void process.send?.('closed');
  }
  wanted = question.events;
  answerWhenAll();
});
