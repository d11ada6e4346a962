import * as keys from './api-keys.js';
import * as auth from './auth-connections.js';
import * as browsers from './browsers.js';
import * as pools from './browser-pools.js';
import * as credentials from './credentials.js';
import { endpoint } from './endpoint.js';
import * as health from './health.js';
import { Identity } from './identity.js';
import * as invocations from './invocations.js';
import * as limits from './limits.js';
import { ConnectionEvent } from './login-state.js';
import * as profiles from './profiles.js';
import * as projects from './projects.js';
import { z } from 'zod';

const list = <T extends z.ZodType>(item: T) => z.array(item);

/** Every endpoint of the service. Controllers serve them by name, the OpenAPI document is made of them, and the route matrix test walks them. */
export const endpoints = {
  // Projects
  listProjects: endpoint({
    operationId: 'listProjects', method: 'GET', path: '/org/projects', tag: 'Projects', summary: 'List projects',
    access: 'any', projectManagement: true, query: projects.ListProjectsQuery, responses: { 200: list(projects.Project) }, errors: ['bad_request'], paged: true,
  }),
  createProject: endpoint({
    operationId: 'createProject', method: 'POST', path: '/org/projects', tag: 'Projects', summary: 'Create a project',
    access: 'org_wide', projectManagement: true, body: projects.CreateProject, responses: { 201: projects.Project }, errors: ['bad_request', 'conflict'], idempotent: true,
  }),
  getProject: endpoint({
    operationId: 'getProject', method: 'GET', path: '/org/projects/{id}', tag: 'Projects', summary: 'Get a project by id or name',
    access: 'any', projectManagement: true, pathRecord: 'project', responses: { 200: projects.Project }, errors: ['project_not_found'],
  }),
  updateProject: endpoint({
    operationId: 'updateProject', method: 'PATCH', path: '/org/projects/{id}', tag: 'Projects', summary: 'Rename, archive or reactivate a project',
    access: 'own_project', projectManagement: true, pathRecord: 'project', body: projects.UpdateProject, responses: { 200: projects.Project },
    errors: ['bad_request', 'project_not_found', 'conflict', 'last_active_project'],
  }),
  deleteProject: endpoint({
    operationId: 'deleteProject', method: 'DELETE', path: '/org/projects/{id}', tag: 'Projects', summary: 'Delete an empty project',
    access: 'org_wide', projectManagement: true, pathRecord: 'project', responses: { 204: null }, errors: ['project_not_found', 'last_active_project', 'project_not_empty'],
  }),
  // Limits
  getOrganizationLimits: endpoint({
    operationId: 'getOrganizationLimits', method: 'GET', path: '/org/limits', tag: 'Limits', summary: 'Organization limits and usage',
    access: 'any', responses: { 200: limits.OrganizationLimits }, errors: [],
  }),
  updateOrganizationLimits: endpoint({
    operationId: 'updateOrganizationLimits', method: 'PATCH', path: '/org/limits', tag: 'Limits', summary: 'Set the default cap of projects',
    access: 'org_wide', body: limits.UpdateOrganizationLimits, responses: { 200: limits.OrganizationLimits }, errors: ['bad_request'],
  }),
  getProjectLimits: endpoint({
    operationId: 'getProjectLimits', method: 'GET', path: '/org/projects/{id}/limits', tag: 'Limits', summary: 'Limits and usage of a project',
    access: 'any', projectManagement: true, pathRecord: 'project', responses: { 200: limits.ProjectLimits }, errors: ['project_not_found'],
  }),
  updateProjectLimits: endpoint({
    operationId: 'updateProjectLimits', method: 'PATCH', path: '/org/projects/{id}/limits', tag: 'Limits', summary: 'Set the caps of a project',
    access: 'org_wide', projectManagement: true, pathRecord: 'project', body: limits.UpdateProjectLimits, responses: { 200: limits.ProjectLimits }, errors: ['bad_request', 'project_not_found'],
  }),
  // API keys
  listApiKeys: endpoint({
    operationId: 'listApiKeys', method: 'GET', path: '/org/api_keys', tag: 'API keys', summary: 'List API keys',
    access: 'org_wide', query: keys.ListApiKeysQuery, responses: { 200: list(keys.ApiKey) }, errors: ['bad_request'], paged: true,
  }),
  createApiKey: endpoint({
    operationId: 'createApiKey', method: 'POST', path: '/org/api_keys', tag: 'API keys', summary: 'Create an API key',
    access: 'org_wide', body: keys.CreateApiKey, responses: { 201: keys.CreatedApiKey }, errors: ['bad_request'], idempotent: true,
  }),
  getApiKey: endpoint({
    operationId: 'getApiKey', method: 'GET', path: '/org/api_keys/{id}', tag: 'API keys', summary: 'Get an API key',
    access: 'own_key', pathRecord: 'api_key', query: keys.GetApiKeyQuery, responses: { 200: keys.ApiKey }, errors: ['not_found', 'bad_request'],
  }),
  updateApiKey: endpoint({
    operationId: 'updateApiKey', method: 'PATCH', path: '/org/api_keys/{id}', tag: 'API keys', summary: 'Rename an API key',
    access: 'org_wide', pathRecord: 'api_key', body: keys.UpdateApiKey, responses: { 200: keys.ApiKey }, errors: ['bad_request', 'not_found'],
  }),
  deleteApiKey: endpoint({
    operationId: 'deleteApiKey', method: 'DELETE', path: '/org/api_keys/{id}', tag: 'API keys', summary: 'Revoke an API key',
    access: 'org_wide', pathRecord: 'api_key', responses: { 204: null }, errors: ['not_found', 'cannot_delete_current_key'],
  }),
  rotateApiKey: endpoint({
    operationId: 'rotateApiKey', method: 'POST', path: '/org/api_keys/{id}/rotate', tag: 'API keys', summary: 'Issue a new secret for an API key',
    access: 'org_wide', pathRecord: 'api_key', body: keys.RotateApiKey, bodyOptional: true, responses: { 201: keys.CreatedApiKey }, errors: ['bad_request', 'not_found'], idempotent: true,
  }),
  // Identity
  whoami: endpoint({
    operationId: 'whoami', method: 'GET', path: '/whoami', tag: 'Authentication', summary: 'Inspect the credential of this request',
    access: 'any', responses: { 200: Identity }, errors: [],
  }),
  // Browsers
  listBrowsers: endpoint({
    operationId: 'listBrowsers', method: 'GET', path: '/browsers', tag: 'Browsers', summary: 'List browser sessions',
    access: 'any', query: browsers.ListBrowsersQuery, responses: { 200: list(browsers.BrowserSession) }, errors: ['bad_request'], paged: true,
  }),
  createBrowser: endpoint({
    operationId: 'createBrowser', method: 'POST', path: '/browsers', tag: 'Browsers', summary: 'Start a browser',
    access: 'any', body: browsers.CreateBrowser, bodyOptional: true, responses: { 200: browsers.BrowserSession },
    errors: ['bad_request', 'conflict', 'concurrency_limit_exceeded', 'usage_unavailable', 'capacity_exhausted'], idempotent: true,
  }),
  getBrowser: endpoint({
    operationId: 'getBrowser', method: 'GET', path: '/browsers/{id}', tag: 'Browsers', summary: 'Get a browser session by id or name',
    access: 'any', pathRecord: 'browser', query: browsers.GetBrowserQuery, responses: { 200: browsers.BrowserSession }, errors: ['not_found', 'bad_request'],
  }),
  updateBrowser: endpoint({
    operationId: 'updateBrowser', method: 'PATCH', path: '/browsers/{id}', tag: 'Browsers', summary: 'Change a running browser session',
    access: 'any', pathRecord: 'browser', body: browsers.UpdateBrowser, responses: { 200: browsers.BrowserSession }, errors: ['bad_request', 'not_found', 'conflict'],
  }),
  deleteBrowser: endpoint({
    operationId: 'deleteBrowser', method: 'DELETE', path: '/browsers/{id}', tag: 'Browsers', summary: 'End a browser session',
    access: 'any', pathRecord: 'browser', responses: { 204: null }, errors: ['not_found'],
  }),
  // Browser pools
  listBrowserPools: endpoint({
    operationId: 'listBrowserPools', method: 'GET', path: '/browser_pools', tag: 'Browser pools', summary: 'List browser pools',
    access: 'any', query: pools.ListBrowserPoolsQuery, responses: { 200: list(pools.BrowserPool) }, errors: ['bad_request'], paged: true,
  }),
  createBrowserPool: endpoint({
    operationId: 'createBrowserPool', method: 'POST', path: '/browser_pools', tag: 'Browser pools', summary: 'Create a pool of ready browsers',
    access: 'any', body: pools.CreateBrowserPool, responses: { 201: pools.BrowserPool }, errors: ['bad_request', 'conflict', 'concurrency_limit_exceeded', 'usage_unavailable'], idempotent: true,
  }),
  getBrowserPool: endpoint({
    operationId: 'getBrowserPool', method: 'GET', path: '/browser_pools/{id}', tag: 'Browser pools', summary: 'Get a pool by id or name',
    access: 'any', pathRecord: 'browser_pool', responses: { 200: pools.BrowserPool }, errors: ['not_found'],
  }),
  updateBrowserPool: endpoint({
    operationId: 'updateBrowserPool', method: 'PATCH', path: '/browser_pools/{id}', tag: 'Browser pools', summary: 'Change a pool, its size included',
    access: 'any', pathRecord: 'browser_pool', body: pools.UpdateBrowserPool, responses: { 200: pools.BrowserPool },
    errors: ['bad_request', 'not_found', 'conflict', 'concurrency_limit_exceeded', 'usage_unavailable'],
  }),
  deleteBrowserPool: endpoint({
    operationId: 'deleteBrowserPool', method: 'DELETE', path: '/browser_pools/{id}', tag: 'Browser pools', summary: 'Delete a pool',
    access: 'any', pathRecord: 'browser_pool', body: pools.DeleteBrowserPool, bodyOptional: true, responses: { 204: null }, errors: ['bad_request', 'not_found', 'resource_in_use'],
  }),
  acquireFromPool: endpoint({
    operationId: 'acquireFromPool', method: 'POST', path: '/browser_pools/{id}/acquire', tag: 'Browser pools', summary: 'Lease a browser, waiting for one',
    access: 'any', pathRecord: 'browser_pool', body: pools.AcquireFromPool, bodyOptional: true, responses: { 200: browsers.BrowserSession, 204: null },
    errors: ['bad_request', 'not_found', 'conflict'], idempotent: true,
  }),
  releaseToPool: endpoint({
    operationId: 'releaseToPool', method: 'POST', path: '/browser_pools/{id}/release', tag: 'Browser pools', summary: 'Give a leased browser back',
    access: 'any', pathRecord: 'browser_pool', body: pools.ReleaseToPool, responses: { 204: null }, errors: ['bad_request', 'not_found'], idempotent: true,
  }),
  flushPool: endpoint({
    operationId: 'flushPool', method: 'POST', path: '/browser_pools/{id}/flush', tag: 'Browser pools', summary: 'Replace all idle browsers',
    access: 'any', pathRecord: 'browser_pool', responses: { 204: null }, errors: ['not_found'], idempotent: true,
  }),
  // Invocations
  listInvocations: endpoint({
    operationId: 'listInvocations', method: 'GET', path: '/invocations', tag: 'Invocations', summary: 'List invocations',
    access: 'any', query: invocations.ListInvocationsQuery, responses: { 200: list(invocations.Invocation) }, errors: ['bad_request'], paged: true,
  }),
  createInvocation: endpoint({
    operationId: 'createInvocation', method: 'POST', path: '/invocations', tag: 'Invocations', summary: 'Record a run',
    access: 'any', body: invocations.CreateInvocation, responses: { 201: invocations.Invocation }, errors: ['bad_request', 'concurrency_limit_exceeded'], idempotent: true,
  }),
  getInvocation: endpoint({
    operationId: 'getInvocation', method: 'GET', path: '/invocations/{id}', tag: 'Invocations', summary: 'Get an invocation',
    access: 'any', pathRecord: 'invocation', responses: { 200: invocations.Invocation }, errors: ['not_found'],
  }),
  updateInvocation: endpoint({
    operationId: 'updateInvocation', method: 'PATCH', path: '/invocations/{id}', tag: 'Invocations', summary: 'End an invocation',
    access: 'any', pathRecord: 'invocation', body: invocations.UpdateInvocation, responses: { 200: invocations.Invocation }, errors: ['bad_request', 'not_found', 'conflict'],
  }),
  listInvocationBrowsers: endpoint({
    operationId: 'listInvocationBrowsers', method: 'GET', path: '/invocations/{id}/browsers', tag: 'Invocations', summary: 'Active browser sessions of an invocation, newest first',
    access: 'any', pathRecord: 'invocation_browsers', responses: { 200: invocations.InvocationBrowsers }, errors: ['not_found'],
  }),
  deleteInvocationBrowsers: endpoint({
    operationId: 'deleteInvocationBrowsers', method: 'DELETE', path: '/invocations/{id}/browsers', tag: 'Invocations', summary: 'End all browsers of an invocation',
    access: 'any', pathRecord: 'invocation', responses: { 204: null }, errors: ['not_found'],
  }),
  // Profiles
  listProfiles: endpoint({
    operationId: 'listProfiles', method: 'GET', path: '/profiles', tag: 'Profiles', summary: 'List profiles',
    access: 'any', query: profiles.ListProfilesQuery, responses: { 200: list(profiles.Profile) }, errors: ['bad_request'], paged: true,
  }),
  createProfile: endpoint({
    operationId: 'createProfile', method: 'POST', path: '/profiles', tag: 'Profiles', summary: 'Create an empty profile',
    access: 'any', body: profiles.CreateProfile, bodyOptional: true, responses: { 201: profiles.Profile }, errors: ['bad_request', 'conflict'], idempotent: true,
  }),
  getProfile: endpoint({
    operationId: 'getProfile', method: 'GET', path: '/profiles/{id}', tag: 'Profiles', summary: 'Get a profile by id or name',
    access: 'any', pathRecord: 'profile', responses: { 200: profiles.Profile }, errors: ['not_found'],
  }),
  updateProfile: endpoint({
    operationId: 'updateProfile', method: 'PATCH', path: '/profiles/{id}', tag: 'Profiles', summary: 'Rename a profile',
    access: 'any', pathRecord: 'profile', body: profiles.UpdateProfile, responses: { 200: profiles.Profile }, errors: ['bad_request', 'not_found', 'conflict'],
  }),
  deleteProfile: endpoint({
    operationId: 'deleteProfile', method: 'DELETE', path: '/profiles/{id}', tag: 'Profiles', summary: 'Delete a profile',
    access: 'any', pathRecord: 'profile', responses: { 204: null }, errors: ['not_found', 'resource_in_use'],
  }),
  // Credentials
  listCredentials: endpoint({
    operationId: 'listCredentials', method: 'GET', path: '/credentials', tag: 'Credentials', summary: 'List stored credentials, without their values',
    access: 'any', query: credentials.ListCredentialsQuery, responses: { 200: list(credentials.Credential) }, errors: ['bad_request'], paged: true,
  }),
  createCredential: endpoint({
    operationId: 'createCredential', method: 'POST', path: '/credentials', tag: 'Credentials', summary: 'Store a credential',
    access: 'any', body: credentials.CreateCredential, responses: { 201: credentials.Credential }, errors: ['bad_request', 'conflict'], idempotent: true,
  }),
  getCredential: endpoint({
    operationId: 'getCredential', method: 'GET', path: '/credentials/{id}', tag: 'Credentials', summary: 'Get a credential by id or name, without its values',
    access: 'any', pathRecord: 'credential', responses: { 200: credentials.Credential }, errors: ['not_found'],
  }),
  updateCredential: endpoint({
    operationId: 'updateCredential', method: 'PATCH', path: '/credentials/{id}', tag: 'Credentials', summary: 'Change a credential',
    access: 'any', pathRecord: 'credential', body: credentials.UpdateCredential, responses: { 200: credentials.Credential }, errors: ['bad_request', 'not_found', 'conflict'],
  }),
  deleteCredential: endpoint({
    operationId: 'deleteCredential', method: 'DELETE', path: '/credentials/{id}', tag: 'Credentials', summary: 'Delete a credential',
    access: 'any', pathRecord: 'credential', responses: { 204: null }, errors: ['not_found'],
  }),
  getTotpCode: endpoint({
    operationId: 'getTotpCode', method: 'GET', path: '/credentials/{id}/totp-code', tag: 'Credentials', summary: 'The current one-time code of a credential with a TOTP secret',
    access: 'any', pathRecord: 'credential', responses: { 200: credentials.TotpCode }, errors: ['not_found', 'bad_request'],
  }),
  // Managed auth
  listAuthConnections: endpoint({
    operationId: 'listAuthConnections', method: 'GET', path: '/auth/connections', tag: 'Managed auth', summary: 'List auth connections',
    access: 'any', query: auth.ListAuthConnectionsQuery, responses: { 200: list(auth.AuthConnection) }, errors: ['bad_request'], paged: true,
  }),
  createAuthConnection: endpoint({
    operationId: 'createAuthConnection', method: 'POST', path: '/auth/connections', tag: 'Managed auth', summary: 'Create an auth connection',
    access: 'any', body: auth.CreateAuthConnection, responses: { 201: auth.AuthConnection }, errors: ['bad_request', 'conflict'], idempotent: true,
  }),
  getAuthConnection: endpoint({
    operationId: 'getAuthConnection', method: 'GET', path: '/auth/connections/{id}', tag: 'Managed auth', summary: 'Get an auth connection and its current flow',
    access: 'any', pathRecord: 'auth_connection', responses: { 200: auth.AuthConnection }, errors: ['not_found'],
  }),
  updateAuthConnection: endpoint({
    operationId: 'updateAuthConnection', method: 'PATCH', path: '/auth/connections/{id}', tag: 'Managed auth', summary: 'Change an auth connection',
    access: 'any', pathRecord: 'auth_connection', body: auth.UpdateAuthConnection, responses: { 200: auth.AuthConnection }, errors: ['bad_request', 'not_found'],
  }),
  deleteAuthConnection: endpoint({
    operationId: 'deleteAuthConnection', method: 'DELETE', path: '/auth/connections/{id}', tag: 'Managed auth', summary: 'Delete an auth connection, canceling its flow',
    access: 'any', pathRecord: 'auth_connection', responses: { 204: null }, errors: ['not_found'],
  }),
  startLogin: endpoint({
    operationId: 'startLogin', method: 'POST', path: '/auth/connections/{id}/login', tag: 'Managed auth', summary: 'Start a login flow',
    access: 'any', pathRecord: 'auth_connection', body: auth.StartLogin, bodyOptional: true, responses: { 200: auth.LoginStarted },
    errors: ['bad_request', 'not_found', 'flow_in_progress', 'concurrency_limit_exceeded', 'usage_unavailable'], idempotent: true,
  }),
  submitLogin: endpoint({
    operationId: 'submitLogin', method: 'POST', path: '/auth/connections/{id}/submit', tag: 'Managed auth', summary: 'Answer what a login flow asks',
    access: 'any', pathRecord: 'auth_connection', body: auth.SubmitLogin, responses: { 202: auth.SubmitAccepted },
    errors: ['bad_request', 'not_found', 'no_active_flow', 'stale_interaction', 'invalid_submission'], idempotent: true,
  }),
  cancelLogin: endpoint({
    operationId: 'cancelLogin', method: 'POST', path: '/auth/connections/{id}/cancel', tag: 'Managed auth', summary: 'Cancel the running login flow',
    access: 'any', pathRecord: 'auth_connection', responses: { 202: auth.SubmitAccepted }, errors: ['not_found', 'no_active_flow'], idempotent: true,
  }),
  followConnection: endpoint({
    operationId: 'followConnection', method: 'GET', path: '/auth/connections/{id}/events', tag: 'Managed auth', summary: 'Follow a login flow as server-sent events',
    access: 'any', pathRecord: 'followed_connection', responses: { 200: ConnectionEvent, 204: null }, errors: ['not_found', 'internal_error'], mediaType: 'text/event-stream',
  }),
  getTimeline: endpoint({
    operationId: 'getTimeline', method: 'GET', path: '/auth/connections/{id}/timeline', tag: 'Managed auth', summary: 'Logins, re-logins and health checks, newest first',
    access: 'any', pathRecord: 'auth_connection', query: auth.TimelineQuery, responses: { 200: list(auth.TimelineEvent) }, errors: ['not_found', 'bad_request'], paged: true,
  }),
  // Hosted login page: the link itself is exchanged for a cookie that is good for one flow (D58)
  openHostedPage: endpoint({
    operationId: 'openHostedPage', method: 'GET', path: '/hosted/{token}', tag: 'Hosted login', summary: 'The page on which a person finishes a login',
    access: 'none', responses: { 200: null }, errors: ['not_found', 'service_unavailable'], mediaType: 'text/html',
  }),
  followHostedFlow: endpoint({
    operationId: 'followHostedFlow', method: 'GET', path: '/hosted/flow/{id}/events', tag: 'Hosted login', summary: 'The event stream of the hosted page',
    access: 'hosted', responses: { 200: ConnectionEvent, 204: null }, errors: ['not_found'], mediaType: 'text/event-stream',
  }),
  submitHostedFlow: endpoint({
    operationId: 'submitHostedFlow', method: 'POST', path: '/hosted/flow/{id}/submit', tag: 'Hosted login', summary: 'Answer from the hosted page',
    access: 'hosted', body: auth.SubmitLogin, responses: { 202: auth.SubmitAccepted }, errors: ['bad_request', 'no_active_flow', 'stale_interaction', 'invalid_submission'],
  }),
  // Health and documents
  live: endpoint({
    operationId: 'live', method: 'GET', path: '/health/live', tag: 'Health', summary: 'The process runs', access: 'none', responses: { 200: health.Liveness }, errors: [],
  }),
  ready: endpoint({
    operationId: 'ready', method: 'GET', path: '/health/ready', tag: 'Health', summary: 'The process can serve', access: 'none',
    responses: { 200: health.Readiness, 503: health.Readiness }, errors: [],
  }),
  metrics: endpoint({
    operationId: 'metrics', method: 'GET', path: '/metrics', tag: 'Health', summary: 'Prometheus metrics', access: 'none', responses: { 200: null }, errors: [], mediaType: 'text/plain',
  }),
  openapi: endpoint({
    operationId: 'openapi', method: 'GET', path: '/openapi.json', tag: 'Health', summary: 'This document', access: 'none', responses: { 200: z.record(z.string(), z.unknown()) }, errors: [],
  }),
  docs: endpoint({
    operationId: 'docs', method: 'GET', path: '/docs', tag: 'Health', summary: 'The documentation page', access: 'none', responses: { 200: null }, errors: [], mediaType: 'text/html',
  }),
  docsFile: endpoint({
    operationId: 'docsFile', method: 'GET', path: '/docs/{name}', tag: 'Health', summary: 'A script or style sheet of the documentation page', access: 'none', responses: { 200: null },
    errors: ['not_found'], mediaType: '*/*',
  }),
};

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
