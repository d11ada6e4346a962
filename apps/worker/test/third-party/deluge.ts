import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf, startProgram, type Application } from './application.js';
import type { DebianRoot } from './debian-root.js';

/**
 * Deluge's web interface (Python, Debian): shows its whole toolbar, "Logout" included, to everybody and asks for the one password in a
 * window over it. A wrong one is told in a window of its own, in the place of the first, that must be sent away before the password is
 * asked for again.
 */
export async function startDeluge(debian: DebianRoot, folder: string): Promise<Application> {
  const [password, salt] = [randomBytes(12).toString('base64url'), randomBytes(8).toString('hex')];
  const settings = {
    pwd_salt: salt,
    pwd_sha1: createHash('sha1')
      .update(salt + password)
      .digest('hex'),
    first_login: false,
    show_session_speed: false,
  };
  writeFileSync(join(folder, 'web.conf'), `${JSON.stringify({ file: 2, format: 1 })}${JSON.stringify(settings)}`);
  const { port, ...running } = await startProgram({
    command: debian.python,
    args: (chosen) => [join(debian.path, 'usr/bin/deluge-web'), '-d', '-c', folder, '-i', '127.0.0.1', '-p', String(chosen)],
    cwd: folder,
    env: debian.env,
  });
  const startUrl = addressOf('deluge', port);
  return {
    startUrl,
    otherHosts: [],
    answers: { password },
    picks: [],
    signedIn: { url: startUrl, text: /Connection Manager/ },
    ...running,
  };
}
