import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findFreePort } from '@berth/local-stack';
import { until } from './processes.js';

export interface Nginx {
  readonly url: string;
  stop(): Promise<void>;
}

/** nginx from the PATH or where Debian puts it, else unpacked from Debian's package, which needs no root. */
function findNginx(folder: string): string {
  const places = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const installed = places.map((place) => join(place, 'nginx')).find((path) => existsSync(path));
  if (installed !== undefined) return installed;
  execFileSync('apt-get', ['download', 'nginx'], { cwd: folder, stdio: 'ignore' });
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb')))
    execFileSync('dpkg', ['-x', file, join(folder, 'unpacked')], { cwd: folder });
  return join(folder, 'unpacked', 'usr', 'sbin', 'nginx');
}

/** A real nginx in front of `upstream`, with its stock proxy settings; `http` adds directives. */
export async function startNginx(upstream: string, http = ''): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-nginx-'));
  const port = await findFreePort();
  mkdirSync(join(folder, 'logs'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(' ');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `
    daemon off; master_process off; pid ${join(folder, 'nginx.pid')}; error_log stderr crit;
    events { worker_connections 8192; }
    http { access_log off; ${temporary} ${http}
      server { listen 127.0.0.1:${port}; location / { proxy_pass ${upstream}; } } }`,
  );
  const child = spawn(findNginx(folder), ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await until(() =>
    fetch(`${url}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    url,
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
