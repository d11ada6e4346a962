import type { SessionStanding } from '@berth/browser-fleet';
import { AdmissionUnavailable, type Refused } from '@berth/live-sessions';
import type { ErrorCode } from '@berth/schema';
import { ApiError } from '../errors/api-error.js';

const scopeInWords = { organization: 'organization', project: 'project' } as const;

/** 429 with exactly one detail: which scope is full, its limit and its usage (D28). */
export function capReached({ full, limit, used }: Pick<Refused, 'full' | 'limit' | 'used'>): ApiError {
  return new ApiError('concurrency_limit_exceeded', `The ${scopeInWords[full]} runs as many browsers as it may.`, {
    details: [{ code: full, message: `limit ${limit}, used ${used}` }],
  });
}

/** 503: nothing is admitted while usage is not known (D29). */
export function usageUnavailable(cause: unknown): ApiError {
  return new ApiError('usage_unavailable', 'Usage cannot be read at the moment, so nothing new is admitted.', { cause });
}

/** Runs something that asks admission, and answers its outages as 503. */
export async function orUnavailable<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw error instanceof AdmissionUnavailable ? usageUnavailable(error) : error;
  }
}

type Reason = NonNullable<SessionStanding['endReason']>;

/** What the caller of a create is told when the session ended instead of running. */
const tellingOf: Partial<Record<Reason, readonly [ErrorCode, string]>> = {
  launch_unclaimed: ['capacity_exhausted', 'No browser host had room for the browser.'],
  host_stopped: ['capacity_exhausted', 'The browser host was stopped while the browser started.'],
  host_lost: ['capacity_exhausted', 'The browser host was lost while the browser started.'],
  deleted: ['conflict', 'The browser was deleted while it started.'],
};

/** 529 when no host took the launch in time (house.md "Create a browser"); otherwise what its end says. */
export function launchFailed(standing: SessionStanding | undefined): ApiError {
  const [code, message] = tellingOf[standing?.endReason ?? 'launch_unclaimed'] ?? ['service_unavailable', 'The browser could not be started.'];
  return new ApiError(code, message, { cause: new Error(`session ${standing?.id ?? '?'} is ${standing?.status ?? 'gone'}: ${standing?.endReason ?? 'not claimed in time'}`) });
}
