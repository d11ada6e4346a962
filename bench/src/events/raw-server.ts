/**
 * The floor: the least that node:http and one Redis subscriber need to bring published states to streams. No credential, no store, no
 * order.
 */
import { createServer, type ServerResponse } from 'node:http';
import { connectionChannel } from '@berth/login-flow';
import { Redis } from 'ioredis';

const [port, redisUrl = ''] = process.argv.slice(2);
const streams = new Map<string, Set<ServerResponse>>();
const redis = new Redis(redisUrl);
redis.on('message', (channel, text) => {
  const { sequence, state } = JSON.parse(text) as { sequence: number; state: unknown };
  const frame = Buffer.from(`id: ${sequence}\ndata: ${JSON.stringify(state)}\n\n`);
  for (const response of streams.get(channel) ?? []) response.write(frame);
});

createServer((request, response) => {
  const id = /^\/auth\/connections\/(\w+)\/events$/.exec(request.url ?? '')?.[1];
  if (id === undefined) return void response.end('ok');
  const channel = connectionChannel(id);
  const followers = streams.get(channel) ?? new Set();
  if (followers.size === 0) void redis.subscribe(channel);
  streams.set(channel, followers.add(response));
  response.on('close', () => {
    followers.delete(response);
    if (followers.size > 0 || !streams.delete(channel)) return;
    void redis.unsubscribe(channel);
  });
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  response.write('retry: 3000\n\n');
}).listen(Number(port), '127.0.0.1');
