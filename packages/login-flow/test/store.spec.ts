import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@berth/database';
import {
  advance,
  answerIn,
  cancelFlow,
  claimFlow,
  closeOverdue,
  finishSaved,
  FlowLost,
  handOver,
  type LoginJob,
  readCurrentFlow,
  readFlow,
  readHostedFlow,
  remember,
  renewOwnership,
  retireConnection,
  startFlow,
  storeAnswer,
  sweepFlows,
} from '../src/index.js';
import { type FlowWorld, flowWorld } from './fixture.js';
import { choice, field } from './samples.js';

let world: FlowWorld;
beforeAll(async () => {
  world = await flowWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.published.length = 0;
  world.ended.length = 0;
});

const request = (connectionId: string) => ({ connectionId, type: 'LOGIN' as const, sessionId: newId(), headless: true });

async function owned(flowId: string, epoch = 0) {
  const claimed = await claimFlow(world.store, { flowId, epoch });
  if (claimed === null) throw new Error('the flow was not free to claim');
  return claimed.flow;
}
const ask = {
  kind: 'ask' as const,
  offer: { fields: [field(), field({ id: 'password', ref: 'password', type: 'password' })], choices: [choice()] },
};
async function asking() {
  const { connectionId, flowId } = await world.start();
  const flow = await advance(world.store, await owned(flowId), ask);
  return { connectionId, flow };
}
const values = { username: 'jane', password: 'hunter2 hunter2' };
const makeOverdue = (flowId: string) =>
  world.pool.query(`UPDATE login_flows SET expires_at = now() - interval '1 second' WHERE id = $1`, [flowId]);

