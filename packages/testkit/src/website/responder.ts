import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressOf, type Address } from './address.js';
import { clearCookie, cookieNames, parseCookies, setCookie } from './cookies.js';
import { html } from './html.js';
import { documentOf } from './layout.js';
import type { Scenario } from './scenario.js';
import { go, type Form, type Outcome, type Page, type Screen, type Visit } from './screen.js';
import { aboutPage, accountPage, homePage, vaultPage } from './screens/product.js';
import type { Attempt, Session } from './visitors.js';
import { wordsOf } from './words/index.js';
import { scenarioNamed, type World } from './world.js';

/** One request on its way through: who asks, where, and the answer being built. */
interface Exchange {
  readonly world: World;
  readonly address: Address;
  readonly scenario: Scenario;
  readonly attempt: Attempt;
  readonly session: Session | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Answers every page and form of every scenario. */
export async function respond(world: World, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const address = addressOf(request.headers.host ?? '', request.url);
  if (!address) return reply.code(404).type('text/plain').send('No such scenario.');
  const delay = world.takeDelay(address.scenario, address.step);
  if (delay > 0) await wait(delay);
  const exchange = openExchange(world, address, request, reply);
  return request.method === 'POST' ? answerPost(exchange) : answerGet(exchange);
}

function openExchange(world: World, address: Address, request: FastifyRequest, reply: FastifyReply): Exchange {
  const cookies = parseCookies(request.headers.cookie);
  const known = world.visitors.attempt(cookies.get(cookieNames.attempt), address.scenario);
  const attempt = known ?? world.visitors.startAttempt(address.scenario);
  if (!known) reply.header('set-cookie', setCookie(cookieNames.attempt, attempt.id, address.base));
  const session = world.visitors.session(cookies.get(cookieNames.session), address.scenario);
  return { world, address, scenario: scenarioNamed(address.scenario), attempt, session, request, reply };
}

function visitOf({ world, address, scenario, attempt, session, request }: Exchange, tried: { error?: string; typed?: string } = {}): Visit {
  const host = request.headers.host ?? '';
  const port = /:\d+$/.exec(host)?.[0] ?? '';
  const nonceValue = (): string => world.stats.issueNonce();
  return {
    scenario: scenario.name,
    base: address.base,
    origin: `http://${host}`,
    query: address.query,
    words: wordsOf[scenario.language],
    attempt,
    ...(session ? { session } : {}),
    ...tried,
    originOf: (name) => `http://${name}.localhost${port}`,
    nonce: () => html`<input type="hidden" name="_nonce" value="${nonceValue()}">`,
    nonceValue,
    findAccount: (identifier) => world.accounts.find(identifier),
    issueTicket: (account) => world.visitors.issueTicket(account),
    redeemTicket: (ticket) => world.visitors.redeemTicket(ticket),
  };
}

const screenOf = (scenario: Scenario, step: string): Screen | undefined => scenario.screens.find((screen) => screen.step === step);

function sendPage({ address, scenario, session, reply }: Exchange, page: Page): unknown {
  const text = documentOf(page, {
    language: scenario.language,
    base: address.base,
    words: wordsOf[scenario.language],
    brand: scenario.brand ?? 'Tidewater',
    header: session ? 'sign-out' : screenOf(scenario, address.step) && address.step !== '' ? 'none' : 'sign-in',
  });
  if (page.challenge !== undefined) void reply.header('www-authenticate', page.challenge);
  return reply
    .code(page.status ?? 200)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(text);
}

function sendRedirect({ world, address, request, reply }: Exchange, to: string): unknown {
  const target = /^https?:/.test(to) ? to : `${address.base}/${to}`;
  if (wantsJson(request)) return reply.send({ to: target, nonce: world.stats.issueNonce() });
  return reply.code(303).header('location', target).send();
}

const wantsJson = (request: FastifyRequest): boolean => (request.headers.accept ?? '').includes('application/json');

async function sendOutcome(exchange: Exchange, screen: Screen, outcome: Outcome): Promise<unknown> {
  const { world, address, attempt, scenario, request, reply } = exchange;
  switch (outcome.kind) {
    case 'go':
      return sendRedirect(exchange, outcome.to);
    case 'page':
      return sendPage(exchange, outcome.page);
    case 'signed-in': {
      const session = world.visitors.startSession(outcome.account, scenario.name);
      world.visitors.endAttempt(attempt.id);
      reply.header('set-cookie', [
        setCookie(cookieNames.session, session.id, address.base),
        clearCookie(cookieNames.attempt, address.base),
      ]);
      return sendRedirect(exchange, outcome.to ?? 'account');
    }
    case 'reject': {
      if (wantsJson(request)) return reply.send({ error: outcome.error, nonce: world.stats.issueNonce() });
      const again = await screen.show(visitOf(exchange, { error: outcome.error, ...(outcome.typed ? { typed: outcome.typed } : {}) }));
      return 'kind' in again ? sendOutcome(exchange, screen, again) : sendPage(exchange, again);
    }
  }
}

const builtIn: Readonly<Record<string, (exchange: Exchange) => unknown>> = {
  '': (exchange) => sendPage(exchange, homePage(visitOf(exchange))),
  about: (exchange) => sendPage(exchange, aboutPage()),
  account: (exchange) =>
    exchange.session ? sendPage(exchange, accountPage(visitOf(exchange), exchange.session)) : sendRedirect(exchange, 'login'),
  vault: (exchange) =>
    exchange.session ? sendPage(exchange, vaultPage(visitOf(exchange), exchange.session)) : sendRedirect(exchange, 'login'),
  'vault.json': ({ session, request, reply }) => {
    const known =
      session !== undefined && request.headers['x-device-key'] === session.deviceKey && request.headers['x-vault-key'] === session.vaultKey;
    return reply.code(known ? 200 : 401).send({ known });
  },
  logout: (exchange) => {
    if (exchange.session) exchange.world.visitors.endSession(exchange.session.id);
    exchange.reply.header('set-cookie', clearCookie(cookieNames.session, exchange.address.base));
    return sendRedirect(exchange, '');
  },
};

async function answerGet(exchange: Exchange): Promise<unknown> {
  const { address, scenario, session, reply } = exchange;
  const polled = address.step.endsWith('.json') ? screenOf(scenario, address.step.slice(0, -'.json'.length)) : undefined;
  if (polled?.poll) return reply.header('cache-control', 'no-store').send(polled.poll(visitOf(exchange)));
  // The sign-in page of somebody who is signed in already is the account.
  if (session && address.step === 'login') return sendRedirect(exchange, 'account');
  const screen = screenOf(scenario, address.step);
  if (screen) {
    const shown = await screen.show(visitOf(exchange));
    return 'kind' in shown ? sendOutcome(exchange, screen, shown) : sendPage(exchange, shown);
  }
  const page = builtIn[address.step];
  return page
    ? page(exchange)
    : sendPage(exchange, {
        title: 'Not found',
        status: 404,
        body: html`<section class="card"><h1>Page not found</h1><p>The address may be old, or mistyped.</p></section>`,
      });
}

async function answerPost(exchange: Exchange): Promise<unknown> {
  const { world, address, scenario, attempt, request, reply } = exchange;
  const screen = screenOf(scenario, address.step);
  if (!screen?.accept) return reply.code(404).send('Nothing to post here.');
  const form = (request.body ?? {}) as Form;
  const nonce = form['_nonce'] ?? '';
  const fresh = world.stats.redeem(nonce);
  const outcome: Outcome = fresh ? await screen.accept(visitOf(exchange), form) : go(address.step);
  const username = attempt.account?.username ?? (outcome.kind === 'signed-in' ? outcome.account.username : undefined);
  world.stats.record(nonce, {
    scenario: scenario.name,
    step: screen.step,
    verdict: fresh ? verdictOf(outcome) : 'duplicate',
    filled: Object.keys(form).filter((name) => name !== '_nonce' && form[name] !== ''),
    ...(username === undefined ? {} : { username }),
  });
  return sendOutcome(exchange, screen, outcome);
}

function verdictOf(outcome: Outcome): 'accepted' | 'rejected' {
  if (outcome.kind === 'page') return outcome.verdict;
  return outcome.kind === 'reject' ? 'rejected' : 'accepted';
}
