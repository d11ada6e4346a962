import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { connectRedis, connectSubscriber } from '../src/index.js';
import { type RedisProcess, startRedisProcess } from './redis-process.js';

describe('a listening connection', () => {
  let server: RedisProcess;
  let listener: Redis;
  beforeAll(async () => {
    server = await startRedisProcess();
  });
  afterEach(() => listener.disconnect());
  afterAll(() => server.stop());

  it('D50: learns that Redis hangs, and hears again when it goes on', async () => {
    listener = connectSubscriber(server.url);
    await listener.subscribe('news');
    server.signal('SIGSTOP');
    try {
      await once(listener, 'close');
    } finally {
      server.signal('SIGCONT');
    }
    await once(listener, 'ready');
    await listener.subscribe('news');
    const heard = once(listener, 'message');
    await server.admin.publish('news', 'all is well');
    expect(await heard).toEqual(['news', 'all is well']);
  });

  it('D50: a Redis that hangs while it is greeted is given up as well, and greeted again', async () => {
    server.signal('SIGSTOP');
    listener = connectSubscriber(server.url);
    try {
      await once(listener, 'close');
    } finally {
      server.signal('SIGCONT');
    }
    await once(listener, 'ready');
  });

  it('D50: one that answers is left alone', async () => {
    listener = connectSubscriber(server.url);
    await listener.subscribe('news');
    let closed = 0;
    listener.on('close', () => (closed += 1));
    const asked = async (): Promise<number> => Number(/cmdstat_ping:calls=(\d+)/.exec(await server.admin.info('commandstats'))?.[1] ?? 0);
    const before = await asked();
    while ((await asked()) < before + 3) await pause(50);
    expect(closed).toBe(0);
  });

  it('one that is given up while Redis is away keeps no process alive', async () => {
    const built = new URL('../dist/index.js', import.meta.url).href;
    const gone = await startRedisProcess();
    await gone.stop();
    const program = `import { connectSubscriber } from ${JSON.stringify(built)};
      const listener = connectSubscriber(${JSON.stringify(gone.url)});
      listener.once('reconnecting', () => listener.disconnect());`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
    try {
      expect(await once(child, 'exit', { signal: AbortSignal.timeout(20_000) })).toEqual([0, null]);
    } finally {
      child.kill('SIGKILL');
    }
  }, 30_000);
});

describe('a connection for commands', () => {
  it('D29: one that answers nothing any more is made anew, and answers when Redis does', async () => {
    const server = await startRedisProcess();
    const redis = connectRedis(server.url);
    try {
      await once(redis, 'ready');
      server.signal('SIGSTOP');
      await expect(redis.ping()).rejects.toThrow('Command timed out');
      await once(redis, 'close');
      server.signal('SIGCONT');
      await once(redis, 'ready');
      expect(await redis.ping()).toBe('PONG');
    } finally {
      redis.disconnect();
      await server.stop();
    }
  });
});
