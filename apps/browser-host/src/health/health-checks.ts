import type { Database } from '@berth/database';
import type { Readiness } from '@berth/schema';
import type { Host } from '../host/host.js';

interface Pingable {
  ping(): Promise<unknown>;
}

/** Whether this host can take launches: it needs both stores, and must not be stopping. */
export class HealthChecks {
  constructor(private readonly host: Host, private readonly database: Database, private readonly redis: Pingable) {}

  async readiness(): Promise<Readiness> {
    const [postgres, redis] = await Promise.all([answers(this.database), answers(this.redis)]);
    const host = this.host.draining ? 'stopping' : 'up';
    const checks = { host, postgres, redis } as const;
    if (host !== 'up' || postgres === 'down') return { status: 'unavailable', checks };
    return { status: redis === 'down' ? 'degraded' : 'ok', checks };
  }
}

const answerWithinMs = 1_000;

async function answers(store: Pingable): Promise<'up' | 'down'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'down'>((resolve) => {
    timer = setTimeout(() => resolve('down'), answerWithinMs);
  });
  try {
    return await Promise.race([store.ping().then(() => 'up' as const, () => 'down' as const), late]);
  } finally {
    clearTimeout(timer);
  }
}
