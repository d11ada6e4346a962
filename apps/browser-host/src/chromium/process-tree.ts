import { readFileSync } from 'node:fs';

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process, or the thread, has ended in between.
    return '';
  }
}

function childrenOf(pid: number): readonly number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

/** The process and all its descendants, as far as they live. */
export function processTree(pid: number): readonly number[] {
  return [pid, ...childrenOf(pid).flatMap(processTree)];
}

/**
 * Memory of a process and its descendants in bytes: what is their own (anonymous and shared memory), without the mapped program files that
 * all browsers of a host share.
 */
export function memoryOf(pid: number): number {
  return processTree(pid).reduce((sum, member) => {
    const status = read(`/proc/${member}/status`);
    const kib = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
    return sum + (kib('RssAnon') + kib('RssShmem')) * 1024;
  }, 0);
}
