import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { addressOf, startProgram, type Application } from './application.js';
import type { DebianRoot } from './debian-root.js';

/** Fossil (C, Debian): a repository's own web server. Its pages offer a way in beside everything they show to anybody. */
export async function startFossil(debian: DebianRoot, folder: string): Promise<Application> {
  const [username, password] = ['ada.fossil', randomBytes(12).toString('base64url')];
  const [fossil, repository] = [join(debian.path, 'usr/bin/fossil'), join(folder, 'books.fossil')];
  const env = { ...debian.env, HOME: folder, USER: username };
  for (const args of [
    ['init', '--admin-user', username, repository],
    ['user', 'password', username, password, '-R', repository],
  ])
    execFileSync(fossil, args, { cwd: folder, env, stdio: 'ignore' });
  const { port, ...running } = await startProgram({
    command: fossil,
    args: (chosen) => ['server', '--port', String(chosen), '--localhost', '--nossl', repository],
    cwd: folder,
    env,
  });
  return {
    startUrl: addressOf('fossil', port, '/timeline'),
    otherHosts: [],
    answers: { identifier: username, password },
    picks: [],
    signedIn: { url: addressOf('fossil', port, '/setup'), text: /Access/ },
    ...running,
  };
}
