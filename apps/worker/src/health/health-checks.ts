import type { Database } from '@berth/database';
import type { Readiness } from '@berth/schema';

interface Pingable {
  ping(): Promise<unknown>;
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

/** Whether this worker can take flows: it needs PostgreSQL, and must not be stopping. Without Redis it only hears later (D53). */
export class HealthChecks {
  stopping = false;

  constructor(private readonly database: Database, private readonly redis: Pingable) {}

  async readiness(): Promise<Readiness> {
    const [postgres, redis] = await Promise.all([answers(this.database), answers(this.redis)]);
    const checks = { worker: this.stopping ? 'stopping' : 'up', postgres, redis } as const;
    if (this.stopping || postgres === 'down') return { status: 'unavailable', checks };
    return { status: redis === 'down' ? 'degraded' : 'ok', checks };
  }
}
