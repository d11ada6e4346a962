import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuthConnection, LoginStateEvent } from '@berth/schema';
import { type Account, type AnswerKey, type Pause, type Scenario, scenarios, startWebsite, totpCode, type Website } from '@berth/testkit';
import type { Follower } from './follower.js';
import { LoginWorld } from './login-world.js';
import { leaksOf } from './secrets.js';

let world: LoginWorld;
let site: Website;
const secrets: string[] = [];
beforeAll(async () => {
  [world, site] = await Promise.all([LoginWorld.create(), startWebsite()]);
  await world.startWorker();
}, 60_000);
afterAll(async () => {
  await world.close();
  await site.stop();
}, 60_000);

const answers: Readonly<Record<AnswerKey, (account: Account) => string>> = {
  unknown: () => 'nobody.at.all',
  username: ({ username }) => username,
  email: ({ email }) => email,
  phone: ({ phone }) => phone,
  password: ({ password }) => password,
  'wrong-password': () => 'certainly wrong 1',
  sms: ({ smsCode }) => smsCode,
  'email-code': ({ emailCode }) => emailCode,
  totp: ({ totpSecret }) => totpCode(totpSecret ?? ''),
  'totp-secret': ({ totpSecret }) => totpSecret ?? '',
  'wrong-code': () => '000000',
  'display-name': ({ displayName }) => displayName,
  branch: () => 'south quay',
  workspace: () => 'south-quay',
};

const secretsOf = ({ password, smsCode, emailCode, totpSecret }: Account) => [
  password,
  smsCode,
  emailCode,
  ...(totpSecret === undefined ? [] : [totpSecret]),
  'certainly wrong 1',
];

const shown = (state: LoginStateEvent) => ({
  fields: (state.fields ?? []).map(({ type, reason }) => `${type} ${reason}`),
  choices: (state.choices ?? []).map(({ type, label, mfa_type }) => `${type} ${label}${mfa_type ? ` ${mfa_type}` : ''}`).sort(),
});
const wanted = ({ fields = [], choices = [] }: Pause) => ({
  fields: fields.map(({ type, reason }) => `${type} ${reason ?? 'missing'}`),
  choices: choices.map(({ type, label, mfaType }) => `${type} ${label}${mfaType ? ` ${mfaType}` : ''}`).sort(),
});

async function answer(follower: Follower, state: LoginStateEvent, pause: Pause, account: Account): Promise<void> {
  if (pause.act === 'approve-push') site.decidePush(account.username, 'approved');
  else if (pause.act === 'refuse-push') site.decidePush(account.username, 'refused');
  else if (pause.act === 'open-magic-link') site.openMagicLink(account.username);
  else {
    const choice = state.choices?.find(({ label }) => label === pause.pick);
    const values = Object.fromEntries(
      (pause.fields ?? []).map(({ answer: key }, place) => [state.fields?.[place]?.id ?? '', answers[key](account)]),
    );
    await world.submit(follower.connectionId, {
      interaction_id: state.interaction_id ?? '',
      ...(pause.pick === undefined ? { field_values: values } : { selected_choice_id: choice?.id ?? '' }),
    });
  }
}

/** Answers as the scenario says, until the end. */
async function play(follower: Follower, { expected }: Scenario, account: Account): Promise<LoginStateEvent> {
  for (const pause of expected.pauses) {
    for (let round = 0; ; round += 1) {
      const state = await follower.paused();
      if (state.flow_status !== 'IN_PROGRESS') return state;
      if (round === 0) expect(shown(state)).toEqual(wanted(pause));
      expect(state.flow_step).toBe(
        pause.act === undefined || ((pause.choices ?? []).length === 0 && pause.act === undefined)
          ? 'AWAITING_INPUT'
          : 'AWAITING_EXTERNAL_ACTION',
      );
      if (pause.message !== undefined) expect(state.external_action_message).toContain(pause.message);
      if (pause.websiteError !== undefined) expect(state.website_error).toContain(pause.websiteError);
      await answer(follower, state, pause, account);
      if (pause.repeats !== true) break;
    }
  }
  return follower.ended();
}

/** What each family of scenarios holds. */
const clauses: Readonly<Record<string, string>> = {
  ordinary: 'D43, D60',
  forms: 'D43, D60',
  codes: 'D60',
  methods: 'D59, D60, D62',
  waits: 'D40, D43',
  interludes: 'D62',
  sso: 'D61, D62',
  walls: 'D62',
  faults: 'D42, D43',
  scripted: 'D43',
  embedded: 'D61',
  surroundings: 'D61',
  languages: 'D43, D60',
};
const titleOf = ({ name, family, description }: Scenario): string => `${clauses[family] ?? family}: ${name}: ${description}`;

/** Through the API and the event stream, several people at a time (`maxConcurrency`) on one stack. */
describe('a managed login in a real browser', () => {
  it.concurrent.each(scenarios.map((scenario) => [titleOf(scenario), scenario] as const))(
    '%s',
    async (_title, scenario) => {
      const { name, expected } = scenario;
      const account = site.addAccountFor(name);
      secrets.push(...secretsOf(account));
      const connectionId = await world.connect({
        domain: `${name}.localhost`,
        loginUrl: site.startUrl(name),
        allowedDomains: (scenario.allowedHosts ?? []).map((host) => `${host}.localhost`),
      });
      const follower = await world.login(connectionId);
      const end = await play(follower, scenario, account);
      await follower.over;
      // No scenario means this end: what the processes logged explains it, if anything does.
      if (end.error_code === 'browser_error') throw new Error(`its browser is gone\n${world.troubles}`);
      if (expected.end === 'SUCCESS') expect(end).toMatchObject({ flow_status: 'SUCCESS', flow_step: 'COMPLETED' });
      else expect(expected.end).toContain(end.error_code);
      if (end.error_code === 'unsupported_auth_method') expect(end.error_message).toMatch(/another password|passkey|HTTP authentication/);
      const record = await world.call<AuthConnection>('GET', `/auth/connections/${connectionId}`);
      expect(record.status).toBe(expected.end === 'SUCCESS' ? 'AUTHENTICATED' : 'NEEDS_AUTH');
      const counts = site.stats.counts()[name] ?? {};
      for (const [step, posts] of Object.entries(expected.posts ?? {}))
        expect(`${step} ${counts[step]?.posts ?? 0}`).toBe(`${step} ${posts}`);
      expect(Object.values(counts).reduce((sum, { duplicate }) => sum + duplicate, 0)).toBe(0);
    },
    120_000,
  );
});

describe('after all of them', () => {
  it('D45: none of the secrets used is readable in PostgreSQL, Redis, logs, events or answers', async () => {
    expect(secrets.length).toBeGreaterThan(scenarios.length);
    expect(await leaksOf(world, secrets)).toEqual([]);
  });
});
