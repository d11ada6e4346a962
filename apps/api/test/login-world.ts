import { randomBytes } from 'node:crypto';
import type { ProjectScope } from '@berth/database';
import { projectScope, unscoped } from '@berth/database/unscoped';
import { advance, claimFlow, type FlowEvent, type FlowStore, type Offer, readCurrentFlow, redisPublisher } from '@berth/login-flow';
import type { AuthConnection, LoginStarted } from '@berth/schema';
import { Sealer } from '@berth/secrets';
import type { Tenant } from '@berth/testkit';
import { Redis } from 'ioredis';
import { type ApiFixture, type Reply, testSecretKey } from './api-fixture.js';

const publicUrl = 'https://berth.test';

/** An API under test and what it works on; it may be several processes. */
export type World = Pick<ApiFixture, 'database' | 'call'> & { readonly stores: Pick<ApiFixture['stores'], 'redisUrl'> };

export const passwordOffer: Offer = {
  fields: [
    { id: 'username', ref: 'username', type: 'identifier', reason: 'missing', label: 'Email', input_mode: 'email', required: true },
    { id: 'password', ref: 'password', type: 'password', reason: 'missing', label: 'Password', required: true },
  ],
  choices: [],
};

export const methodOffer: Offer = {
  fields: [],
  choices: [
    { id: 'mfa_1', type: 'mfa_method', label: 'Text message', mfa_type: 'sms', masked_destination: '•••12' },
    { id: 'mfa_2', type: 'mfa_method', label: 'Authenticator app', mfa_type: 'totp' },
  ],
};

/** Plays the worker: the product's own store moves flows, without a website. */
export class LoginWorld {
  readonly store: FlowStore;
  readonly #redis: Redis;

  constructor(
    private readonly world: World,
    readonly tenant: Tenant,
    publishes = true,
  ) {
    this.#redis = new Redis(world.stores.redisUrl, { maxRetriesPerRequest: 0 }).on('error', () => undefined);
    const { prisma } = unscoped(world.database);
    this.store = {
      database: world.database,
      sealer: new Sealer({ current: testSecretKey }),
      publicUrl,
      pauseMs: 600_000,
      totalMs: 1_200_000,
      publisher: publishes ? redisPublisher(this.#redis, () => undefined) : { publish: () => undefined },
      endBrowser: async ({ sessionId }) =>
        void (await prisma.browserSession.updateMany({
          where: { id: sessionId, deletedAt: null },
          data: { status: 'ended', deletedAt: new Date() },
        })),
    };
  }

  get scope(): ProjectScope {
    return projectScope(this.tenant.organizationId, this.tenant.defaultProjectId);
  }

  connect(body: object = {}): Promise<Reply<AuthConnection>> {
    const unique = randomBytes(6).toString('hex');
    return this.world.call<AuthConnection>('POST', '/auth/connections', {
      key: this.tenant.key,
      body: { domain: `${unique}.test`, profile_name: `p-${unique}`, ...body },
    });
  }

  login(connectionId: string): Promise<Reply<LoginStarted>> {
    return this.world.call<LoginStarted>('POST', `/auth/connections/${connectionId}/login`, { key: this.tenant.key });
  }

  /** A connection whose flow runs. */
  async running(): Promise<string> {
    const { body: connection } = await this.connect();
    const reply = await this.login(connection.id);
    if (reply.status !== 200) throw new Error(`login answered ${reply.status} ${JSON.stringify(reply.body)}`);
    return connection.id;
  }

  /** Moves the connection's flow, claiming it first when nobody owns it. */
  async play(connectionId: string, ...events: readonly FlowEvent[]): Promise<void> {
    let flow = await readCurrentFlow(this.store, this.scope, connectionId);
    if (flow === null) throw new Error('no flow to play');
    if (flow.ownerEpoch === 0) flow = (await claimFlow(this.store, { flowId: flow.id, epoch: 0 }))?.flow ?? flow;
    for (const event of events) flow = await advance(this.store, flow, event);
  }

  ask(connectionId: string, offer: Offer = passwordOffer, websiteError?: string): Promise<void> {
    return this.play(connectionId, { kind: 'ask', offer, ...(websiteError !== undefined && { websiteError }) });
  }

  succeed(connectionId: string): Promise<void> {
    return this.play(connectionId, { kind: 'succeed', postLoginUrl: 'https://site.test/home' });
  }

  close(): void {
    this.#redis.disconnect();
  }
}

/** No browser host runs in these tests: login browsers stay unclaimed, and nothing may end them for that meanwhile. */
export const noHostEnv = { BERTH_PUBLIC_URL: publicUrl, BERTH_LEASE_SECONDS: '900', BERTH_LAUNCH_TIMEOUT_SECONDS: '300' };
