import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf, startProgram, type Application } from './application.js';
import type { DebianRoot } from './debian-root.js';

/**
 * Radicale's web interface (Python, Debian): every step is in one page from the start, all but one of them hidden; the password stays in
 * its script, no session is kept.
 */
export async function startRadicale(debian: DebianRoot, folder: string): Promise<Application> {
  const [username, password] = ['ada.radicale', randomBytes(12).toString('base64url')];
  writeFileSync(join(folder, 'users'), `${username}:${password}\n`);
  const options = (port: number) => [
    '--config',
    '',
    '--server-hosts',
    `127.0.0.1:${port}`,
    '--auth-type',
    'htpasswd',
    '--auth-htpasswd-filename',
    join(folder, 'users'),
    '--auth-htpasswd-encryption',
    'plain',
    '--storage-filesystem-folder',
    folder,
  ];
  const { port, ...running } = await startProgram({
    command: debian.python,
    args: (chosen) => ['-m', 'radicale', ...options(chosen)],
    cwd: folder,
    env: debian.env,
  });
  return {
    startUrl: addressOf('radicale', port),
    otherHosts: [],
    answers: { identifier: username, password },
    picks: [],
    signedIn: null,
    ...running,
  };
}
