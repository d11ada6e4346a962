import { Redis } from 'ioredis';
import { reconnectAfterMs } from './client.js';

/** A listening connection is asked this often whether it is still there, and must have answered by the next time. */
const askEveryMs = 1_000;

/**
 * A connection of a process that only listens. A Redis that hangs, or a network that swallows packets, is noticed within two questions and
 * treated as what it is to a listener, a lost connection: `close` is told, and `ready` when it is back and everything is subscribed again.
 * What was said meanwhile is lost. `onError` hears of every lost connection.
 */
export function connectSubscriber(url: string, onError: (error: Error) => void = () => undefined): Redis {
  return new ListeningRedis(url).on('error', onError);
}

class ListeningRedis extends Redis {
  readonly #look = setInterval(() => this.#breakIfSilent(), askEveryMs);
  #answered = true;

  constructor(url: string) {
    super(url, { maxRetriesPerRequest: null, retryStrategy: reconnectAfterMs, connectTimeout: 2_000, disconnectTimeout: 100 });
    const heard = (): void => {
      this.#answered = true;
    };
    this.on('ready', heard)
      .on('close', heard)
      .once('end', () => clearInterval(this.#look));
  }

  /**
   * ioredis subscribes again by itself, and nobody hears when the connection is closed before that is answered: a rejection that would end
   * the process.
   */
  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    command.promise.catch(() => undefined);
    return super.sendCommand(command, stream);
  }

  /** One that is given up between two attempts to connect has no connection whose `end` would be told. */
  override disconnect(reconnect = false): void {
    if (!reconnect) clearInterval(this.#look);
    super.disconnect(reconnect);
  }

  #breakIfSilent(): void {
    // `connect`: the connection is there and its greeting unanswered.
    if (this.status !== 'ready' && this.status !== 'connect') return;
    if (this.#answered) {
      this.#answered = false;
      if (this.status === 'ready')
        this.ping().then(
          () => (this.#answered = true),
          () => undefined,
        );
      return;
    }
    // Timers run before sockets are read: in a process that was busy, an answer that is there counts.
    setImmediate(() => {
      if (!this.#answered) this.disconnect(true);
    });
  }
}
