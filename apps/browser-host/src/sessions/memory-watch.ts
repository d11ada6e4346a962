import type { Logger } from '@berth/logging';
import type { Sessions } from './sessions.js';

/** Ends every session whose browser takes more than `limitBytes`: one runaway page must not take the host's other browsers with it. */
export function endOversized(sessions: Sessions, limitBytes: number, logger: Logger): void {
  for (const session of sessions.all) {
    if (session.chromium === undefined || session.ending !== undefined) continue;
    const bytes = session.chromium.memory;
    if (bytes <= limitBytes) continue;
    logger.warn({ session_id: session.id, bytes, limit_bytes: limitBytes }, 'session takes too much memory');
    void sessions.end(session, 'memory_exceeded');
  }
}
