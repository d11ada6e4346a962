import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { identify } from '../src/guardian/process-table.js';
import { spawnGuarded } from '../src/index.js';
import { fixture, processesOf, removeFolder, run, temporaryFolder, until } from './processes.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  for (const pid of processesOf(folder)) process.kill(pid, 'SIGKILL');
  removeFolder(folder);
});

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

function guardiansOf(owner: number): readonly number[] {
  const children = readFileSync(`/proc/${owner}/task/${owner}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  return children.filter((pid) => existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('guardian-process'));
}
const guardianOf = (owner: number): number | undefined => guardiansOf(owner)[0];
const guardiansHere = (): readonly number[] => guardiansOf(process.pid);

async function startOwner() {
  mkdirSync(join(folder, 'scratch'));
  const owner = await run(process.execPath, [fixture('owner.mjs'), folder]);
  const line = await until('the children', () => owner.output().includes('\n') && existsSync(join(folder, 'later')) && owner.output());
  return { owner, pid: owner.pid, children: JSON.parse(line) as number[] };
}

describe('spawnGuarded', () => {
  it('house: children die with their SIGKILLed owner, in order, even those deaf to SIGTERM, and scratch folders go too', async () => {
    const { owner, children } = await startOwner();
    owner.child.kill('SIGKILL');
    await until('the children to be gone', () => children.every((pid) => !isAlive(pid)) && processesOf(folder).length === 0);
    expect(readFileSync(join(folder, 'order'), 'utf8')).toBe('first\n');
    await until('the scratch folder to be gone', () => !existsSync(join(folder, 'scratch')));
  });

  it('house: a guardian that is itself killed is replaced, and the next one knows the children', async () => {
    const { owner, pid, children } = await startOwner();
    const first = guardianOf(pid) as number;
    process.kill(first, 'SIGKILL');
    const second = await until('another guardian', () => {
      const found = guardianOf(pid);
      return found !== first && found;
    });
    expect(children.every(isAlive)).toBe(true);
    // It tells the new guardian of its children in the turn in which it starts it: what it says later, it says after that.
    owner.child.kill('SIGUSR2');
    await until('the owner to have told it', () => owner.output().includes('told'));
    owner.child.kill('SIGKILL');
    await until('the children and the guardian to be gone', () => [...children, second].every((child) => !isAlive(child)));
  });

  it('one guardian serves all children of a process', async () => {
    const before = guardiansHere();
    const many = await Promise.all(Array.from({ length: 5 }, () => spawnGuarded('sleep', ['1000'])));
    // Other test files in the same process may have one each: Jest gives every file its own modules.
    expect(guardiansHere().filter((pid) => !before.includes(pid)).length).toBeLessThanOrEqual(1);
    expect(await Promise.all(many.map((child) => child.stop()))).toEqual(many.map(() => ({ code: null, signal: 'SIGTERM' })));
  });

  it('when stopping a child is done, its descendants are gone too', async () => {
    const parent = await spawnGuarded('/bin/sh', ['-c', 'sleep 1000 & echo $!; wait'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const descendant = await new Promise<number>((resolve) =>
      parent.child.stdout?.once('data', (chunk: Buffer) => resolve(Number(chunk.toString()))),
    );
    await parent.stop();
    expect(identify(descendant)).toBeUndefined();
  });

  it('hands over extra descriptors, and reports a command that is not there', async () => {
    const child = await spawnGuarded('/bin/sh', ['-c', 'cat <&3 >&4'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    const [, , , input, output] = child.child.stdio;
    (input as NodeJS.WritableStream).end('through');
    const text = await new Promise<string>((resolve) => output?.once('data', (chunk: Buffer) => resolve(chunk.toString())));
    expect(text).toBe('through');
    expect(await (await spawnGuarded('/no/such/command', [])).exited).toEqual({ code: 127, signal: null });
  });
});

describe('the test run', () => {
  it('house: SIGKILL of Jest ends its PostgreSQL and Redis and removes their folder', async () => {
    const jest = await run(process.execPath, [fixture('global-setup.mjs')], { BERTH_CHROMIUM_PATH: process.env.BERTH_TEST_CHROMIUM });
    const stackFolder = await until('the stores', () => /^folder (.+)$/m.exec(jest.output())?.[1]);
    expect(processesOf(stackFolder).length).toBeGreaterThanOrEqual(2);
    jest.child.kill('SIGKILL');
    await until('the stores and their folder to be gone', () => processesOf(stackFolder).length === 0 && !existsSync(stackFolder));
  });
});
