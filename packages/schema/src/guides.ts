import type { z } from 'zod';
import type { Endpoint } from './endpoint.js';
import type { EndpointName, Endpoints } from './endpoints/index.js';

/** What the document says of an operation beyond its shapes; where there is a body, with one that can be sent as it is. */
export type Guide<E extends Endpoint> = { readonly description: string } & (E extends { readonly body: infer B extends z.ZodType }
  ? { readonly example: z.input<B> }
  : unknown);

type Guides = { readonly [Name in EndpointName]: Guide<Endpoints[Name]> };

const byIdOrName = '`{id}` is an id or a name.';
const page = 'Oldest first. `X-Has-More` and `X-Next-Offset` lead through the pages.';

export const guides: Guides = {
  listProjects: {
    description: `${page} Archived projects are shown, deleted ones are not. A project-scoped key sees its own project alone.`,
  },
  createProject: {
    description:
      'A project holds browsers, pools, profiles, credentials, connections and invocations of its own. Names are unique in any case.',
    example: { name: 'Customer A' },
  },
  getProject: { description: `${byIdOrName} Archived projects can be read.` },
  updateProject: {
    description: `${byIdOrName} Archiving refuses new work in the project and leaves alone what runs; the last active project cannot be archived. Both fields or none are applied. A project-scoped key may send \`name\` for its own project and nothing else.`,
    example: { name: 'Customer A (paused)', status: 'archived' },
  },
  deleteProject: {
    description: `${byIdOrName} For good, as soon as the project owns nothing active. Its name is free at once and its keys are revoked.`,
  },
  getOrganizationLimits: {
    description:
      'How many browsers may run at once in the whole organization, and how many do. Browsers on demand and the whole size of every pool count. Usage is null while it cannot be read.',
  },
  updateOrganizationLimits: {
    description:
      'The default holds for every project without a cap of its own, existing and new. `0` or null clears it; a cap below the present usage ends nothing.',
    example: { default_project_max_concurrent_sessions: 10 },
  },
  getProjectLimits: {
    description: `${byIdOrName} \`concurrent_sessions_available\` is what the next create will see: the organization's limit and the project's cap both count.`,
  },
  updateProjectLimits: {
    description: `${byIdOrName} \`0\` or null clears a cap, an absent field leaves it. A cap above the organization's limit is kept and holds as far as that limit.`,
    example: { max_concurrent_sessions: 5, max_concurrent_invocations: 20 },
  },
  listApiKeys: {
    description: 'Oldest first unless sorted otherwise. Expired keys are shown, deleted ones only when asked for. Secrets are never shown.',
  },
  createApiKey: {
    description:
      'The answer is the only one that carries the secret, `key`. With `project_id` the key is limited to that project, which must be active; without it the key is org-wide.',
    example: { name: 'ci', project_id: null, days_to_expire: 90 },
  },
  getApiKey: { description: 'A project-scoped key may read itself. Deleted keys are found with `include_deleted=true`.' },
  updateApiKey: { description: 'The secret and what it may do stay the same.', example: { name: 'ci (staging)' } },
  deleteApiKey: { description: 'The key is refused everywhere from this answer on. A key cannot delete itself.' },
  rotateApiKey: {
    description:
      'The answer carries the new secret. The old one goes on for `expire_in_days`, but never longer than it would have; `0` ends it at once.',
    example: { expire_in_days: 1 },
  },
  whoami: {
    description:
      'Which credential the request came with, its organization, the project it is bound to, and the project the request acts in.',
  },
  listBrowsers: { description: `${page} Those that run, unless \`status\` or \`include_deleted\` says otherwise.` },
  createBrowser: {
    description:
      'Answers when the browser can be used: `cdp_ws_url` for Playwright and Puppeteer, `webdriver_ws_url` for WebDriver BiDi. It ends by DELETE, when its client closes it, or `timeout_seconds` after the last client left. What this deployment cannot do is refused by name.',
    example: {
      name: 'checkout-1',
      start_url: 'https://example.com/',
      timeout_seconds: 300,
      viewport: { width: 1280, height: 800 },
      tags: { team: 'payments' },
    },
  },
  getBrowser: { description: `${byIdOrName} An ended session is found by id with \`include_deleted=true\`.` },
  updateBrowser: {
    description: `${byIdOrName} Name and tags can change while a browser runs; tags are replaced whole, null removes them.`,
    example: { name: 'checkout-2', tags: { team: 'payments', step: 'pay' } },
  },
  deleteBrowser: {
    description: `${byIdOrName} Answers when the browser is gone and its slot free, or after 5 s. Again by id it is 204 as well.`,
  },
  listBrowserPools: { description: page },
  createBrowserPool: {
    description: 'Its whole size is reserved at once and counts against the caps from then on, leased or idle.',
    example: { name: 'warm', size: 2, timeout_seconds: 600 },
  },
  getBrowserPool: { description: byIdOrName },
  updateBrowserPool: {
    description: `${byIdOrName} Growing reserves the difference or changes nothing; shrinking leaves leased browsers alone. New choices hold for browsers started from now on.`,
    example: { size: 3, discard_all_idle: true },
  },
  deleteBrowserPool: {
    description: `${byIdOrName} While browsers are leased only with \`force\`, which ends them.`,
    example: { force: true },
  },
  acquireFromPool: {
    description: `${byIdOrName} Waits for a free browser; 204 when none came in time. The lease ends with \`release\`, or with the browser.`,
    example: { acquire_timeout_seconds: 30, name: 'job-17' },
  },
  releaseToPool: {
    description: `${byIdOrName} With \`reuse: false\` the browser is ended and replaced.`,
    example: { session_id: 'k3v0m5q8r2t7w1x4y6z9b0c2', reuse: true },
  },
  flushPool: { description: `${byIdOrName} Idle browsers are ended and started anew; leased ones stay.` },
  listInvocations: { description: page },
  createInvocation: {
    description:
      'A run of an app of yours. It is `running` from here to the PATCH that ends it, and browsers can be started under it with `invocation_id`.',
    example: { app_name: 'invoices', action_name: 'download', version: '1.4.0', payload: '{"month":"2026-10"}' },
  },
  getInvocation: { description: 'Running or ended.' },
  updateInvocation: {
    description: 'Ends the run, once: the same status again changes nothing, the other one is refused. Its browsers go on.',
    example: { status: 'succeeded', output: '{"files":3}' },
  },
  listInvocationBrowsers: { description: 'All of them, without pages.' },
  deleteInvocationBrowsers: { description: 'Answers when they are gone. The invocation itself stays as it is.' },
  listProfiles: { description: page },
  createProfile: {
    description:
      'A profile keeps cookies, localStorage and IndexedDB between browsers: start one with it and `save_changes`, or let a login fill it.',
    example: { name: 'shop-account' },
  },
  getProfile: { description: byIdOrName },
  updateProfile: { description: byIdOrName, example: { name: 'shop-account-2' } },
  deleteProfile: { description: `${byIdOrName} With everything it was logged in to; refused while something uses it.` },
  listCredentials: { description: page },
  createCredential: {
    description: 'Values are sealed and never come back; `value_keys` tells which there are.',
    example: {
      name: 'shop-login',
      domain: 'shop.example.com',
      values: { username: 'ann@example.com', password: 'correct horse battery staple' },
    },
  },
  getCredential: { description: byIdOrName },
  updateCredential: {
    description: `${byIdOrName} Given values are added or replaced, after \`remove_value_keys\` are removed.`,
    example: { values: { password: 'a new one' } },
  },
  deleteCredential: { description: `${byIdOrName} The values are destroyed at once.` },
  getTotpCode: { description: `${byIdOrName} With the moment from which it is no longer good.` },
  listAuthConnections: { description: page },
  createAuthConnection: {
    description: 'Ties a profile to a website, one connection for each pair. The profile is made when there is none of that name.',
    example: { domain: 'shop.example.com', profile_name: 'shop-account', login_url: 'https://shop.example.com/login' },
  },
  getAuthConnection: { description: 'With the state of the running or the last flow.' },
  updateAuthConnection: { description: 'Holds from the next flow on.', example: { health_check_interval: 7200 } },
  deleteAuthConnection: { description: 'A running flow ends CANCELED. The profile stays.' },
  startLogin: {
    description:
      'Opens the website in a browser of its own and finds the way in. Follow it by `events`, answer by `submit`, or send a person to `hosted_url`. One flow at a time.',
    example: {},
  },
  submitLogin: {
    description: 'Exactly one kind of answer to the newest state. 202 means that it is stored; what came of it is in the next state.',
    example: {
      interaction_id: 'b1c2d3e4f5a6b7c8d9e0f1a2',
      field_values: { 'username-1': 'ann@example.com', 'password-1': 'correct horse battery staple' },
    },
  },
  cancelLogin: { description: 'The flow ends CANCELED and its browser is ended.' },
  followConnection: {
    description:
      'The whole state at once and after each change, until the flow ends; heartbeats in between. Each state carries an `id`; reconnect with `Last-Event-ID`. 204 to who has seen the end.',
  },
  getTimeline: { description: 'Newest first. `X-Has-More` and `X-Next-Offset` lead through the pages.' },
  openHostedPage: { description: 'The link in `hosted_url`. Opening it sets the cookie that the page works with.' },
  followHostedFlow: { description: 'As `followConnection`, for the page.' },
  submitHostedFlow: {
    description: 'As `submitLogin`, for the page.',
    example: { interaction_id: 'b1c2d3e4f5a6b7c8d9e0f1a2', selected_choice_id: 'choice-1' },
  },
  live: { description: 'Touches nothing.' },
  ready: { description: '503 names what is down. Redis down is `degraded` with 200: reads go on, nothing is admitted.' },
  metrics: { description: 'On a port of its own instead where the deployment says so.' },
  openapi: { description: 'Made of the values that requests are parsed with.' },
  docs: { description: 'What you are looking at, if you look at it with a browser.' },
  docsFile: { description: 'Served from here; nothing is fetched from elsewhere.' },
};

