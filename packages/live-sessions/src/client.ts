import { Cluster, type ClusterNode, type Command, Redis, type RedisOptions } from 'ioredis';

/** An answer later than this is no answer: reads have 1 s in all (D29). */
const COMMAND_TIMEOUT_MS = 700;

/** Answers how long to wait, ms, before the given attempt to connect again: an outage of a second is over for us a moment later. */
export const reconnectAfterMs = (attempt: number): number => Math.min(50 * attempt, 500);

const options = {
  enableAutoPipelining: true,
  // A command that waits in a queue would be decided on long after its caller was told 503.
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  commandTimeout: COMMAND_TIMEOUT_MS,
  connectTimeout: 2_000,
  disconnectTimeout: 100,
  retryStrategy: reconnectAfterMs,
} satisfies RedisOptions;

/**
 * The event loop runs timers before it reads sockets, so in a process that was busy for a while (its first requests compile a lot) the
 * time-out of a command comes before an answer that has long been there. A time-out counts only when what has arrived was read first.
 */
function readingFirst(command: Command, onTimeout: () => void = () => undefined): Command {
  const reject = command.reject;
  command.reject = (error) => {
    if (error.message !== 'Command timed out') return reject(error);
    setImmediate(() => {
      if (command.isSettled) return;
      reject(error);
      onTimeout();
    });
  };
  return command;
}

class ReadingRedis extends Redis {
  #inDoubt = false;

  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    return super.sendCommand(readingFirst(command, this.#doubt), stream);
  }

  /**
   * A network that lost the connection without a word leaves every command without an answer for as long as the system sends it again, a
   * quarter of an hour. So a connection that does not answer the next question either is made anew.
   */
  readonly #doubt = (): void => {
    if (this.#inDoubt) return;
    this.#inDoubt = true;
    this.ping()
      .catch(() => this.status === 'ready' && this.disconnect(true))
      .finally(() => (this.#inDoubt = false));
  };
}

class ReadingCluster extends Cluster {
  override sendCommand(...[command, ...rest]: Parameters<Cluster['sendCommand']>): unknown {
    return super.sendCommand(readingFirst(command), ...rest);
  }
}

/**
 * A connection for commands; admission has one of its own in each process. Redis 7 or newer, `maxmemory-policy noeviction`: an evicted
 * member is a slot given away twice. `onError` hears of every lost connection; calls fail by themselves meanwhile.
 */
export function connectRedis(url: string, onError: (error: Error) => void = () => undefined): Redis {
  return new ReadingRedis(url, options).on('error', onError);
}

/** The same for a cluster, found through any of its nodes. All keys of a call live in one slot. */
export function connectCluster(nodes: ClusterNode[], onError: (error: Error) => void = () => undefined): Cluster {
  const { enableOfflineQueue: _nodesQueueWhileTheyConnect, retryStrategy: _clusterReconnects, ...node } = options;
  return new ReadingCluster(nodes, {
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    redisOptions: node,
    slotsRefreshTimeout: 2_000,
    clusterRetryStrategy: options.retryStrategy,
  }).on('error', onError);
}
