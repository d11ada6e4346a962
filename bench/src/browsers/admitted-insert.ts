import { once } from 'node:events';
import autocannon from 'autocannon';
import { newId } from '@berth/database';
import { connectRedis, LiveSessions } from '@berth/live-sessions';
import Fastify, { type FastifyInstance } from 'fastify';
import pg from 'pg';
import { median } from '../bench-result.js';
import type { Servers } from './servers.js';

const rounds = 5;
const secondsPerRound = 3;
const connections = 32;
const leaseMs = 600_000;

const insert = {
  name: 'bench-insert',
  text: `INSERT INTO browser_sessions (id, organization_id, project_id, kind, headless, timeout_seconds) VALUES ($1, $2, $3, 'on_demand', true, 60)`,
};

const caps = {
  name: 'bench-caps',
  text: `SELECT o.max_concurrent_sessions AS "organizationLimit", p.max_concurrent_sessions AS "projectLimit"
           FROM organizations o JOIN projects p ON p.organization_id = o.id WHERE o.id = $1 AND p.id = $2`,
};

export interface AdmittedInsert {
  readonly bare: readonly number[];
  readonly admitted: readonly number[];
  /** Requests a second, admitted over bare, median of the rounds. */
  readonly ratio: number;
}

async function requestsPerSecond(url: string): Promise<number> {
  const result = await autocannon({ url, method: 'POST', connections, duration: secondsPerRound });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
  return result.requests.total / result.duration;
}

/**
 * Everything a create does before a host has it (caps, slot, row, slot confirmed), beside the row alone. Both through bare Fastify on the
 * same pool, so that what differs is admission.
 */
export async function measureAdmittedInsert({ databaseUrl, redisUrl, tenant }: Servers): Promise<AdmittedInsert> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const redis = connectRedis(redisUrl);
  if (redis.status !== 'ready') await once(redis, 'ready');
  const live = new LiveSessions({ redis, rows: { rowsOf: () => Promise.resolve([]) }, leaseMs });
  const { organizationId, defaultProjectId: projectId } = tenant;
  const row = (id: string): Promise<unknown> => pool.query({ ...insert, values: [id, organizationId, projectId] });

  const app: FastifyInstance = Fastify();
  app.post('/bare', async () => {
    const id = newId();
    await row(id);
    return { id };
  });
  app.post('/admitted', async () => {
    const id = newId();
    const { rows } = await pool.query<{ organizationLimit: number; projectLimit: number | null }>({
      ...caps,
      values: [organizationId, projectId],
    });
    const request = {
      organizationId,
      projectId,
      member: id,
      leaseMs,
      organizationLimit: rows[0]?.organizationLimit ?? 0,
      projectLimit: rows[0]?.projectLimit ?? null,
    };
    if (!(await live.acquire(request)).admitted) throw new Error('the cap stopped a benchmark');
    await row(id);
    await live.acquire(request);
    return { id };
  });
  try {
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const bare: number[] = [];
    const admitted: number[] = [];
    await requestsPerSecond(`${url}/admitted`);
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await requestsPerSecond(`${url}/bare`));
      admitted.push(await requestsPerSecond(`${url}/admitted`));
      // Rows and members of one round would be the next one's burden.
      await pool.query('TRUNCATE browser_sessions');
      await redis.flushdb();
    }
    return { bare, admitted, ratio: median(admitted.map((value, index) => value / (bare[index] ?? NaN))) };
  } finally {
    await app.close();
    redis.disconnect();
    await pool.end();
  }
}
