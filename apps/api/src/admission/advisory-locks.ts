import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { API_CONFIG, type ApiConfig } from '../config.js';

/**
 * Locks across all API processes, held by one connection of its own: PostgreSQL lets go of them when this process dies, and no lock ever waits for a connection
 * that the work under it needs.
 */
@Injectable()
export class AdvisoryLocks implements OnApplicationShutdown {
  readonly #held = new Set<string>();
  #connection: Promise<pg.Client> | undefined;

  constructor(@Inject(API_CONFIG) private readonly config: ApiConfig) {}

  /** Runs `work` when nobody is at `name`, in this process or another; otherwise answers undefined at once. */
  async tryWith<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    // A connection may take its own lock again, so this process keeps itself out.
    if (this.#held.has(name)) return undefined;
    this.#held.add(name);
    try {
      const client = await this.#connect();
      const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked', [name]);
      if (rows[0]?.locked !== true) return undefined;
      try {
        return await work();
      } finally {
        // A connection that broke has let go of its locks already.
        await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name]).catch(() => undefined);
      }
    } finally {
      this.#held.delete(name);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    const client = await this.#connection?.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }

  #connect(): Promise<pg.Client> {
    this.#connection ??= this.#open();
    return this.#connection;
  }

  async #open(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.config.databaseUrl, application_name: 'berth-api-locks', connectionTimeoutMillis: 5_000, keepAlive: true });
    const forget = (): void => {
      this.#connection = undefined;
    };
    client.on('error', forget).on('end', forget);
    try {
      await client.connect();
    } catch (error) {
      forget();
      throw error;
    }
    return client;
  }
}
