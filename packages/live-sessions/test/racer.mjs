/**
 * One process of a race: acquires and releases as fast as it can through the built package, and writes every reply it got.
 * Talks to its parent by IPC: sends 'ready', waits for 'go', races for `acquires` calls or until it hears 'enough', sends 'done'.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { connectRedis, LiveSessions } from '@berth/live-sessions';

const { url, name, organizationId, projects, organizationLimit, projectLimit, acquires, callers, leaseMs, file } = JSON.parse(
  process.argv[2],
);
const redis = connectRedis(url);
if (redis.status !== 'ready') await once(redis, 'ready');
// Loading 10^6 replies may take longer than a calm second; what is raced for here is exactness, not latency.
redis.options.commandTimeout = 60_000;
const live = new LiveSessions({ redis, rows: { rowsOf: async () => [] }, leaseMs });
await live.usage(`warm-up-${name}`);
await live.usage(organizationId);
const out = createWriteStream(file);

let started = 0;
let enough = false;
async function caller() {
  const held = [];
  while (started < acquires && !enough) {
    const number = (started += 1);
    const member = `${name}-${number}`;
    const projectId = projects[number % projects.length];
    const reply = await live.acquire({ organizationId, projectId, member, organizationLimit, projectLimit, leaseMs });
    out.write(`${JSON.stringify([member, reply])}\n`);
    if (reply.admitted) held.push({ projectId, member });
    if (held.length > 0 && (held.length > 8 || number % 3 !== 0)) {
      const { projectId: of, member: oldest } = held.shift();
      await live.release({ organizationId, projectId: of }, [oldest]);
    }
  }
  await Promise.all(held.map(({ projectId, member }) => live.release({ organizationId, projectId }, [member])));
}

process.send('ready');
await once(process, 'message');
process.once('message', () => (enough = true));
await Promise.all(Array.from({ length: callers }, caller));
await new Promise((resolve) => out.end(resolve));
process.send('done');
redis.disconnect();
process.disconnect();
