import { once } from 'node:events';
import { join } from 'node:path';
import { connectRedis } from '@berth/live-sessions';
import { startPostgres, startRedis } from '@berth/local-stack';
import type { Redis } from 'ioredis';
import pg from 'pg';
import { Semaphore } from 'redis-semaphore';
import { type Contender, measure, type Measured } from '../admission/measure.js';
import { ours } from '../admission/ours.js';
import { type BenchOptions, type BenchResult, median } from '../bench-result.js';

const ROUNDS = 3;
const LIVE = 1_000;
const CAP = 1_000_000;
const LEASE_MS = 600_000;
/** So many processes that no two calls of a turn come from one. */
const MANY = 1_024;
/** What each does in a round: about a second's work. */
const PAIRS = { together: 20_000, apart: 20_000, semaphore: 5_000, rows: 1_000 } as const;
type Name = keyof typeof PAIRS;

/**
 * `redis-semaphore` holds one cap, so there are two of them: the project's is asked first, and given back when the organization is full.
 * Not atomic together.
 */
async function semaphores(redis: Redis): Promise<Contender> {
  const options = { lockTimeout: LEASE_MS, refreshInterval: 0, acquireAttemptsLimit: 1 };
  const held = new Map<string, readonly [Semaphore, Semaphore]>();
  const contender = {
    async acquire(member: string) {
      const [project, organization] = [new Semaphore(redis, 'project', CAP, options), new Semaphore(redis, 'organization', CAP, options)];
      if (!(await project.tryAcquire())) return false;
      if (await organization.tryAcquire()) {
        held.set(member, [project, organization]);
        return true;
      }
      await project.release();
      return false;
    },
    async release(member: string) {
      const both = held.get(member) ?? [];
      held.delete(member);
      await Promise.all(both.map((semaphore) => semaphore.release()));
    },
  };
  for (let n = 0; n < LIVE; n += 1) await contender.acquire(`live${n}`);
  return contender;
}

/**
 * Two guarded updates in one call of a function, which spares the round trips of a transaction; locks are always taken in the same order.
 * No lease.
 */
const ROWS = `
CREATE TABLE caps (scope text PRIMARY KEY, used int NOT NULL, cap int NOT NULL) WITH (fillfactor = 50);
INSERT INTO caps VALUES ('organization', ${LIVE}, ${CAP}), ('project', ${LIVE}, ${CAP});
CREATE FUNCTION take() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE caps SET used = used + 1 WHERE scope = 'organization' AND used < cap;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE caps SET used = used + 1 WHERE scope = 'project' AND used < cap;
  IF FOUND THEN RETURN true; END IF;
  UPDATE caps SET used = used - 1 WHERE scope = 'organization';
  RETURN false;
END $$;
CREATE FUNCTION give_back() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE caps SET used = used - 1 WHERE scope = 'organization';
  UPDATE caps SET used = used - 1 WHERE scope = 'project';
END $$;`;

async function rows(pool: pg.Pool): Promise<Contender> {
  await pool.query(ROWS);
  return {
    acquire: () => pool.query({ name: 'take', text: 'SELECT take()' }),
    release: () => pool.query({ name: 'give-back', text: 'SELECT give_back()' }),
  };
}

/**
 * A6: what else could hold both caps, measured beside ours. Quoted in docs/adr/0003; no gate. PostgreSQL does not wait for its disk here,
 * which favours it.
 */
export async function run({ workDir }: BenchOptions): Promise<BenchResult> {
  const server = await startRedis({ dataDir: join(workDir, 'redis'), durable: false });
  const postgres = await startPostgres({ dataDir: join(workDir, 'postgres'), durable: false, maxConnections: 20 });
  const redis = connectRedis(server.url);
  // Its last connections may still be closing when the server stops.
  const pool = new pg.Pool({ connectionString: postgres.url, max: 10 }).on('error', () => undefined);
  try {
    await once(redis, 'ready');
    const contenders: Record<Name, Contender> = {
      together: await ours(redis, { live: LIVE }),
      apart: await ours(redis, { live: LIVE, processes: MANY }),
      semaphore: await semaphores(redis),
      rows: await rows(pool),
    };
    const names = Object.keys(PAIRS) as Name[];
    for (const name of names) await measure(redis, contenders[name], PAIRS[name] / 2);
    const rounds: Record<Name, Measured>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const measured: Partial<Record<Name, Measured>> = {};
      for (const name of names) measured[name] = await measure(redis, contenders[name], PAIRS[name]);
      rounds.push(measured as Record<Name, Measured>);
    }
    const over = (name: Name, peer: Name): number => median(rounds.map((round) => round[name].pairsPerSecond / round[peer].pairsPerSecond));
    return {
      bench: 'admission-peers',
      ratios: {
        'pairs/s over redis-semaphore': over('together', 'semaphore'),
        'pairs/s over redis-semaphore, no two calls from one process': over('apart', 'semaphore'),
        'pairs/s over rows of PostgreSQL': over('together', 'rows'),
        'pairs/s over rows of PostgreSQL, no two calls from one process': over('apart', 'rows'),
      },
      raw: { medians: Object.fromEntries(names.map((name) => [name, middle(rounds.map((round) => round[name]))])), rounds },
    };
  } finally {
    await pool.end();
    redis.disconnect();
    await Promise.all([server.stop(), postgres.stop()]);
  }
}

function middle(measured: readonly Measured[]): Measured {
  const of = (figure: keyof Measured): number => median(measured.map((one) => one[figure]));
  return { pairsPerSecond: of('pairsPerSecond'), redisMicros: of('redisMicros'), nodeMicros: of('nodeMicros') };
}
