import type { Redis } from 'ioredis';
import type { LoginStateEvent } from '@berth/schema';
import { answerChannel, connectionChannel } from './channel.js';

export interface StateMessage {
  readonly connectionId: string;
  readonly flowId: string;
  readonly sequence: bigint;
  readonly state: LoginStateEvent;
}

/**
 * Tells followers of a connection, and the worker that waits on the flow. What it tells is stored already, so a lost message only delays,
 * and nobody waits for it to be sent.
 */
export interface Publisher {
  /** Never throws. */
  publish(message: StateMessage): void;
}

/**
 * Publishes over Redis, each state serialised once. Redis being away is told to `onError` and otherwise ignored: relays and workers also
 * look at the row by themselves (D50).
 */
export function redisPublisher(redis: Pick<Redis, 'pipeline'>, onError: (error: unknown) => void): Publisher {
  const send = async ({ connectionId, flowId, sequence, state }: StateMessage): Promise<void> => {
    const text = JSON.stringify({ flowId, sequence: Number(sequence), state });
    const results = await redis
      .pipeline()
      .publish(connectionChannel(connectionId), text)
      .publish(answerChannel(flowId), String(sequence))
      .exec();
    const failed = results?.find(([error]) => error !== null);
    if (failed) onError(failed[0]);
  };
  return { publish: (message) => void send(message).catch(onError) };
}
