import { keepChanges, type ProfileReading, requestLaunch } from '@berth/browser-fleet';
import { type AuthConnectionRow, newId } from '@berth/database';
import { projectScope } from '@berth/database/unscoped';
import { canReauth, FlowState, type FlowStore, type LoginJob, Requirements, startAddress, startFlow } from '@berth/login-flow';
import type { AuthStatus, FlowErrorCode } from '@berth/schema';
import { FIRST_WAYS } from '../discovery/rules/kind-rules.js';
import { NOTHING_SENT, type Verdict } from '../discovery/verdict.js';
import { mayBeAt } from '../login/domains.js';
import { homeOf } from '../login/flow-journal.js';
import { type BrowserPorts, openLoginBrowser } from '../login/login-browser.js';
import { NOTHING_KNOWN, type Classify, settle } from '../login/settle.js';
import type { QuietLimits } from '../page/page-port.js';
import { acquireSlot, type SlotPorts } from './slots.js';

export interface CheckPorts extends SlotPorts {
  readonly store: FlowStore;
  readonly browsers: BrowserPorts;
  readonly classify: Classify;
  readonly quiet: QuietLimits;
  /** Asks for the browser and queues the flow. */
  enqueue(sessionId: string, job: LoginJob): Promise<void>;
}

/** A check's browser lives this long at most without its worker: seconds. */
const idleSeconds = 60;
const gotoMs = 20_000;
/** When there was no slot or no browser, the check is tried again after this: seconds. */
const retrySeconds = 60;

/**
 * Takes the connections whose check is due, so that no other worker takes them too: their next check is written at once. Nothing is due
 * while a flow runs, or in a project that is not active.
 */
async function takeDue({ access }: CheckPorts, most: number): Promise<readonly string[]> {
  const { rows } = await access.pool.query<{ id: string }>(
    `
    UPDATE auth_connections SET next_check_at = now() + health_check_interval * interval '1 second'
    WHERE id IN (
      SELECT c.id FROM auth_connections c JOIN projects p ON p.id = c.project_id
      WHERE c.next_check_at <= now() AND c.health_checks AND c.deleted_at IS NULL AND p.status = 'active' AND p.deleted_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM login_flows f WHERE f.connection_id = c.id AND f.status = 'IN_PROGRESS')
      ORDER BY c.next_check_at LIMIT $1 FOR UPDATE OF c SKIP LOCKED)
    RETURNING id`,
    [most],
  );
  return rows.map(({ id }) => id);
}

/** Checks up to `most` due connections, one after another. @returns how many were looked at. */
export async function checkDueConnections(ports: CheckPorts, most = 5): Promise<number> {
  const due = await takeDue(ports, most);
  for (const id of due) {
    const connection = await ports.access.prisma.authConnection.findUniqueOrThrow({ where: { id } });
    await checkConnection(ports, connection);
  }
  return due.length;
}

/** Opens a browser with the profile and looks whether it is logged in; if not, logs in again without a person where that can work (D44). */
export async function checkConnection(ports: CheckPorts, connection: AuthConnectionRow): Promise<void> {
  const sessionId = newId();
  const seen = (await acquireSlot(ports, connection, sessionId)) ? await lookIn(ports, connection, sessionId) : null;
  if (seen === null) {
    await ports.access.pool.query(
      `UPDATE auth_connections SET next_check_at = least(next_check_at, now() + $2 * interval '1 second') WHERE id = $1`,
      [connection.id, retrySeconds],
    );
    return;
  }
  if (!(await record(ports, connection, seen, sessionId))) return;
  if (seen.status === 'NEEDS_AUTH') await reauthenticate(ports, connection);
}

/** What a check has found, and what its browser held then. */
interface Seen {
  readonly status: AuthStatus;
  readonly reading: ProfileReading;
}

/**
 * Keeps what the website gave the check's browser in exchange too: one that replaces its cookie at every visit knows the former one no more.
 * @returns false where a flow has begun since: it knows better than what was seen with the profile of before, which is forgotten.
 */
