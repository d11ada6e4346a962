import { type FlowStore, sweepFlows } from '@berth/login-flow';
import type { LoginQueue } from '../auth-connections/flow-store.module.js';
import type { Sweep } from './sweep-schedule.js';

/** Overdue and orphaned login flows, closed by whichever process lives: no worker is needed for a flow to end (D39). */
export function loginFlowSweep(store: FlowStore, queue: LoginQueue, everyMs: number): Sweep {
  return { name: 'login flows', everyMs, locksItself: true, run: async () => void (await sweepFlows(store, (job) => queue.enqueue(job))) };
}
