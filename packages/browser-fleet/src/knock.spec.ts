import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from '@jest/globals';
import { type DoorState, knock } from './knock.js';

const stops: (() => void)[] = [];
afterAll(() => stops.forEach((stop) => stop()));

async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const doors: readonly (readonly [what: string, state: DoorState, listener: RequestListener])[] = [
  ['answers', 'open', (_, response) => response.end('{}')],
  ['says that nothing is there', 'gone', (_, response) => response.writeHead(404).end()],
  ['is in trouble', 'silent', (_, response) => response.writeHead(500).end()],
  ['takes the connection and says nothing', 'silent', () => undefined],
  ['dies while it is asked', 'refused', (_, response) => response.socket?.destroy()],
];

it.each(doors)('issue 4: a door that %s is %s', async (_what, state, listener) => {
  expect(await knock(await served(listener), 200)).toBe(state);
});

it('issue 4: where nobody listens the door is refused; what has no address is silent', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  expect(await knock(`http://127.0.0.1:${port}`, 1_000)).toBe('refused');
  expect(await knock('http://nowhere.invalid', 1_000)).toBe('silent');
});
