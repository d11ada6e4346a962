import { readFileSync } from 'node:fs';
import { tryCommand, type CommandOptions } from './commands.js';

/** How a PostgreSQL program is run: PostgreSQL refuses to run as root. */
export interface RunAs {
  readonly credentials: Pick<CommandOptions, 'uid' | 'gid'>;
  /** Words before the program's own. */
  readonly prefix: readonly string[];
}

/** `nobody` and `nogroup`: there on every Linux, so no user needs to be made. */
export const unprivileged = { uid: 65_534, gid: 65_534 } as const;

export const isRoot = (): boolean => process.getuid?.() === 0;

/** Bits of the capability sets; the first lets a process look into folders, the second write there too. */
const capabilities = [
  ['dac_read_search', 2],
  ['dac_override', 1],
] as const;

/**
 * As ourselves when we are not root. As root: as `nobody`, if `nobody` can reach `paths`; otherwise (a clone below /root, say) as
 * `nobody` with the one capability that opens folders.
 * @throws when root has no such capability to give, as in some containers.
 */
export async function chooseRunAs(paths: readonly string[]): Promise<RunAs> {
  if (!isRoot()) return { credentials: {}, prefix: [] };
  const test = paths.map((_, index) => `[ -r "$${index + 1}" ]`).join(' && ');
  if ((await tryCommand('/bin/sh', ['-c', test, 'sh', ...paths], { ...unprivileged, cwd: '/' })).code === 0) {
    return { credentials: unprivileged, prefix: [] };
  }
  const held = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'}`);
  for (const [name, bit] of capabilities) {
    if (((held >> BigInt(bit)) & 1n) === 0n) continue;
    const { uid, gid } = unprivileged;
    const prefix = [
      'setpriv',
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      `--inh-caps=+${name}`,
      `--ambient-caps=+${name}`,
      '--',
    ];
    if ((await tryCommand('setpriv', [...prefix.slice(1), '/bin/sh', '-c', test, 'sh', ...paths])).code === 0)
      return { credentials: {}, prefix };
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and the user nobody cannot reach ${paths.join(' and ')}. Run this as an ordinary user, keep the clone and BERTH_DATA_DIR where every user may enter, or set BERTH_DATABASE_URL to a running PostgreSQL.`,
  );
}
