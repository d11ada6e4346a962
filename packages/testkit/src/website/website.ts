import { fastify, type FastifyInstance } from 'fastify';
import type { Account, NewAccount } from './accounts.js';
import { addDriverRoutes } from './driver.js';
import { respond } from './responder.js';
import { scenarios } from './scenarios/index.js';
import type { Stats } from './stats.js';
import { styleSheet } from './theme.js';
import { scenarioNamed, World, type Delay } from './world.js';

export interface WebsiteOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Address to listen on, `127.0.0.1` by default. Chromium takes every `*.localhost` name there. */
  readonly host?: string;
}

/** A running website. All host names of `hosts` are this one server. */
export interface Website {
  /** The main site by IP address, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Origin of each scenario by name, `http://<name>.localhost:<port>`. */
  readonly hosts: Readonly<Record<string, string>>;
  readonly stats: Stats;
  addAccount(parts?: NewAccount): Account;
  addAccountFor(scenario: string, parts?: NewAccount): Account;
  /** Where a login to the scenario starts, on the scenario's own host name. */
  startUrl(scenario: string): string;
  /** The person says yes or no on the phone; gives how many waiting browsers were told. */
  decidePush(username: string, decision: 'approved' | 'refused'): number;
  /** The person opens the link in the e-mail. */
  openMagicLink(username: string): number;
  /** Ends every session of the person, on all scenarios; gives how many. */
  expireSessions(username: string): number;
  /** The next answer that fits waits; `taken` is called when its request has come. */
  delayNext(delay: Delay, taken?: () => void): void;
  stop(): Promise<void>;
}

/** Starts the login website on a real port. Throws what `listen` throws (a taken port). */
export async function startWebsite({ port = 0, host = '127.0.0.1' }: WebsiteOptions = {}): Promise<Website> {
  const world = new World();
  const app = buildServer(world);
  await app.listen({ port, host });
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('The website listens on no TCP port.');
  const hosts = Object.fromEntries(scenarios.map(({ name }) => [name, `http://${name}.localhost:${address.port}`]));
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    hosts,
    stats: world.stats,
    addAccount: (parts) => world.accounts.add(parts),
    addAccountFor: (scenario, parts) => world.addAccountFor(scenario, parts),
    startUrl: (scenario) => `${hosts[scenario]}${scenarioNamed(scenario).start}`,
    decidePush: (username, decision) => world.visitors.decide(username, decision),
    openMagicLink: (username) => world.visitors.decide(username, 'approved'),
    expireSessions: (username) => world.visitors.expireSessions(username),
    delayNext: (delay, taken) => world.delayNext(delay, taken),
    stop: () => app.close(),
  };
}

function buildServer(world: World): FastifyInstance {
  // Open keep-alive connections of browsers must not hold `stop` back.
  const app = fastify({ forceCloseConnections: true });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.get('/_assets/site.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(styleSheet));
  addDriverRoutes(app, world);
  app.get('/*', (request, reply) => respond(world, request, reply));
  app.post('/*', (request, reply) => respond(world, request, reply));
  return app;
}
