import type { InvocationRow } from '@berth/database';
import type { Invocation } from '@berth/schema';

/** The record of a run; what does not apply yet is left out (D32). */
export function invocationView(row: InvocationRow): Invocation {
  return {
    id: row.id,
    app_name: row.appName,
    action_name: row.actionName,
    version: row.version,
    status: row.status,
    started_at: row.startedAt.toISOString(),
    ...(row.finishedAt === null ? {} : { finished_at: row.finishedAt.toISOString() }),
    ...(row.payload === null ? {} : { payload: row.payload }),
    ...(row.output === null ? {} : { output: row.output }),
  };
}
