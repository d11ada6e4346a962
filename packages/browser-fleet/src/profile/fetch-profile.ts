import type { Sealer } from '@berth/secrets';
import { type Addressed, profileUrl } from '../addresses.js';
import { ProfileReading } from './reading.js';

const answerWithinMs = 30_000;

/**
 * Reads what a running session's browser holds, from its host: the host knows every origin the default context has visited, also those
 * before a worker took over. Works for sessions whose row has a `profile_id`.
 * @throws when the host cannot be reached, or the session is not running.
 */
export async function fetchProfile(hostInternalUrl: string, session: Addressed, sealer: Sealer): Promise<ProfileReading> {
  const response = await fetch(profileUrl(hostInternalUrl, session, sealer), { signal: AbortSignal.timeout(answerWithinMs) });
  if (!response.ok) throw new Error(`the host answered ${response.status} when asked for the profile of session ${session.id}`);
  return ProfileReading.parse(await response.json());
}
