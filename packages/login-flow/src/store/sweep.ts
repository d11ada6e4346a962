import type { LoginFlowRow } from '@berth/database';
import { exclusively } from '@berth/database/unscoped';
import { type LoginJob, ownerLease } from '../queue.js';
import { finishSaved } from './advance.js';
import { closeFlow, expire } from './end.js';
import { access, type BrowserToEnd, type FlowStore } from './flow-store.js';

/** What a sweep did, for a log line and the metrics. */
export interface SweepReport {
  /** Another process was sweeping; nothing was looked at. */
  readonly skipped: boolean;
  readonly expired: number;
  readonly canceled: number;
  readonly failed: number;
  readonly finished: number;
  readonly requeued: number;
  readonly browsersEnded: number;
}

const nothing: SweepReport = { skipped: true, expired: 0, canceled: 0, failed: 0, finished: 0, requeued: 0, browsersEnded: 0 };
const batch = 100;

/** Why a running flow needs the sweep; the first that holds counts. */
const orphans = `
SELECT f.id, CASE
  WHEN f.saved_at IS NOT NULL AND (least(f.expires_at, coalesce(f.pause_expires_at, f.expires_at)) <= now() OR s.deleted_at IS NOT NULL) THEN 'saved'
  WHEN least(f.expires_at, coalesce(f.pause_expires_at, f.expires_at)) <= now() THEN 'overdue'
  WHEN c.deleted_at IS NOT NULL THEN 'connection_gone'
  WHEN s.id IS NULL OR s.deleted_at IS NOT NULL THEN 'browser_gone'
  WHEN coalesce(f.owner_seen_at, f.created_at) < now() - $1 * interval '1 millisecond' THEN 'lost'
END AS reason
FROM login_flows f JOIN auth_connections c ON c.id = f.connection_id LEFT JOIN browser_sessions s ON s.id = f.browser_session_id
WHERE f.status = 'IN_PROGRESS' AND (
  least(f.expires_at, coalesce(f.pause_expires_at, f.expires_at)) <= now() OR c.deleted_at IS NOT NULL OR s.id IS NULL OR s.deleted_at IS NOT NULL
  OR coalesce(f.owner_seen_at, f.created_at) < now() - $1 * interval '1 millisecond')
ORDER BY f.expires_at LIMIT ${batch}`;

const needlessBrowsers = `
SELECT s.id AS "sessionId", s.organization_id AS "organizationId", s.project_id AS "projectId"
FROM browser_sessions s
WHERE s.deleted_at IS NULL AND s.kind = 'login' AND s.status IN ('starting', 'running')
  AND NOT EXISTS (SELECT 1 FROM login_flows f WHERE f.browser_session_id = s.id AND f.status = 'IN_PROGRESS')
LIMIT ${batch}`;

type Reason = 'saved' | 'overdue' | 'connection_gone' | 'browser_gone' | 'lost';
type Counter = Exclude<keyof SweepReport, 'skipped' | 'browsersEnded'>;

/** What is done about each, and where it is counted. */
const remedies: {
  readonly [R in Reason]: {
    readonly counter: Counter;
    readonly act: (store: FlowStore, flow: LoginFlowRow, enqueue: Enqueue) => Promise<unknown>;
  };
} = {
  saved: { counter: 'finished', act: finishSaved },
  overdue: { counter: 'expired', act: expire },
  connection_gone: { counter: 'canceled', act: (store, flow) => closeFlow(store, flow, { kind: 'cancel' }) },
  browser_gone: {
    counter: 'failed',
    act: (store, flow) =>
      closeFlow(store, flow, {
        kind: 'fail',
        code: 'browser_error',
        message: 'The browser of this login ended before the login was done.',
      }),
  },
  lost: { counter: 'requeued', act: (_store, flow, enqueue) => enqueue({ flowId: flow.id, epoch: flow.ownerEpoch }) },
};

/** Puts a job on the login queue; adding one that is queued already changes nothing. */
export type Enqueue = (job: LoginJob) => Promise<unknown>;

/**
 * Closes what is overdue, ends what lost its browser or connection, gives flows without a living worker back to the queue, and ends login
 * browsers that no flow uses. Every API process and every worker runs it every `BERTH_SWEEP_SECONDS`; the lock lets one at a time work
 * (D39).
 */
export async function sweepFlows(store: FlowStore, enqueue: Enqueue): Promise<SweepReport> {
  const { pool, prisma } = access(store);
  let report = nothing;
  await exclusively(pool, 'sweep of login flows', async () => {
    const counts = { ...nothing, skipped: false };
    const { rows } = await pool.query<{ id: string; reason: Reason }>(orphans, [ownerLease.lostAfterMs]);
    const reasons = new Map(rows.map(({ id, reason }) => [id, reason]));
    for (const flow of await prisma.loginFlow.findMany({ where: { id: { in: [...reasons.keys()] }, status: 'IN_PROGRESS' } })) {
      const { counter, act } = remedies[reasons.get(flow.id) as Reason];
      if ((await act(store, flow, enqueue)) !== null) counts[counter] += 1;
    }
    const browsers = await pool.query<BrowserToEnd>(needlessBrowsers);
    for (const browser of browsers.rows) await store.endBrowser(browser);
    report = { ...counts, browsersEnded: browsers.rows.length };
  });
  return report;
}
