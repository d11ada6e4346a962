import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Cluster, type Redis } from 'ioredis';
import { AdmissionUnavailable } from './types.js';

export const COMMANDS = [
  'acquire',
  'release',
  'renew',
  'usage',
  'resize_pool',
  'hold_pool',
  'members',
  'restore',
  'mark_ready',
  'keep_ready',
  'unlock',
  'suspect',
  'dead',
  'forget',
] as const;
export type CommandName = (typeof COMMANDS)[number];

const source = new Map<CommandName, string>(
  COMMANDS.map((name) => [name, readFileSync(new URL(`../assets/commands/${name}.lua`, import.meta.url), 'utf8')]),
);

/** Longer than a process is busy when it starts: the commands are loaded once in a life of Redis, and calls have time-outs of their own. */
const LOADED_WITHIN_MS = 3_000;

/** One life of one Redis process: from its start to its end, named by its `run_id`. */
interface Life {
  readonly runId: string;
  readonly sha: Readonly<Record<CommandName, string>>;
}

/**
 * Runs the commands, and makes sure that each runs in the life of Redis its caller believes to talk to.
 *
 * The `run_id` is part of the script's text, and Redis 7 neither saves nor replicates its script cache. So a script stamped
 * with one life cannot run in another: after a restart, a failover or a redirect, whatever the client resends is answered
 * NOSCRIPT, and the life is learnt anew. That needs no call on the hot path, and holds for commands already in flight.
 * Stamped scripts are loaded over a connection of their own that never reconnects: one connection cannot span two lives.
 */
export class Scripts {
  readonly #redis: Redis | Cluster;
  /** By organization on a cluster (its slot decides the node), one entry otherwise. */
  readonly #lives = new Map<string, Life>();
  readonly #loaded = new Map<string, Life>();
  readonly #learning = new Map<string, Promise<Life>>();

  constructor(redis: Redis | Cluster) {
    this.#redis = redis;
  }

  /** Loads the commands before the first call needs them. The nodes of a cluster are learnt at an organization's first call. */
  async prepare(): Promise<void> {
    if (!(this.#redis instanceof Cluster)) await this.#learn(this.#placeOf(''), '');
  }

  /** @throws AdmissionUnavailable whatever kept Redis from answering. */
  run(name: CommandName, organizationId: string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const life = this.#lives.get(this.#placeOf(organizationId));
    if (!life) return this.#runAgain(name, organizationId, keys, args);
    // The hot path has no await of its own: each costs a turn of the microtask queue for every call.
    return this.#redis.evalsha(life.sha[name], keys.length, ...keys, ...args).catch((error: unknown) => {
      this.#disbelieve(organizationId, life, error);
      return this.#runAgain(name, organizationId, keys, args);
    });
  }

  async #runAgain(
    name: CommandName,
    organizationId: string,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      let life: Life | undefined;
      try {
        life = this.#lives.get(this.#placeOf(organizationId)) ?? (await this.#learn(this.#placeOf(organizationId), keys[0]!));
        return await this.#redis.evalsha(life.sha[name], keys.length, ...keys, ...args);
      } catch (error) {
        if (!life || attempt === 3) throw unavailable(error);
        this.#disbelieve(organizationId, life, error);
      }
    }
  }

  /** Returns when the command is worth sending again. @throws AdmissionUnavailable when it is not. */
  #disbelieve(organizationId: string, life: Life, error: unknown): void {
    if (saysMoved(error)) return;
    if (!saysNoScript(error)) throw unavailable(error);
    const place = this.#placeOf(organizationId);
    if (this.#lives.get(place) === life) this.#lives.delete(place);
    this.#loaded.delete(life.runId);
  }

  #placeOf(organizationId: string): string {
    return this.#redis instanceof Cluster ? organizationId : '';
  }

  #learn(place: string, key: string): Promise<Life> {
    let learning = this.#learning.get(place);
    if (!learning) {
      learning = this.#lifeBehind(key)
        .then((life) => {
          this.#lives.set(place, life);
          return life;
        })
        .finally(() => this.#learning.delete(place));
      this.#learning.set(place, learning);
    }
    return learning;
  }

  async #lifeBehind(key: string): Promise<Life> {
    if (!(this.#redis instanceof Cluster)) return this.#load(this.#redis);
    const runId = runIdIn(String(await this.#redis.eval("return redis.call('INFO', 'server')", 1, key)));
    const known = this.#loaded.get(runId);
    if (known) return known;
    await Promise.allSettled(this.#redis.nodes('master').map((node) => this.#load(node)));
    const life = this.#loaded.get(runId);
    if (!life) throw new AdmissionUnavailable('the node that serves this organization is not among the known masters');
    return life;
  }

  async #load(node: Redis): Promise<Life> {
    const connection = node.duplicate({
      lazyConnect: true,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      enableAutoPipelining: false,
      enableOfflineQueue: false,
      readOnly: false,
      connectTimeout: LOADED_WITHIN_MS,
      commandTimeout: LOADED_WITHIN_MS,
    });
    connection.on('error', () => undefined); // the awaited call below reports it
    try {
      await connection.connect();
      const runId = runIdIn(await connection.info('server'));
      await Promise.all(COMMANDS.map((name) => connection.script('LOAD', stamped(name, runId))));
      const life: Life = { runId, sha: Object.fromEntries(COMMANDS.map((name) => [name, sha1(stamped(name, runId))])) as Life['sha'] };
      this.#loaded.set(runId, life);
      return life;
    } finally {
      connection.disconnect();
    }
  }
}

function stamped(name: CommandName, runId: string): string {
  return `local LIFE = '${runId}'\n${source.get(name)}`;
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

function runIdIn(info: string): string {
  const runId = /^run_id:([0-9a-f]{40})/m.exec(info)?.[1];
  if (!runId) throw new AdmissionUnavailable('Redis did not tell its run_id');
  return runId;
}

function saysNoScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}

/** ioredis follows redirects by itself, except when only some commands of one pipeline were redirected. */
function saysMoved(error: unknown): boolean {
  return error instanceof Error && /^(MOVED|ASK|TRYAGAIN) /.test(error.message);
}

function unavailable(error: unknown): AdmissionUnavailable {
  if (error instanceof AdmissionUnavailable) return error;
  return new AdmissionUnavailable(`Redis did not answer: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}
