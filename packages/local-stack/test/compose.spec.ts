/** Holds docker-compose.yml, the Dockerfiles and what they refer to to what the issue and the decisions ask of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { settings } from '@berth/config';
import { parse } from 'yaml';

const file = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

interface Service {
  readonly image: string;
  readonly user: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly security_opt?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly privileged?: boolean;
  readonly stop_grace_period: string;
  readonly restart: string;
}

const text = file('docker-compose.yml');
const compose = parse(text, { merge: true }) as { readonly version: string; readonly services: Readonly<Record<string, Service>> };
const services = Object.entries(compose.services);
const isApp = (name: string): boolean => /^(api|worker|browser-host)-\d$/.test(name);
const apps = services.filter(([name]) => isApp(name));
/** Everything but the step that runs to its end. */
const lasting = services.filter(([name]) => name !== 'migrate');
const seconds = (period: string): number => Number(/^(\d+)s$/.exec(period)?.[1]);

describe('docker-compose.yml', () => {
  it('issue 2: has PostgreSQL, Redis, a migrate step, two of each app, and nginx', () => {
    expect(services.map(([name]) => name).sort()).toEqual([
      'api-1',
      'api-2',
      'browser-host-1',
      'browser-host-2',
      'migrate',
      'nginx',
      'postgres',
      'redis',
      'worker-1',
      'worker-2',
    ]);
  });

  it.each(lasting)('issue 2: %s has a health check and comes back after a crash', (_, service) => {
    expect(service.healthcheck?.test.length).toBeGreaterThan(1);
    expect(service.restart).toBe('unless-stopped');
  });

  it.each(services)('issue 2, D55: %s is given at least 35 s to stop', (_, service) => {
    expect(seconds(service.stop_grace_period)).toBeGreaterThanOrEqual(35);
  });

  it.each(services)('issue 2: %s runs a pinned image as a named user that is not root', (_, service) => {
    expect(service.image).toMatch(/^[a-z][a-z/-]*:\d+\.\d+(\.\d+)?(-[a-z]+)?$/);
    expect(service.user).toMatch(/^(node|postgres|redis|nginx)$/);
    expect(service.privileged).toBeUndefined();
    expect(service.cap_add).toBeUndefined();
  });

  it.each(apps)('issue 2: %s waits for healthy stores and for a migration that succeeded', (_, service) => {
    expect(service.depends_on).toEqual({
      postgres: { condition: 'service_healthy' },
      redis: { condition: 'service_healthy' },
      migrate: { condition: 'service_completed_successfully' },
    });
  });

  it.each(apps)('%s holds no capability and can gain none', (_, service) => {
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toContain('no-new-privileges:true');
  });

  it.each(apps)('D52: %s is given settings that exist', (_, service) => {
    const given = Object.keys(service.environment ?? {}).filter((name) => name.startsWith('BERTH_'));
    expect(given.filter((name) => !(name in settings))).toEqual([]);
    expect(given).toEqual(expect.arrayContaining(['BERTH_DATABASE_URL', 'BERTH_REDIS_URL', 'BERTH_SECRET_KEY']));
  });

  it.each(apps)('%s asks its health where its image listens', (name, service) => {
    const portSetting = { api: 'BERTH_API_PORT', worker: 'BERTH_WORKER_PORT', 'browser-host': 'BERTH_HOST_PORT' }[
      name.replace(/-\d$/, '')
    ] as string;
    const port = service.environment?.[portSetting];
    expect(service.environment?.HEALTH_PORT).toBe(port);
    expect(file(service.build?.dockerfile as string)).toContain(`EXPOSE ${port}\n`);
  });

  it('issue 2: will not start on a forgotten secret', () => {
    for (const name of ['POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'BERTH_SECRET_KEY']) {
      const uses = text.match(new RegExp(`\\$\\{?${name}\\b[^}]*\\}?`, 'g')) ?? [];
      expect(uses.length).toBeGreaterThan(0);
      expect(uses.filter((use) => !use.startsWith(`\${${name}:?`))).toEqual([]);
    }
  });

  it('issue 2: uses only keys that Compose v1 knows', () => {
    expect(compose.version).toBe('2.4');
    const known = new Set([
      'image',
      'build',
      'user',
      'init',
      'command',
      'working_dir',
      'environment',
      'volumes',
      'ports',
      'healthcheck',
      'depends_on',
      'cap_drop',
      'security_opt',
      'shm_size',
      'stop_signal',
      'stop_grace_period',
      'restart',
    ]);
    expect(services.flatMap(([, service]) => Object.keys(service)).filter((key) => !known.has(key))).toEqual([]);
    expect(
      Object.keys(compose)
        .filter((key) => !key.startsWith('x-'))
        .sort(),
    ).toEqual(['services', 'version', 'volumes']);
  });

  it('runs Chromium with its sandbox on, by a profile that lets it make user namespaces and gives no capability', () => {
    for (const [, service] of apps.filter(([name]) => name.startsWith('browser-host'))) {
      expect(service.environment).toMatchObject({ BERTH_CHROMIUM_SANDBOX: 'true', BERTH_CHROMIUM_PATH: '/usr/bin/chromium' });
      expect(service.security_opt).toContain('seccomp:./deploy/chromium-seccomp.json');
    }
    const profile = JSON.parse(file('deploy/chromium-seccomp.json')) as {
      defaultAction: string;
      syscalls: readonly { action: string; names: readonly string[] }[];
    };
    const allowed = profile.syscalls.filter(({ action }) => action === 'SCMP_ACT_ALLOW').flatMap(({ names }) => names);
    expect(profile.defaultAction).toBe('SCMP_ACT_ERRNO');
    expect(allowed).toEqual(expect.arrayContaining(['clone', 'clone3', 'unshare', 'chroot']));
    expect(
      allowed.filter((name) => /^(mount|umount2?|setns|bpf|kexec_load|init_module|keyctl|perf_event_open|userfaultfd)$/.test(name)),
    ).toEqual([]);
  });
});

describe('Dockerfiles', () => {
  it.each(['api', 'worker', 'browser-host'])(
    'D56, issue 2: %s takes its base from an argument and ends as a user that is not root',
    (name) => {
      const lines = file(`apps/${name}/Dockerfile`).split('\n');
      expect(lines.filter((line) => line.startsWith('ARG BASE_IMAGE=node:24.'))).toHaveLength(1);
      expect(lines.filter((line) => line.startsWith('FROM ')).map((line) => line.replace(' AS build', ''))).toEqual([
        'FROM ${BASE_IMAGE}',
        'FROM ${BASE_IMAGE}',
      ]);
      expect(lines.filter((line) => line.startsWith('USER ')).at(-1)).toBe('USER node');
    },
  );

  it('D56: Node 20.19 is enough by the engines of the workspace, and no package of it asks for more', () => {
    expect((JSON.parse(file('package.json')) as { engines: unknown }).engines).toEqual({ node: '>=20.19' });
    const packages = ['apps', 'packages'].flatMap((folder) =>
      readdirSync(new URL(`../../../${folder}`, import.meta.url)).map((name) => `${folder}/${name}/package.json`),
    );
    expect(packages.length).toBeGreaterThan(10);
    for (const path of packages) expect([path, (JSON.parse(file(path)) as { engines?: unknown }).engines]).toEqual([path, undefined]);
  });

  it('the build context leaves out secrets, history and what the image builds itself', () => {
    expect(file('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['.env*', '.git', '.berth', '**/node_modules', '**/dist']));
  });
});

describe('deploy/nginx.conf', () => {
  it('names every API of the compose file, and reaches any browser host by its id', () => {
    const conf = file('deploy/nginx.conf');
    for (const [name, service] of apps) {
      if (name.startsWith('api')) expect(conf).toContain(`server ${name}:${service.environment?.BERTH_API_PORT} `);
      const id = service.environment?.BERTH_HOST_ID;
      if (id !== undefined) expect(`/hosts/${id}/x`).toMatch(new RegExp(/location ~ (\S+) /.exec(conf)?.[1] as string));
    }
  });
});
