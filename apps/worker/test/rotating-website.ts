import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A website that gives another cookie for a session at every visit and knows the former one no more, as those with one-time tokens do. */
export interface RotatingWebsite {
  readonly url: string;
  /** Whether it has been shown a cookie that it had replaced. */
  readonly hasSeenOld: () => boolean;
  readonly stop: () => void;
}

const login =
  '<h1>Sign in</h1><form method="post"><label>Username <input name="u"></label><label>Password <input type="password" name="p"></label><button>Sign in</button></form>';
const home = '<header><nav><a href="/orders">Orders</a></nav><a href="/logout">Sign out</a></header><h1>Your orders</h1><p>None yet.</p>';

export async function startRotatingWebsite(): Promise<RotatingWebsite> {
  let [current, sawOld] = ['', false];
  const given = new Set<string>();
  const server = createServer((request, response) => {
    const shown = /session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
    const isIn = request.method === 'POST' || (shown !== '' && shown === current);
    sawOld ||= !isIn && given.has(shown);
    if (isIn && request.url === '/') given.add((current = randomUUID()));
    request.resume();
    response
      .writeHead(200, { 'content-type': 'text/html', ...(isIn && { 'set-cookie': `session=${current}; Path=/; HttpOnly; Max-Age=86400` }) })
      .end(isIn ? home : login);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    hasSeenOld: () => sawOld,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
