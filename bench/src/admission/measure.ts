import type { Redis } from 'ioredis';

const CALLERS = 64;

/** Something that takes and gives back one slot in an organization and a project. */
export interface Contender {
  acquire(member: string): Promise<unknown>;
  release(member: string): Promise<unknown>;
}

export interface Measured {
  readonly pairsPerSecond: number;
  /** Redis' main thread, µs a pair. */
  readonly redisMicros: number;
  /** This process, µs a pair. */
  readonly nodeMicros: number;
}

async function redisCpu(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  const seconds = (name: string): number => Number(new RegExp(`${name}:([0-9.]+)`).exec(info)?.[1]);
  return (seconds('used_cpu_sys_main_thread') + seconds('used_cpu_user_main_thread')) * 1e6;
}

/** Pairs of acquire and release, from 64 callers at once. */
export async function measure(redis: Redis, contender: Contender, pairs: number): Promise<Measured> {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < pairs) {
      const member = `m${(next += 1)}`;
      await contender.acquire(member);
      await contender.release(member);
    }
  };
  const [redisBefore, nodeBefore, started] = [await redisCpu(redis), process.cpuUsage(), performance.now()];
  await Promise.all(Array.from({ length: CALLERS }, caller));
  const seconds = (performance.now() - started) / 1_000;
  const node = process.cpuUsage(nodeBefore);
  return {
    pairsPerSecond: pairs / seconds,
    redisMicros: ((await redisCpu(redis)) - redisBefore) / pairs,
    nodeMicros: (node.user + node.system) / pairs,
  };
}