export const tagDescriptions: Readonly<Record<Endpoints[EndpointName]['tag'], string>> = {
  Projects: 'Containers inside an organization: environments, teams, customers.',
  Limits: 'Caps on concurrent browsers and runs, and what is used of them.',
  'API keys': 'Org-wide keys, and keys that are bound to one project.',
  Authentication: 'Who a request is.',
  Browsers: 'Real Chromium sessions for automation.',
  'Browser pools': 'Browsers that are started ahead, to be leased at once.',
  Invocations: 'Runs of your apps, and the browsers that belong to them.',
  Profiles: 'What a browser remembers from one session to the next.',
  Credentials: 'Values for logins, sealed where they rest.',
  'Managed auth': 'Logins to websites that the service performs, with a person where one is needed.',
  'Hosted login': 'The page on which that person answers.',
  Health: 'For load balancers, monitoring and readers of this document.',
};

/** What holds for every operation. */
export const overview = `A self-hosted control plane for cloud browsers.

**Credentials.** Send \`Authorization: Bearer <API key or OAuth token>\`. A key is org-wide or bound to one project.

**Projects.** A request acts in the project that \`X-Service-Project-Id\` names, else in the project of its key, else in the organization's default project.

**Lists** are arrays of at most \`limit\` entries from \`offset\`; \`X-Has-More\` tells whether there is more and \`X-Next-Offset\` where it begins.

**Errors** have one body: a \`code\` for programs, a \`message\` for people, and \`details\` with every fault. \`X-Request-Id\` names the request in the service's log; send one of your own to choose it.

**Again.** 429, 503 and 529 say in \`Retry-After\` when to come again; a 409 will not become better by itself. A POST with an \`Idempotency-Key\` runs once in 24 hours and repeats its first answer.

**Bodies** are JSON in UTF-8 of at most 1 MiB. Unknown fields are refused by name; unknown parameters are ignored.`;
