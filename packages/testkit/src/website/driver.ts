import type { FastifyInstance } from 'fastify';
import type { NewAccount } from './accounts.js';
import { scenarios } from './scenarios/index.js';
import type { Decision } from './visitors.js';
import type { Delay, World } from './world.js';

const text = { type: 'string', minLength: 1 } as const;
const aPerson = { body: { type: 'object', required: ['username'], properties: { username: text } } } as const;
const schemas = {
  account: { body: { type: 'object', properties: { scenario: text, account: { type: 'object' } } } },
  push: {
    body: {
      type: 'object',
      required: ['username', 'decision'],
      properties: { username: text, decision: { enum: ['approved', 'refused'] } },
    },
  },
  delay: {
    body: {
      type: 'object',
      required: ['ms'],
      properties: { ms: { type: 'integer', minimum: 0, maximum: 120_000 }, scenario: text, step: text },
    },
  },
} as const;

/** The hand of the test, for another process: what happens on the person's phone, in the mailbox and in the bank's back office. */
export function addDriverRoutes(app: FastifyInstance, world: World): void {
  app.post<{ Body: { scenario?: string; account?: NewAccount } }>('/_driver/accounts', { schema: schemas.account }, ({ body }) =>
    body.scenario === undefined ? world.accounts.add(body.account) : world.addAccountFor(body.scenario, body.account),
  );
  app.post<{ Body: { username: string; decision: Decision } }>('/_driver/push', { schema: schemas.push }, ({ body }) => ({
    told: world.visitors.decide(body.username, body.decision),
  }));
  app.post<{ Body: { username: string } }>('/_driver/magic-link', { schema: aPerson }, ({ body }) => ({
    told: world.visitors.decide(body.username, 'approved'),
  }));
  app.post<{ Body: { username: string } }>('/_driver/expire', { schema: aPerson }, ({ body }) => ({
    ended: world.visitors.expireSessions(body.username),
  }));
  app.post<{ Body: Delay }>('/_driver/delay', { schema: schemas.delay }, ({ body }) => {
    world.delayNext(body);
    return { delayed: true };
  });
  app.get<{ Querystring: { username?: string } }>('/_stats', ({ query }) => ({
    counts: world.stats.counts(query),
    submissions: world.stats.submissions(query),
  }));
  app.delete('/_stats', (_request, reply) => {
    world.stats.reset();
    return reply.code(204).send();
  });
  app.get('/_scenarios', () =>
    scenarios.map(({ name, family, description, language, start, allowedHosts, expected }) => ({
      name,
      family,
      description,
      language,
      start,
      allowedHosts,
      expected,
    })),
  );
}
