import type { Readiness } from '@berth/schema';
import { type Pingable, storeChecks } from './store-checks.js';

export interface Standing {
  /** Under which the process itself stands among the checks. */
  readonly name: string;
  readonly stopping: boolean;
  readonly stores: Readonly<Record<'postgres' | 'redis', Pingable>>;
}

/** D53: without PostgreSQL, or on its way out, a process takes no work; without Redis it goes on, and less well. */
export async function readinessOf({ name, stopping, stores }: Standing): Promise<Readiness> {
  const states = await storeChecks(stores);
  const checks = { [name]: stopping ? ('stopping' as const) : ('up' as const), ...states };
  if (stopping || states.postgres === 'down') return { status: 'unavailable', checks };
  return { status: states.redis === 'down' ? 'degraded' : 'ok', checks };
}
