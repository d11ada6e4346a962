import { Redis } from 'ioredis';
import { reconnectAfterMs } from './client.js';

/** A listening connection is asked this often whether it is still there, and must have answered by the next time. */
const askEveryMs = 1_000;

/**
 * A connection of a process that only listens. A Redis that hangs, or a network that swallows packets, is noticed within two questions and treated as what it is to
 * a listener, a lost connection: `close` is told, and `ready` when it is back and everything is subscribed again. What was said meanwhile is lost.
 * `onError` hears of every lost connection.
 */
export function connectSubscriber(url: string, onError: (error: Error) => void = () => undefined): Redis {
  const redis = new ListeningRedis(url, {
    maxRetriesPerRequest: null,
    retryStrategy: reconnectAfterMs,
    connectTimeout: 2_000,
    disconnectTimeout: 100,
  }).on('error', onError);
  breakWhenSilent(redis);
  return redis;
}

/** ioredis subscribes again by itself, and nobody hears when the connection is closed before that is answered: a rejection that would end the process. */
class ListeningRedis extends Redis {
  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    command.promise.catch(() => undefined);
    return super.sendCommand(command, stream);
  }
}

function breakWhenSilent(redis: Redis): void {
  let answered = true;
  const heard = (): void => {
    answered = true;
  };
  const look = setInterval(() => {
    // `connect`: the connection is there and its greeting unanswered.
    if (redis.status !== 'ready' && redis.status !== 'connect') return;
    if (answered) {
      answered = false;
      if (redis.status === 'ready') redis.ping().then(heard, () => undefined);
      return;
    }
    // Timers run before sockets are read: in a process that was busy, an answer that is there counts.
    setImmediate(() => {
      if (!answered) redis.disconnect(true);
    });
  }, askEveryMs);
  redis
    .on('ready', heard)
    .on('close', heard)
    .once('end', () => clearInterval(look));
}
