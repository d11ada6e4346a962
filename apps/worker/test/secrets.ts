import type { Redis } from 'ioredis';
import type { LoginWorld } from './login-world.js';

/**
 * The ways a secret could have been written down. Digits alone must stand alone: every log is full of longer numbers and of fractions of
 * seconds, and what is sealed reads as hex.
 */
function patternsOf(secret: string): readonly RegExp[] {
  const literal = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  const plain = /^\d+$/.test(secret) ? `(?<![\\da-f.:])${secret}(?![\\da-f])` : literal(secret);
  const bytes = Buffer.from(secret);
  const encoded = [
    bytes.toString('hex'),
    ...(secret.length >= 8 ? [bytes.toString('base64').replace(/=+$/, ''), encodeURIComponent(secret)] : []),
  ];
  return [new RegExp(plain), ...encoded.map((text) => new RegExp(literal(text)))];
}

/**
 * Where any of the secrets can be read: tables of PostgreSQL, keys of Redis, and what the processes logged and the API answered and
 * streamed.
 */
export async function leaksOf(world: LoginWorld, secrets: readonly string[]): Promise<readonly string[]> {
  const patterns = [...new Set(secrets)].flatMap(patternsOf);
  const holds = (text: string): boolean => patterns.some((pattern) => pattern.test(text));
  const places = holds(world.told) ? ['logs, answers and events'] : [];
  const { pool } = world.access;
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  for (const { name } of tables) {
    const { rows } = await pool.query<{ line: string }>(`SELECT t::text AS line FROM "${name}" t`);
    if (rows.some(({ line }) => holds(line))) places.push(`table ${name}`);
  }
  for (const key of await world.redis.keys('*'))
    if (holds(`${key} ${JSON.stringify(await valueOf(world.redis, key))}`)) places.push(`key ${key}`);
  return places;
}

/** The whole value, read as what it is: a dump would be compressed. */
async function valueOf(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, '0', '-1', 'WITHSCORES');
    case 'stream':
      return redis.xrange(key, '-', '+');
    // Gone meanwhile.
    default:
      return null;
  }
}
