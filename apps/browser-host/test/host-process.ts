import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { spawnGuarded } from '@berth/local-stack';
import type { TestFleet } from './fleet.js';
import { until } from './fleet.js';

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** A host in a process of its own, open for launches; it dies with this process, however that dies. */
export async function startHostProcess(fleet: TestFleet, changes: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const environment = await fleet.environment(changes);
  const { child } = await spawnGuarded(process.execPath, [program], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${environment['BERTH_HOST_PORT']}`;
  await until('the host process is registered', async () => {
    if (child.exitCode !== null) throw new Error(`the host process ended with ${child.exitCode}`);
    return (await fleet.access.prisma.browserHost.count({ where: { id: changes['BERTH_HOST_ID'] ?? '' } })) === 1;
  });
  return { child, url };
}

export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
