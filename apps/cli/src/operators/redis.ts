import { accessChannel } from '@berth/database';
import { Redis } from 'ioredis';
import { CliError, type Deployment } from '../deployment.js';

const patienceMs = 3_000;

/** Runs `work` on Redis and lets go of it. Rejects when Redis does not answer within seconds; whoever waits at a terminal decides what then. */
export async function onRedis<T>({ redisUrl }: Deployment, work: (redis: Redis) => Promise<T>): Promise<T> {
  if (redisUrl === undefined) throw new CliError('no address known');
  const redis = new Redis(redisUrl, {
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    lazyConnect: true,
    connectTimeout: patienceMs,
    commandTimeout: patienceMs,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

/**
 * Tells API processes that the organization has changed, as they tell each other. Call after the change is stored: when they cannot be told,
 * that is said with how long they may go on as before, and nothing fails.
 */
export async function announceChange(deployment: Deployment, organizationId: string): Promise<void> {
  try {
    await onRedis(deployment, (redis) => redis.publish(accessChannel, organizationId));
  } catch (error) {
    const [reason] = (error as Error).message.split('\n');
    process.stderr.write(
      `The change is stored, but Redis could not be told (${reason}): API processes that run may go on as before for ${deployment.keyCacheSeconds} s.\n`,
    );
  }
}
