import { expect } from '@jest/globals';
import { Database } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import type { BrowserSession, ErrorBody } from '@berth/schema';
import {
  browserProcesses,
  createTenant,
  type DatabaseProxy,
  everySlotSettles,
  freshStores,
  type FreshStores,
  slotsSettleAt,
  startDatabaseProxy,
  type Tenant,
  type TenantChoices,
} from '@berth/testkit';
import { type RedisProcess, startRedisProcess } from '../../../packages/live-sessions/test/redis-process.js';
import {
  type AppProcess,
  type HostProcess,
  launchSettlesWithinMs,
  settleWithinMs,
  startApiProcess,
  startHostProcess,
  until,
} from './processes.js';

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/**
 * Real processes to be killed and real stores to be stopped: an API that survives (behind a proxy to PostgreSQL), others that pass, one
 * host, a Redis of its own.
 */
export class FaultWorld {
  readonly #passing: AppProcess[] = [];

  private constructor(
    readonly fresh: FreshStores,
    readonly redis: RedisProcess,
    readonly proxy: DatabaseProxy,
    readonly database: Database,
    readonly survivor: AppProcess,
    public host: HostProcess,
  ) {}

  static async start(): Promise<FaultWorld> {
    const [fresh, redis] = await Promise.all([freshStores(), startRedisProcess()]);
    const proxy = await startDatabaseProxy(fresh.databaseUrl);
    const stores = { databaseUrl: proxy.url, redisUrl: redis.url };
    const [survivor, host] = await Promise.all([startApiProcess(stores, { BERTH_LAUNCH_TIMEOUT_SECONDS: '8' }), startHostProcess(stores)]);
    return new FaultWorld(fresh, redis, proxy, new Database({ url: fresh.databaseUrl }), survivor, host);
  }

  /** Ends by the invariant of admission, over every tenant that was in this world. */
  async stop(): Promise<void> {
    await this.endPassing();
    await this.host.kill('SIGTERM');
    try {
      await everySlotSettles(this.database, this.redis.url, launchSettlesWithinMs);
    } finally {
      await this.survivor.kill('SIGTERM');
      await this.database.close();
      await this.proxy.close();
      await this.redis.stop();
      await this.fresh.drop();
    }
  }

  get pool() {
    return unscoped(this.database).pool;
  }

  tenant(choices?: TenantChoices): Promise<Tenant> {
    return createTenant(this.database, choices);
  }

  /** A further API process, which does not go through the proxy. */
  async startPassing(env: Record<string, string> = {}): Promise<AppProcess> {
    const api = await startApiProcess({ databaseUrl: this.fresh.databaseUrl, redisUrl: this.redis.url }, env);
    this.#passing.push(api);
    return api;
  }

  /** A further host. */
  async startPassingHost(env: Record<string, string> = {}): Promise<HostProcess> {
    const host = await startHostProcess({ databaseUrl: this.proxy.url, redisUrl: this.redis.url }, env);
    this.#passing.push(host);
    return host;
  }

  /** After each test. */
  async endPassing(): Promise<void> {
    await Promise.all(this.#passing.splice(0).map((app) => app.kill()));
  }

  async startHost(env: Record<string, string> = {}): Promise<void> {
    this.host = await startHostProcess({ databaseUrl: this.proxy.url, redisUrl: this.redis.url }, env);
  }

  async call<T = ErrorBody>(
    api: AppProcess,
    tenant: Tenant,
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const answer = await fetch(`${api.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${tenant.key}`, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
  }

  create(api: AppProcess, tenant: Tenant): Promise<Answer<BrowserSession>> {
    return this.call<BrowserSession>(api, tenant, 'POST', '/browsers');
  }

  /** A browser that runs; after an outage creates may be refused for a moment more. */
  async running(tenant: Tenant): Promise<BrowserSession> {
    let answer: Answer<BrowserSession> | undefined;
    await until(async () => (answer = await this.create(this.survivor, tenant).catch(() => undefined))?.status === 200);
    return (answer as Answer<BrowserSession>).body;
  }

  async listed(tenant: Tenant): Promise<BrowserSession[]> {
    return (await this.call<BrowserSession[]>(this.survivor, tenant, 'GET', '/browsers?limit=100')).body;
  }

  async endAll(tenant: Tenant): Promise<void> {
    await Promise.all(
      (await this.listed(tenant)).map(({ session_id: id }) => this.call(this.survivor, tenant, 'DELETE', `/browsers/${id}`)),
    );
  }

  async rowsOf(tenant: Tenant, where: string): Promise<{ id: string }[]> {
    return (
      await this.pool.query<{ id: string }>(`SELECT id FROM browser_sessions WHERE organization_id = $1 AND ${where}`, [
        tenant.organizationId,
      ])
    ).rows;
  }

  /**
   * What must be so after every fault, within a lease: used = what rows hold = `expected`, per
   * organization and project; whatever is listed answers at its own address; and the host runs one Chromium for each row that is its, and
   * for each standby, and no other.
   */
  async settlesAt(tenant: Tenant, expected: number, withinMs = settleWithinMs): Promise<void> {
    await slotsSettleAt(this.database, this.redis.url, tenant.organizationId, expected, withinMs);
    for (const { base_url: address } of await this.listed(tenant)) expect((await fetch(address ?? '')).status).toBe(200);
    let figures = { chromiums: -1, rows: 0, standby: 0 };
    await until(async () => {
      figures = await this.#browsersOfHost();
      return figures.chromiums === figures.rows + figures.standby;
    }, withinMs).catch(() => undefined);
    expect(figures.chromiums).toBe(figures.rows + figures.standby);
  }

  async #browsersOfHost(): Promise<{ chromiums: number; rows: number; standby: number }> {
    const gone = this.host.child.exitCode !== null || this.host.child.signalCode !== null;
    const metrics = gone
      ? ''
      : await fetch(`${this.host.url}/metrics`).then(
          (answer) => answer.text(),
          () => '',
        );
    const { rows } = await this.pool.query<{ count: number }>(
      `SELECT count(*)::int FROM browser_sessions WHERE status <> 'ended' AND host_id IS NOT NULL`,
    );
    return {
      chromiums: browserProcesses(this.host.dataDir, 'main').length,
      rows: rows[0]?.count ?? 0,
      standby: Number(/^berth_host_standby_browsers (\d+)/m.exec(metrics)?.[1] ?? 0),
    };
  }
}
