import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { connectRedis } from '@berth/live-sessions';
import { startRedis } from '@berth/local-stack';
import type { Redis } from 'ioredis';
import { type BenchOptions, type BenchResult, median } from '../bench-result.js';
import { type Contender, measure, type Measured } from './measure.js';
import { ours } from './ours.js';

const ROUNDS = 5;
const PAIRS = 20_000;
const DEAD = 100_000;
/** More processes than callers, so that calls of one turn are never of one process: each is a command of its own. */
const MANY = 1_024;

/** Two counters without leases: what one would write first. It leaks a slot with every crash, and is the floor to measure against. */
const BARE_ACQUIRE = `
local o = tonumber(redis.call('GET', KEYS[1]) or '0')
local p = tonumber(redis.call('GET', KEYS[2]) or '0')
if p >= tonumber(ARGV[2]) then return {-1, p} end
if o >= tonumber(ARGV[1]) then return {0, o} end
return {1, redis.call('INCR', KEYS[1]), redis.call('INCR', KEYS[2])}`;
const BARE_RELEASE = "redis.call('DECR', KEYS[1]) redis.call('DECR', KEYS[2]) return 1";

async function bare(redis: Redis, live: number): Promise<Contender> {
  const id = randomUUID();
  const keys = [`bench:{${id}}:organization`, `bench:{${id}}:project`];
  await redis.mset(keys[0]!, live, keys[1]!, live);
  const [acquire, release] = (await Promise.all([redis.script('LOAD', BARE_ACQUIRE), redis.script('LOAD', BARE_RELEASE)])) as [
    string,
    string,
  ];
  return { acquire: () => redis.evalsha(acquire, 2, ...keys, 1_000_000, 1_000_000), release: () => redis.evalsha(release, 2, ...keys) };
}

async function afterExpiryStorm(redis: Redis): Promise<number> {
  const contender = await ours(redis, { live: DEAD, sessionsEnd: -1_000 });
  const started = performance.now();
  await contender.acquire('m1');
  return performance.now() - started;
}

/**
 * A1–A4: pairs/s against bare counters (goal ≥ 0.7, stretch 0.9), Redis CPU flat to 100 000 live (≤ 1.25), acquire after a storm < 5 ms.
 */
export async function run({ workDir }: BenchOptions): Promise<BenchResult> {
  const server = await startRedis({ dataDir: join(workDir, 'redis'), durable: false });
  const redis = connectRedis(server.url);
  try {
    await once(redis, 'ready');
    const contenders = {
      bare: await bare(redis, 1_000),
      together: await ours(redis, { live: 1_000 }),
      apart: await ours(redis, { live: 1_000, processes: MANY }),
      apart10: await ours(redis, { live: 10, processes: MANY }),
      apart100k: await ours(redis, { live: 100_000, processes: MANY }),
    };
    for (const contender of Object.values(contenders)) await measure(redis, contender, PAIRS / 2);
    const rounds: Record<keyof typeof contenders, Measured>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({
        bare: await measure(redis, contenders.bare, PAIRS),
        together: await measure(redis, contenders.together, PAIRS),
        apart: await measure(redis, contenders.apart, PAIRS),
        apart10: await measure(redis, contenders.apart10, PAIRS),
        apart100k: await measure(redis, contenders.apart100k, PAIRS),
      });
    }
    const storms = [];
    for (let round = 0; round < ROUNDS; round += 1) storms.push(await afterExpiryStorm(redis));
    return {
      bench: 'admission',
      ratios: {
        'pairs/s over bare counters': median(rounds.map((round) => round.together.pairsPerSecond / round.bare.pairsPerSecond)),
        'pairs/s over bare counters, no two calls from one process': median(
          rounds.map((round) => round.apart.pairsPerSecond / round.bare.pairsPerSecond),
        ),
        'Redis CPU at 100 000 live over 10 live': median(rounds.map((round) => round.apart100k.redisMicros / round.apart10.redisMicros)),
        'next acquire after 100 000 leases died, of 5 ms': median(storms) / 5,
      },
      raw: { rounds, stormMs: storms },
    };
  } finally {
    redis.disconnect();
    await server.stop();
  }
}