/** A process that is in the middle of a sweep for good. */
async function startSweeper({ databaseUrl }: FlowWorld): Promise<ChildProcess> {
  const [database, loginFlow] = ['../../database/dist/index.js', '../dist/index.js'].map((path) => new URL(path, import.meta.url).href);
  const program = `
    import { Database } from ${JSON.stringify(database)};
    import { sweepFlows } from ${JSON.stringify(loginFlow)};
    const store = { database: new Database({ url: ${JSON.stringify(databaseUrl)} }) };
    await sweepFlows(store, () => new Promise(() => process.stdout.write('sweeps')));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

/** Seconds on PostgreSQL's clock: since when somebody sweeps, and now; nothing when nobody does. */
async function heldSince({ pool }: FlowWorld): Promise<readonly number[]> {
  const { rows } = await pool.query<{ since: number; now: number }>(
    `SELECT extract(epoch FROM a.backend_start)::float8 AS since, extract(epoch FROM clock_timestamp())::float8 AS now
       FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE l.locktype = 'advisory' AND a.datname = current_database()`,
  );
  return rows.flatMap(({ since, now }) => [since, now]);
}

describe('texts of a website', () => {
  it('D58: half of an emoji that was cut is kept and told as what takes its place, and ends no flow', async () => {
    const { flowId } = await world.start();
    const cut = 'Wrong 😀'.slice(0, -1);
    const flow = await advance(world.store, await owned(flowId), { ...ask, websiteError: cut }, { memory: { told: cut } });
    const { rows } = await world.pool.query<{ told: string; state: string }>(
      `SELECT memory->>'told' AS told, state->>'websiteError' AS state FROM login_flows WHERE id = $1`,
      [flow.id],
    );
    expect(rows).toEqual([{ told: 'Wrong \ufffd', state: 'Wrong \ufffd' }]);
    expect(world.published.at(-1)?.state).toMatchObject({ website_error: 'Wrong \ufffd' });
  });
});

describe('startFlow', () => {
  it('D38: makes flow, browser row and first event together, and tells followers', async () => {
    const connectionId = await world.addConnection();
    const started = await startFlow(world.store, world.scope, request(connectionId));
    if (started.kind !== 'started') throw new Error(started.kind);
    const session = await world.prisma.browserSession.findUniqueOrThrow({ where: { id: started.flow.browserSessionId ?? '' } });
    expect(session).toMatchObject({ kind: 'login', status: 'starting' });
    expect(world.published.map(({ sequence, state }) => [sequence, state.flow_step, state.flow_type])).toEqual([
      [1n, 'DISCOVERING', 'LOGIN'],
    ]);
    expect(await world.prisma.loginFlowEvent.count({ where: { flowId: started.flow.id } })).toBe(1);
  });

  it('D38: of racing logins one starts, the others are flow_in_progress and leave no row', async () => {
    const connectionId = await world.addConnection();
    const all = await Promise.all(Array.from({ length: 8 }, () => startFlow(world.store, world.scope, request(connectionId))));
    expect(all.map(({ kind }) => kind).sort()).toEqual([...Array.from({ length: 7 }, () => 'flow_in_progress'), 'started']);
    expect(await world.prisma.loginFlow.count({ where: { connectionId } })).toBe(1);
  });

  it('D38: a flow past its deadline is closed EXPIRED and replaced, its followers told and its browser ended; the sequence goes on', async () => {
    const { connectionId, flowId } = await world.start();
    await makeOverdue(flowId);
    world.published.length = 0;
    expect((await startFlow(world.store, world.scope, request(connectionId))).kind).toBe('started');
    expect(world.published.map(({ sequence, state }) => [sequence, state.flow_status])).toEqual([
      [2n, 'EXPIRED'],
      [3n, 'IN_PROGRESS'],
    ]);
    expect(world.ended).toHaveLength(1);
  });

  it('D58: the hosted link finds the flow, stays the same, and only its hash is readable', async () => {
    const { flow } = await asking();
    const urls = world.published.filter(({ flowId }) => flowId === flow.id).map(({ state }) => state.hosted_url);
    expect(new Set(urls).size).toBe(1);
    const token = (urls[0] ?? '').replace('https://berth.test/hosted/', '');
    expect(token).toMatch(/^[\w-]{43}$/);
    expect((await readHostedFlow(world.store, token))?.id).toBe(flow.id);
    const { rows } = await world.pool.query<{ line: string }>('SELECT login_flows::text AS line FROM login_flows WHERE id = $1', [flow.id]);
    expect(rows[0]?.line).not.toContain(token);
  });

  it('is not_found for another project and for a deleted connection', async () => {
    const connectionId = await world.addConnection();
    await retireConnection(world.store, world.scope, connectionId);
    expect((await startFlow(world.store, world.scope, request(connectionId))).kind).toBe('not_found');
  });
});

describe('storeAnswer', () => {
  it('D41, D45: stores the answer sealed, moves to SUBMITTING, and the worker reads it', async () => {
    const { flow } = await asking();
    const stored = await storeAnswer(world.store, flow, { interaction_id: flow.interactionId ?? '', field_values: values });
    expect(stored.kind).toBe('stored');
    const row = await readFlow(world.store, flow.id);
    expect(row).toMatchObject({ step: 'SUBMITTING', pauseExpiresAt: null });
    expect(row && answerIn(world.store, row)).toEqual({ kind: 'fields', values });
    const { rows } = await world.pool.query<{ line: string }>('SELECT login_flows::text AS line FROM login_flows WHERE id = $1', [flow.id]);
    expect(rows[0]?.line).not.toContain('hunter2');
    expect(JSON.stringify(world.published, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))).not.toContain(
      'hunter2',
    );
  });

  it('D41: of racing submits for one pause exactly one is stored, the others are stale', async () => {
    const { flow } = await asking();
    const all = await Promise.all(
      Array.from({ length: 6 }, () => storeAnswer(world.store, flow, { interaction_id: flow.interactionId ?? '', field_values: values })),
    );
    expect(all.map((one) => (one.kind === 'stored' ? 'stored' : one.code)).sort()).toEqual([
      'stale_interaction',
      'stale_interaction',
      'stale_interaction',
      'stale_interaction',
      'stale_interaction',
      'stored',
    ]);
  });

  it('D41: a refused submit moves nothing', async () => {
    const { flow } = await asking();
    const refused = await storeAnswer(world.store, flow, { interaction_id: flow.interactionId ?? '', field_values: { username: 'jane' } });
    expect(refused).toMatchObject({ kind: 'refused', code: 'invalid_submission', allowed: ['username', 'password'] });
    expect((await readFlow(world.store, flow.id))?.sequence).toBe(flow.sequence);
  });

  it('D39, D41: past the deadline the flow is closed EXPIRED at the step reached and the submit finds no flow', async () => {
    const { flow } = await asking();
    await makeOverdue(flow.id);
    const refused = await storeAnswer(world.store, await readFlow(world.store, flow.id), {
      interaction_id: flow.interactionId ?? '',
      field_values: values,
    });
    expect(refused).toMatchObject({ kind: 'refused', code: 'no_active_flow' });
    expect(await readFlow(world.store, flow.id)).toMatchObject({ status: 'EXPIRED', step: 'AWAITING_INPUT' });
  });
});

describe('ownership', () => {
  it('D41: a job takes a flow over once; the former owner can write nothing any more', async () => {
    const { flowId } = await world.start();
    const job: LoginJob = { flowId, epoch: 0 };
    const claims = await Promise.all([claimFlow(world.store, job), claimFlow(world.store, job), claimFlow(world.store, job)]);
    expect(claims.filter((claimed) => claimed !== null)).toHaveLength(1);
    const stalled = claims.find((claimed) => claimed !== null)?.flow;
    if (stalled === undefined) throw new Error('nobody owns the flow');
    const successor = await owned(flowId, 1);
    await expect(advance(world.store, stalled, ask)).rejects.toThrow(FlowLost);
    await expect(remember(world.store, stalled, { memory: { steps: 1 } })).rejects.toThrow(FlowLost);
    expect((await advance(world.store, successor, ask)).step).toBe('AWAITING_INPUT');
  });

  it('an answer that comes in meanwhile is lost on no one: the owner must read the row again', async () => {
    const { flow } = await asking();
    await storeAnswer(world.store, flow, { interaction_id: flow.interactionId ?? '', field_values: values });
    await expect(advance(world.store, flow, { kind: 'discover' })).rejects.toThrow(FlowLost);
    expect((await readFlow(world.store, flow.id))?.step).toBe('SUBMITTING');
  });

  it('a pulse tells the newest sequence and a browser that is gone, and nothing of flows of others', async () => {
    const { flow } = await asking();
    const pulse = () =>
      renewOwnership(world.store, [
        { flowId: flow.id, epoch: 1 },
        { flowId: newId(), epoch: 1 },
      ]);
    expect(await pulse()).toEqual([{ flowId: flow.id, epoch: 1, sequence: flow.sequence, browserGone: false }]);
    await storeAnswer(world.store, flow, { interaction_id: flow.interactionId ?? '', field_values: values });
    await world.prisma.browserSession.update({ where: { id: flow.browserSessionId ?? '' }, data: { status: 'ending' } });
    expect(await pulse()).toEqual([{ flowId: flow.id, epoch: 1, sequence: flow.sequence + 1n, browserGone: true }]);
    await owned(flow.id, 1);
    expect(await pulse()).toEqual([]);
  });
});

describe('ends', () => {
  it('D40: deleting the connection ends its flow CANCELED, once', async () => {
    const { connectionId, flow } = await asking();
    expect(await retireConnection(world.store, world.scope, connectionId)).toBe(true);
    expect(await retireConnection(world.store, world.scope, connectionId)).toBe(false);
    expect(await readFlow(world.store, flow.id)).toMatchObject({ status: 'CANCELED', step: 'AWAITING_INPUT', interactionId: null });
    expect(await cancelFlow(world.store, world.scope, connectionId)).toBeNull();
    expect(world.published.at(-1)?.state.flow_status).toBe('CANCELED');
    expect(world.ended.map(({ sessionId }) => sessionId)).toEqual([flow.browserSessionId]);
  });

  it('D45: an end leaves no sealed answer or value in the row', async () => {
    const { connectionId, flow } = await asking();
    await storeAnswer(world.store, flow, { interaction_id: flow.interactionId ?? '', field_values: values });
    await cancelFlow(world.store, world.scope, connectionId);
    expect(await readFlow(world.store, flow.id)).toMatchObject({ sealedAnswer: null, sealedValues: null, intent: null });
  });

  it('D44: SUCCESS comes after the browser has ended, and makes the connection AUTHENTICATED', async () => {
    const { connectionId, flow } = await asking();
    await world.prisma.loginFlow.update({ where: { id: flow.id }, data: { savedAt: new Date(), postLoginUrl: 'https://site.test/home' } });
    const saved = await readFlow(world.store, flow.id);
    const done = saved && (await finishSaved(world.store, saved));
    expect(done).toMatchObject({ status: 'SUCCESS', step: 'COMPLETED' });
    expect(world.ended).toHaveLength(1);
    expect(world.published.at(-1)?.state).toMatchObject({ flow_status: 'SUCCESS', post_login_url: 'https://site.test/home' });
    expect(await world.prisma.authConnection.findUniqueOrThrow({ where: { id: connectionId } })).toMatchObject({
      status: 'AUTHENTICATED',
      postLoginUrl: 'https://site.test/home',
    });
    expect(saved && (await finishSaved(world.store, saved))).toBeNull();
  });

  it('D37, D44: a failed LOGIN leaves the connection as it was, a failed REAUTH makes it NEEDS_AUTH', async () => {
    for (const [type, expected] of [
      ['LOGIN', 'AUTHENTICATED'],
      ['REAUTH', 'NEEDS_AUTH'],
    ] as const) {
      const { connectionId, flowId } = await world.start(type);
      await world.prisma.authConnection.update({ where: { id: connectionId }, data: { status: 'AUTHENTICATED' } });
      await advance(world.store, await owned(flowId), { kind: 'fail', code: 'mfa_required', message: 'A code is needed.' });
      expect((await world.prisma.authConnection.findUniqueOrThrow({ where: { id: connectionId } })).status).toBe(expected);
    }
  });

  it('D39: closeOverdue closes what is overdue and nothing else', async () => {
    const { connectionId, flow } = await asking();
    expect(await closeOverdue(world.store, world.scope, connectionId)).toBeNull();
    await world.pool.query(`UPDATE login_flows SET pause_expires_at = now() - interval '1 second' WHERE id = $1`, [flow.id]);
    expect(await closeOverdue(world.store, world.scope, connectionId)).toMatchObject({ id: flow.id, status: 'EXPIRED' });
  });
});

describe('sweepFlows', () => {
  it('D39: closes, fails, finishes and requeues what nobody looks after, and leaves the rest alone', async () => {
    const other = await flowWorld();
    try {
      const flows = Object.fromEntries(
        await Promise.all(
          ['overdue', 'gone', 'saved', 'lost', 'deleted', 'fine'].map(async (name) => [name, await other.start()] as const),
        ),
      );
      const at = (name: string) => flows[name]?.flowId ?? '';
      const sql = (text: string, name: string) => other.pool.query(text, [at(name)]);
      await sql(`UPDATE login_flows SET expires_at = now() - interval '1 second' WHERE id = $1`, 'overdue');
      await sql(
        `UPDATE browser_sessions SET status = 'ended', deleted_at = now() WHERE id = (SELECT browser_session_id FROM login_flows WHERE id = $1)`,
        'gone',
      );
      await sql(
        `UPDATE login_flows SET saved_at = now(), post_login_url = 'https://site.test/', expires_at = now() - interval '1 second' WHERE id = $1`,
        'saved',
      );
      await sql(`UPDATE login_flows SET owner_epoch = 3, owner_seen_at = now() - interval '1 minute' WHERE id = $1`, 'lost');
      await sql(
        `UPDATE auth_connections SET deleted_at = now() WHERE id = (SELECT connection_id FROM login_flows WHERE id = $1)`,
        'deleted',
      );
      const queued: LoginJob[] = [];
      const report = await sweepFlows(other.store, async (job) => queued.push(job));
      expect(report).toMatchObject({ skipped: false, expired: 1, canceled: 1, failed: 1, finished: 1, requeued: 1 });
      const states = await Promise.all(Object.keys(flows).map(async (name) => [name, (await readFlow(other.store, at(name)))?.status]));
      expect(Object.fromEntries(states)).toEqual({
        overdue: 'EXPIRED',
        gone: 'FAILED',
        saved: 'SUCCESS',
        lost: 'IN_PROGRESS',
        deleted: 'CANCELED',
        fine: 'IN_PROGRESS',
      });
      expect(queued).toEqual([{ flowId: at('lost'), epoch: 3 }]);
    } finally {
      await other.close();
    }
  });

  it('ends login browsers that no flow uses, such as those of a process that died after the commit', async () => {
    const { flowId, connectionId } = await world.start();
    await cancelFlow({ ...world.store, endBrowser: async () => undefined }, world.scope, connectionId);
    world.ended.length = 0;
    await sweepFlows(world.store, async () => undefined);
    expect(world.ended.map(({ sessionId }) => sessionId)).toContain((await readFlow(world.store, flowId))?.browserSessionId);
  });

  it('D39: while one process sweeps, another looks at nothing; when it is done, the next may', async () => {
    const { flowId } = await world.start();
    await world.pool.query(`UPDATE login_flows SET owner_epoch = 1, owner_seen_at = now() - interval '1 minute' WHERE id = $1`, [flowId]);
    const reports: boolean[] = [];
    const second = async (): Promise<void> => {
      reports.push((await sweepFlows(world.store, async () => reports.push(false))).skipped);
    };
    // The first is in the middle of its work for as long as its enqueue lasts.
    const first = await sweepFlows(world.store, second);
    expect(first).toMatchObject({ skipped: false });
    expect(first.requeued).toBeGreaterThan(0);
    expect(new Set(reports)).toEqual(new Set([true]));
    expect(await sweepFlows(world.store, async () => undefined)).toMatchObject({ skipped: false });
  });

  it('D39: a process that is suspended while it sweeps keeps nobody from it', async () => {
    const { flowId } = await world.start();
    await world.pool.query(`UPDATE login_flows SET owner_epoch = 1, owner_seen_at = now() - interval '1 minute' WHERE id = $1`, [flowId]);
    const sweeper = await startSweeper(world);
    try {
      expect(await sweepFlows(world.store, async () => undefined)).toMatchObject({ skipped: true });
      process.kill(sweeper.pid as number, 'SIGSTOP');
      while ((await sweepFlows(world.store, async () => undefined)).skipped) await pause(100);
    } finally {
      sweeper.kill('SIGKILL');
    }
  }, 30_000);

  it('D39: one that is only slow keeps the sweep to itself', async () => {
    const { flowId } = await world.start();
    await world.pool.query(`UPDATE login_flows SET owner_epoch = 1, owner_seen_at = now() - interval '1 minute' WHERE id = $1`, [flowId]);
    const sweeper = await startSweeper(world);
    const [since] = await heldSince(world);
    try {
      // For longer than a suspended one would.
      for (let now = since; now !== undefined && now < (since as number) + 7; [, now] = await heldSince(world)) {
        expect(await sweepFlows(world.store, async () => undefined)).toMatchObject({ skipped: true });
        await pause(100);
      }
      expect(await heldSince(world)).toHaveLength(2);
    } finally {
      sweeper.kill('SIGKILL');
    }
  }, 30_000);
});

describe('handOver', () => {
  it('D55: gives the job for the next owner, and lets it claim at once', async () => {
    const { connectionId, flow } = await asking();
    const job = await handOver(world.store, { flowId: flow.id, epoch: 1 });
    expect(job).toEqual({ flowId: flow.id, epoch: 1 });
    expect(job && (await claimFlow(world.store, job))?.flow.ownerEpoch).toBe(2);
    expect((await readCurrentFlow(world.store, world.scope, connectionId))?.id).toBe(flow.id);
  });
});
