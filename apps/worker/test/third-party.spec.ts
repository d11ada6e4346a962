import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LoginStateEvent } from '@berth/schema';
import { chromium } from 'playwright-core';
import type { Follower } from './follower.js';
import { LoginWorld } from './login-world.js';
import { leaksOf } from './secrets.js';
import type { Application } from './third-party/application.js';
import { debianRoot, type DebianRoot } from './third-party/debian-root.js';
import { startDeluge } from './third-party/deluge.js';
import { startDjango, startDjangoOtp } from './third-party/django.js';
import { startFossil } from './third-party/fossil.js';
import { startNodeRed } from './third-party/node-red.js';
import { startOpenId } from './third-party/openid.js';
import { startAdminer, startPhpLiteAdmin } from './third-party/php.js';
import { startRadicale } from './third-party/radicale.js';
import { startRedisCommander } from './third-party/redis-commander.js';

const toolsDir = join(dirname(fileURLToPath(import.meta.url)), '../../../.berth/tools');
const folder = mkdtempSync(join(tmpdir(), 'berth-third-party-'));
let world: LoginWorld;
const secrets: string[] = [];
let debian: DebianRoot;
beforeAll(async () => {
  [world, debian] = await Promise.all([LoginWorld.create(), debianRoot(toolsDir)]);
  await world.startWorker();
}, 180_000);
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

function folderOf(name: string): string {
  const own = join(folder, name);
  mkdirSync(own);
  return own;
}

const isChecked = ({ flow_type: type, flow_status: status }: LoginStateEvent): boolean => type === 'REAUTH' && status !== 'IN_PROGRESS';

const typesOf = ({ fields = [] }: LoginStateEvent): string[] => fields.map(({ type }) => type);

async function give(follower: Follower, state: LoginStateEvent, answers: Application['answers']): Promise<void> {
  const answerTo = ({ label = '', type }: NonNullable<LoginStateEvent['fields']>[number]): string => {
    const answer = answers[label] ?? answers[type] ?? '';
    return typeof answer === 'string' ? answer : answer();
  };
  await world.submit(follower.connectionId, {
    interaction_id: state.interaction_id ?? '',
    field_values: Object.fromEntries((state.fields ?? []).map((field) => [field.id, answerTo(field)])),
  });
}

/** Answers whatever is asked, until the end. */
async function finish(follower: Follower, first: LoginStateEvent, { answers, picks }: Application): Promise<LoginStateEvent> {
  const left = [...picks];
  for (let state = first; ; state = await follower.paused()) {
    if (state.flow_status !== 'IN_PROGRESS') return state;
    const pick = (state.fields ?? []).length === 0 ? left.shift() : undefined;
    if (pick === undefined) await give(follower, state, answers);
    else
      await world.submit(follower.connectionId, {
        interaction_id: state.interaction_id ?? '',
        selected_choice_id: state.choices?.find(({ label }) => label === pick)?.id ?? '',
      });
  }
}

/** What a new browser with the saved profile is shown, once it is what is expected, or in the end. */
async function shownToProfile(connectionId: string, { url, text }: NonNullable<Application['signedIn']>): Promise<string> {
  const { profileId } = await world.access.prisma.authConnection.findUniqueOrThrow({ where: { id: connectionId } });
  const session = await world.openBrowser(profileId);
  const browser = await chromium.connectOverCDP(session.cdp_ws_url);
  try {
    const page = browser.contexts()[0]?.pages()[0] ?? (await browser.newPage());
    await page.goto(url);
    await page
      .getByText(text)
      .first()
      .waitFor({ timeout: 30_000 })
      .catch(() => undefined);
    return await page.innerText('body');
  } finally {
    await browser.close();
    await world.call('DELETE', `/browsers/${session.session_id}`);
  }
}

/** How a flow ended, and what led to it. */
const told = ({ flow_status: status }: LoginStateEvent, follower: Follower): string =>
  `${status ?? ''}\n${follower.story()}\n${world.troubles}`;

