import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '@berth/database';
import { createOrganization, unscoped } from '@berth/database/unscoped';
import { type ApiKeySecret, describeApiKey, newApiKeySecret } from '@berth/secrets';
import { API_CONFIG, type ApiConfig } from '../config.js';

/** Any number that no other advisory lock of the product uses. */
const bootstrapLock = 7_241_013;

/** Name of the file in the data folder that holds a generated first key (D13). */
export const bootstrapKeyFile = 'bootstrap-key';

/**
 * The first run (D13): makes the organization, its default project and a first org-wide key, once. Processes that start together take an
 * advisory lock in turn, and whoever finds the organization there does nothing. A generated key is in its file before it is in the
 * database, so it cannot be lost in between.
 */
@Injectable()
export class Bootstrap implements OnModuleInit {
  constructor(
    @Inject(API_CONFIG) private readonly config: ApiConfig,
    @Inject(Database) private readonly database: Database,
  ) {}

  async onModuleInit(): Promise<void> {
    const name = this.config.bootstrapOrg;
    if (name === undefined) return;
    const { pool, prisma } = unscoped(this.database);
    const connection = await pool.connect();
    try {
      await connection.query('SELECT pg_advisory_lock($1)', [bootstrapLock]);
      try {
        if ((await prisma.organization.findUnique({ where: { name } })) !== null) return;
        const cap = this.config.orgMaxConcurrentSessions;
        await createOrganization(prisma, { name, ...(cap > 0 ? { maxConcurrentSessions: cap } : {}), firstKey: await this.#firstKey() });
      } finally {
        await connection.query('SELECT pg_advisory_unlock($1)', [bootstrapLock]);
      }
    } finally {
      connection.release();
    }
  }

  async #firstKey(): Promise<ApiKeySecret> {
    if (this.config.bootstrapKey !== undefined) return describeApiKey(this.config.bootstrapKey);
    const file = join(this.config.dataDir, bootstrapKeyFile);
    await mkdir(this.config.dataDir, { recursive: true });
    const kept = await readFile(file, 'utf8').catch(() => undefined);
    if (kept !== undefined && /^bk_[0-9A-Za-z]{32,}$/.test(kept.trim())) return describeApiKey(kept.trim());
    const key = newApiKeySecret();
    await writeWhole(file, `${key.secret}\n`);
    return key;
  }
}

/** The file appears with its whole content or not at all, readable by its owner only. */
async function writeWhole(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}
