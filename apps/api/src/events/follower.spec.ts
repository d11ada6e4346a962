import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Follower } from './follower.js';
import { heartbeatFrame, lastSequence, stateFrame } from './frames.js';
import { publishedState, type StateMessage } from './state-message.js';

const idle = heartbeatFrame(new Date(0));
const state = (sequence: number, { flowId = 'a', terminal = false, length = 10 } = {}): StateMessage => ({
  flowId,
  sequence,
  terminal,
  frame: stateFrame(sequence, `"${'x'.repeat(length)}"`),
});
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A real response and its reader, which takes nothing until it is resumed. */
async function connected(): Promise<{
  readonly response: ServerResponse;
  readonly incoming: Promise<IncomingMessage>;
  readonly read: () => Promise<string>;
}> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  return {
    response,
    incoming: answered.then(([incoming]) => incoming),
    read: async () => {
      const [incoming] = await answered;
      let text = '';
      for await (const chunk of incoming) text += String(chunk);
      return text;
    },
  };
}

const sequences = (text: string): number[] => [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));

describe('a follower', () => {
  it('D48: holds at most what the socket refuses and one state more, however slow its reader; the newest and the terminal state arrive', async () => {
    const { response, read } = await connected();
    const follower = new Follower('c', null, null);
    follower.open(response, {}, idle, () => undefined);
    const frameLength = 100_000;
    let most = 0;
    for (let sequence = 1; sequence <= 200; sequence += 1) {
      follower.take(state(sequence, { length: frameLength }));
      most = Math.max(most, response.socket?.writableLength ?? 0);
      await new Promise((resolve) => setImmediate(resolve));
    }
    follower.take(state(201, { terminal: true }));
    expect(most).toBeLessThan((response.socket?.writableHighWaterMark ?? 0) + 3 * frameLength);
    const got = sequences(await read());
    expect(got.at(-1)).toBe(201);
    expect(got.length).toBeLessThan(200);
    expect(got).toEqual([...got].sort((a, b) => a - b));
  });

  it('issue 6: sends no state twice and none that is older than what it sent', async () => {
    const { response, read } = await connected();
    const follower = new Follower('c', null, null);
    follower.take(state(3));
    follower.take(state(2));
    follower.open(response, {}, idle, () => undefined);
    expect([
      follower.take(state(3)),
      follower.take(state(1)),
      follower.take(state(5, { terminal: true })),
      follower.take(state(6)),
    ]).toEqual(['known', 'known', 'taken', 'known']);
    expect(sequences(await read())).toEqual([3, 5]);
  });

  it.each([
    ['goes on', () => undefined],
    ['has ended', (follower: Follower) => follower.end()],
  ])('D48: a reader that takes nothing over four heartbeats is cut off, while its stream %s', async (_name, then) => {
    const { response } = await connected();
    let closed = false;
    const follower = new Follower('c', null, null);
    follower.open(response, {}, idle, () => (closed = true));
    // Until neither the reader's system nor ours takes any more.
    for (let [sequence, behind] = [0, 0]; behind < 50; behind = response.socket?.writableNeedDrain === true ? behind + 1 : 0) {
      if (behind === 0) follower.take(state((sequence += 1), { length: 1_000_000 }));
      await new Promise((resolve) => setImmediate(resolve));
    }
    then(follower);
    for (let beats = 0; beats < 4; beats += 1) follower.beat(idle);
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed).toBe(false);
    follower.beat(idle);
    await once(response.socket ?? response, 'close');
    expect(closed).toBe(true);
  });

  it('D48: a reader that is behind at every heartbeat and reads on between them is not cut off', async () => {
    const { response, incoming } = await connected();
    const follower = new Follower('c', null, null);
    follower.open(response, {}, idle, () => undefined);
    const reader = await incoming;
    for (let sequence = 1; sequence <= 20; sequence += 1) {
      for (let more = 0; response.socket?.writableNeedDrain !== true; more += 1)
        follower.take(state(sequence * 1_000 + more, { length: 100_000 }));
      const untaken = response.socket.writableLength;
      follower.beat(idle);
      while (response.socket.writableLength === untaken) {
        reader.read();
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    expect(response.socket?.destroyed).toBe(false);
  });

  it('D49: follows the flow it began with, and tells when another one’s state is offered', async () => {
    const { response } = await connected();
    const follower = new Follower('c', null, null);
    follower.take(state(1));
    follower.open(response, {}, idle, () => undefined);
    expect(follower.take(state(9, { flowId: 'b' }))).toBe('other_flow');
    expect(follower.take(state(2, { terminal: true }))).toBe('taken');
  });
});

describe('a connection that has become a stream', () => {
  it.each([
    ['1.1', true],
    ['1.0', false],
  ])('D46: HTTP/%s reads the same text, in chunks: %s', async (version, chunked) => {
    const server = createServer((_request, response) => {
      const follower = new Follower('c', null, null);
      follower.take(state(1));
      follower.open(response, { 'X-Request-Id': 'r' }, idle, () => undefined);
      follower.take(state(2, { terminal: true }));
    }).listen(0, '127.0.0.1');
    closers.push(() => server.close());
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`GET / HTTP/${version}\r\nHost: test\r\n\r\n`);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
    expect(head).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(head.includes('Transfer-Encoding: chunked')).toBe(chunked);
    const plain = chunked ? body.replace(/(?:^|\r\n)[0-9a-f]+\r\n/g, '').replace(/\r\n$/, '') : body;
    expect(plain).toBe('retry: 3000\n\nid: 1\ndata: "xxxxxxxxxx"\n\nid: 2\ndata: "xxxxxxxxxx"\n\n');
  });
});

describe('frames', () => {
  it('D46: a published state’s text is taken over byte for byte; anything else on the channel is none', () => {
    const json = JSON.stringify({ event: 'managed_auth_state', flow_status: 'SUCCESS', website_error: 'a ","state":{ in a text' });
    const message = publishedState(`{"flowId":"a","sequence":7,"state":${json}}`);
    expect(message).toMatchObject({ flowId: 'a', sequence: 7, terminal: true });
    expect(message?.frame.bytes.toString()).toBe(`id: 7\ndata: ${json}\n\n`);
    for (const text of ['look', '{}', '{"flowId":"a"}', 'null']) expect(publishedState(text)).toBeUndefined();
  });

  it.each([
    ['12', 12],
    ['0', 0],
    ['1'.repeat(21), 1.1111111111111111e20],
    ['9'.repeat(400), Infinity],
    ['', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['x', undefined],
    [undefined, undefined],
  ])('D49: Last-Event-ID %j is %j', (header, expected) => {
    expect(lastSequence(header)).toBe(expected);
  });
});
