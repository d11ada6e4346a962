import type { CreateAuthConnection, StartLogin, UpdateAuthConnection } from '@berth/schema';
import { asksForTelemetry } from '../browsers/capabilities.js';
import { invalid } from '../errors/api-error.js';

type Choices = Partial<CreateAuthConnection & UpdateAuthConnection & StartLogin>;

interface Rule {
  readonly field: string;
  readonly refuses: (choices: Choices) => boolean;
  readonly message: string;
}

/** Everything of the published client's requests that this deployment cannot do. Refused by name, never dropped silently (D30). */
const rules: readonly Rule[] = [
  { field: 'proxy', refuses: ({ proxy }) => proxy !== undefined, message: 'names no proxy of this project' },
  {
    field: 'record_session',
    refuses: ({ record_session }) => record_session === true,
    message: 'recordings are not offered by this deployment',
  },
  {
    field: 'browser_telemetry',
    refuses: ({ browser_telemetry }) => asksForTelemetry(browser_telemetry),
    message: 'telemetry is not offered by this deployment',
  },
  {
    field: 'credential.provider',
    refuses: ({ credential }) => credential?.provider !== undefined,
    message: 'names no credential provider of this deployment',
  },
  {
    field: 'credential.path',
    refuses: ({ credential }) => credential?.path !== undefined,
    message: 'needs a credential provider, and this deployment has none',
  },
  {
    field: 'credential.auto',
    refuses: ({ credential }) => credential?.auto === true,
    message: 'needs a credential provider, and this deployment has none',
  },
  {
    field: 'credential.name',
    refuses: ({ credential }) => credential !== undefined && credential.name === undefined,
    message: 'is missing',
  },
];

/** @throws ApiError bad_request naming every such field. */
export function refuseUnsupported(choices: Choices): void {
  const faults = rules.filter(({ refuses }) => refuses(choices));
  if (faults.length > 0) throw invalid(...faults);
}

/** Columns that a create or an update may set; absent leaves the column as it is. */
export interface ChosenColumns {
  readonly allowedDomains?: string[];
  readonly autoReauth?: boolean;
  readonly healthChecks?: boolean;
  readonly healthCheckInterval?: number;
  readonly loginUrl?: string;
  readonly saveCredentials?: boolean;
}

export function chosenColumns(choices: Choices): ChosenColumns {
  const { allowed_domains, auto_reauth, health_checks, health_check_interval, login_url, save_credentials } = choices;
  return {
    ...(allowed_domains !== undefined && { allowedDomains: [...new Set(allowed_domains)] }),
    ...(auto_reauth !== undefined && { autoReauth: auto_reauth }),
    ...(health_checks !== undefined && { healthChecks: health_checks }),
    ...(health_check_interval !== undefined && { healthCheckInterval: health_check_interval }),
    ...(login_url !== undefined && { loginUrl: login_url }),
    ...(save_credentials !== undefined && { saveCredentials: save_credentials }),
  };
}