interface Case {
  readonly name: string;
  readonly start: () => Promise<Application>;
  readonly asks: readonly string[];
  /** What it says to a wrong password; null where it takes any. */
  readonly refuses: RegExp | null;
}

const cases: readonly Case[] = [
  {
    name: 'Django administration',
    start: () => startDjango(debian, folderOf('django')),
    asks: ['identifier', 'password'],
    refuses: /correct username and password/,
  },
  { name: 'phpLiteAdmin', start: () => startPhpLiteAdmin(debian, folderOf('lite')), asks: ['password'], refuses: /incorrect/i },
  {
    name: 'Adminer',
    start: () => startAdminer(debian, folderOf('adminer'), world.stores.databaseUrl),
    // What system it is stands there already, and the database may be chosen later.
    asks: ['text', 'identifier', 'password', 'text'],
    refuses: /authentication failed/,
  },
  { name: 'Radicale', start: () => startRadicale(debian, folderOf('radicale')), asks: ['identifier', 'password'], refuses: /401/ },
  { name: 'Deluge', start: () => startDeluge(debian, folderOf('deluge')), asks: ['password'], refuses: /Login Failed/ },
  { name: 'Node-RED', start: () => startNodeRed(folderOf('nodered')), asks: ['identifier', 'password'], refuses: /failed/i },
  {
    name: 'django-otp',
    start: () => startDjangoOtp(debian, folderOf('djangootp')),
    asks: ['identifier', 'password', 'code'],
    refuses: /correct username and password/,
  },
  { name: 'Fossil', start: () => startFossil(debian, folderOf('fossil')), asks: ['identifier', 'password'], refuses: /incorrect password/ },
  {
    name: 'redis-commander',
    start: () => startRedisCommander(folderOf('rediscommander'), world.stores.redisUrl),
    asks: ['identifier', 'password'],
    refuses: /Sign-In Failed/,
  },
  { name: 'oidc-provider', start: () => startOpenId(), asks: ['identifier', 'password'], refuses: null },
];

describe('login applications that nobody here wrote (issue 5, item 7)', () => {
  it.each(cases)(
    'D43, D44: $name: asked, refused, asked again, logged in, checked, kept',
    async ({ start, asks, refuses }) => {
      const application = await start();
      const { password } = application.answers;
      if (typeof password === 'string') secrets.push(password);
      try {
        const connectionId = await world.connect({
          domain: new URL(application.startUrl).hostname,
          loginUrl: application.startUrl,
          allowedDomains: application.otherHosts,
        });
        const follower = await world.login(connectionId);
        let state = await follower.paused();
        expect(typesOf(state)).toEqual(asks);
        if (refuses !== null) {
          await give(follower, state, { ...application.answers, password: 'certainly wrong 1' });
          state = await follower.paused();
          expect(state).toMatchObject({ flow_step: 'AWAITING_INPUT', website_error: expect.stringMatching(refuses) });
          // What was given beside them is known, and was not refused.
          const blamed = asks.filter((type) => type !== 'text');
          const refused = state.fields?.filter(({ type }) => type !== 'text').map(({ type, reason }) => `${type} ${reason}`);
          expect(refused).toEqual(blamed.map((type) => `${type} rejected`));
        }
        expect(told(await finish(follower, state, application), follower)).toMatch(/^SUCCESS/);
        const check = await world.reauthenticate(connectionId);
        expect(told(await check.next(isChecked), check)).toMatch(/^SUCCESS/);
        if (application.signedIn !== null)
          expect(await shownToProfile(connectionId, application.signedIn)).toMatch(application.signedIn.text);
      } finally {
        await application.stop();
      }
    },
    120_000,
  );

  it('D45: none of their passwords is readable in PostgreSQL, Redis, logs, events or answers', async () => {
    expect(secrets).toHaveLength(cases.length);
    expect(await leaksOf(world, secrets)).toEqual([]);
  });
});
