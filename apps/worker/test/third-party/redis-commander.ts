import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { addressOf, startProgram, type Application } from './application.js';

/**
 * redis-commander (npm): asks in a window over an application that offers no way out. It keeps its token in the page, so every new browser
 * is asked again.
 */
export async function startRedisCommander(folder: string, redisUrl: string): Promise<Application> {
  const [username, password] = ['ada.redis', randomBytes(12).toString('base64url')];
  const { hostname, port: redisPort } = new URL(redisUrl);
  const { port, ...running } = await startProgram({
    command: process.execPath,
    args: (chosen) => [
      createRequire(import.meta.url).resolve('redis-commander/bin/redis-commander.js'),
      ...['--address', '127.0.0.1', '--port', String(chosen)],
      ...['--redis-host', hostname, '--redis-port', redisPort],
      ...['--http-auth-username', username, '--http-auth-password', password],
      '--noload',
    ],
    cwd: folder,
  });
  return {
    startUrl: addressOf('rediscommander', port),
    otherHosts: [],
    answers: { identifier: username, password },
    picks: [],
    signedIn: null,
    ...running,
  };
}