async function record(
  { access, browsers: { sealer } }: CheckPorts,
  { id, sequence, status: previousStatus, profileId }: AuthConnectionRow,
  { status, reading }: Seen,
  browserSessionId: string,
): Promise<boolean> {
  return access.prisma.$transaction(async (prisma) => {
    const { count } = await prisma.authConnection.updateMany({ where: { id, sequence }, data: { status, lastAuthCheckAt: new Date() } });
    if (count === 0) return false;
    await prisma.healthCheck.create({ data: { id: newId(), connectionId: id, status, previousStatus, browserSessionId } });
    if (status === 'AUTHENTICATED') await keepChanges(prisma, sealer, profileId, reading);
    return true;
  });
}

/** What the page says: null when it says nothing, because it could not be reached or not be understood. */
export function statusOf({ kind, rules }: Pick<Verdict, 'kind' | 'rules'>): AuthStatus | null {
  if (kind === 'logged_in') return 'AUTHENTICATED';
  const saysNothing = kind === 'unknown' || kind === 'error' || kind === 'captcha' || rules.includes(FIRST_WAYS);
  return saysNothing ? null : 'NEEDS_AUTH';
}

async function lookIn(ports: CheckPorts, connection: AuthConnectionRow, sessionId: string): Promise<Seen | null> {
  const { organizationId, projectId, profileId } = connection;
  const tenant = { organizationId, projectId };
  try {
    await ports.access.prisma.browserSession.create({
      data: { ...tenant, id: sessionId, kind: 'health_check', headless: true, timeoutSeconds: idleSeconds, profileId },
    });
    await requestLaunch(ports.browsers.launches, sessionId);
    const browser = await openLoginBrowser(ports.browsers, sessionId);
    try {
      const arrived = await browser.page.goto(startAddress(connection), gotoMs);
      if (arrived.kind === 'failed') return null;
      const { snapshot, verdict } = await settle(
        browser.page,
        ports.classify,
        { ...NOTHING_SENT, ...homeOf(connection) },
        ports.quiet,
        NOTHING_KNOWN,
        () => false,
      );
      const status = mayBeAt(snapshot.url, connection) ? statusOf(verdict) : null;
      return status === null ? null : { status, reading: await browser.profile() };
    } finally {
      await browser.disconnect();
    }
  } catch {
    // No host, no browser, or it died: the session itself may be in the best of health.
    return null;
  } finally {
    await ports.store.endBrowser({ ...tenant, sessionId });
    await ports.admissions.release(tenant, [sessionId]);
  }
}

/** What a login without a person ends in that only a person can get by. */
const FOR_PERSONS: readonly FlowErrorCode[] = [
  'credentials_invalid',
  'mfa_required',
  'external_action_required',
  'unsupported_auth_method',
];

/**
 * Such a login is not tried again until the credential is another or a person has logged in: websites lock accounts over values that they
 * refuse, and send a code for every try that is right but for one.
 */
async function hasFailed(
  { access }: CheckPorts,
  { id: connectionId, lastAuthAt }: AuthConnectionRow,
  { updatedAt }: { updatedAt: Date },
): Promise<boolean> {
  const since = lastAuthAt !== null && lastAuthAt > updatedAt ? lastAuthAt : updatedAt;
  const failed = await access.prisma.loginFlow.findMany({
    where: { connectionId, type: 'REAUTH', status: 'FAILED', createdAt: { gt: since } },
    select: { state: true },
  });
  return failed.some(({ state }) => FOR_PERSONS.some((code) => code === FlowState.parse(state).errorCode));
}

async function reauthenticate(ports: CheckPorts, connection: AuthConnectionRow): Promise<void> {
  if (!connection.autoReauth) return;
  const credential =
    connection.credentialId === null
      ? null
      : await ports.access.prisma.credential.findFirst({ where: { id: connection.credentialId, deletedAt: null } });
  const { can } = canReauth({
    lastAuthAt: connection.lastAuthAt,
    requirements: Requirements.safeParse(connection.requirements).data ?? null,
    credential: credential && { valueKeys: credential.valueKeys, hasTotpSecret: credential.sealedTotpSecret !== null },
  });
  if (!can || credential === null || (await hasFailed(ports, connection, credential))) return;
  const sessionId = newId();
  if (!(await acquireSlot(ports, connection, sessionId))) return;
  const started = await startFlow(ports.store, projectScope(connection.organizationId, connection.projectId), {
    connectionId: connection.id,
    type: 'REAUTH',
    sessionId,
    headless: true,
  });
  if (started.kind === 'started') await ports.enqueue(sessionId, { flowId: started.flow.id, epoch: 0 });
  else await ports.admissions.release(connection, [sessionId]);
}
