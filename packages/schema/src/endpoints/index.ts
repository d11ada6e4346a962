import { apiKeyEndpoints } from './api-keys.js';
import { authConnectionEndpoints } from './auth-connections.js';
import { browserPoolEndpoints } from './browser-pools.js';
import { browserEndpoints } from './browsers.js';
import { credentialEndpoints } from './credentials.js';
import { healthEndpoints } from './health.js';
import { hostedPageEndpoints } from './hosted-page.js';
import { identityEndpoints } from './identity.js';
import { invocationEndpoints } from './invocations.js';
import { limitEndpoints } from './limits.js';
import { profileEndpoints } from './profiles.js';
import { projectEndpoints } from './projects.js';

/**
 * Every endpoint of the service. Controllers serve them by name, the OpenAPI document is made of them, and the route matrix test walks
 * them.
 */
export const endpoints = {
  ...projectEndpoints,
  ...limitEndpoints,
  ...apiKeyEndpoints,
  ...identityEndpoints,
  ...browserEndpoints,
  ...browserPoolEndpoints,
  ...invocationEndpoints,
  ...profileEndpoints,
  ...credentialEndpoints,
  ...authConnectionEndpoints,
  ...hostedPageEndpoints,
  ...healthEndpoints,
};

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
