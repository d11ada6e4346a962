import { randomBytes } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf, startProgram, type Application, type RunningProgram } from './application.js';
import type { DebianRoot } from './debian-root.js';

function servePhp({ php, phpExtensions, env }: DebianRoot, folder: string): Promise<RunningProgram> {
  return startProgram({
    command: php,
    args: (port) => [...phpExtensions, '-d', `session.save_path=${folder}`, '-S', `127.0.0.1:${port}`, '-t', folder],
    cwd: folder,
    env,
  });
}

/** phpLiteAdmin (PHP, Debian): one password and no name. */
export async function startPhpLiteAdmin(debian: DebianRoot, folder: string): Promise<Application> {
  const password = randomBytes(12).toString('base64url');
  copyFileSync(join(debian.path, 'usr/share/phpliteadmin/phpliteadmin.php'), join(folder, 'index.php'));
  writeFileSync(
    join(folder, 'phpliteadmin.config.php'),
    `<?php $password = '${password}'; $directory = '${folder}'; $cookie_name = 'lite';`,
  );
  execFileSync(
    debian.php,
    [...debian.phpExtensions, '-r', `(new SQLite3('${join(folder, 'books.sqlite')}'))->exec('CREATE TABLE books (title TEXT)');`],
    { env: debian.env },
  );
  const { port, ...running } = await servePhp(debian, folder);
  const startUrl = addressOf('phpliteadmin', port);
  return { startUrl, otherHosts: [], answers: { password }, picks: [], signedIn: { url: startUrl, text: /books\.sqlite/ }, ...running };
}

/** Adminer (PHP, Debian) on a PostgreSQL: five boxes in a form, one of them a list, two of them filled. */
export async function startAdminer(debian: DebianRoot, folder: string, databaseUrl: string): Promise<Application> {
  const { username, password, host, pathname } = new URL(databaseUrl);
  copyFileSync(join(debian.path, 'usr/share/adminer/adminer.php'), join(folder, 'index.php'));
  const { port, ...running } = await servePhp(debian, folder);
  const query = `?pgsql=${encodeURIComponent(host)}&username=`;
  return {
    startUrl: addressOf('adminer', port, `/${query}`),
    otherHosts: [],
    answers: { identifier: username, password: decodeURIComponent(password), Database: pathname.slice(1) },
    picks: [],
    signedIn: { url: addressOf('adminer', port, `/${query}${username}&db=${pathname.slice(1)}`), text: /Create\s+table/ },
    ...running,
  };
}
