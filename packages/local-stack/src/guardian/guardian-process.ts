/**
 * A process that outlives its owner by as long as it takes to end the owner's children. It reads orders on standard input, whose
 * write end only the owner holds: when that closes, the owner is gone, however it died.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { endProcess, type StopStep } from './ending.js';
import { identify, type ProcessIdentity } from './process-table.js';

/** What to do about one child, or one folder, when the owner is gone. */
export interface Ward {
  readonly id: string;
  readonly pid?: number;
  /** Wards of a lower order are gone before those of a higher one are told to stop. */
  readonly order: number;
  readonly stop: readonly StopStep[];
  /** Folders that are worthless without the child or the owner. */
  readonly remove: readonly string[];
}

export type Order = { readonly watch: Ward } | { readonly forget: string };

const wards = new Map<string, { readonly ward: Ward; readonly target: ProcessIdentity | undefined }>();

function obey(order: Order): void {
  if ('forget' in order) wards.delete(order.forget);
  else wards.set(order.watch.id, { ward: order.watch, target: order.watch.pid === undefined ? undefined : identify(order.watch.pid) });
}

async function endAll(): Promise<void> {
  const entries = [...wards.values()];
  const orders = [...new Set(entries.map(({ ward }) => ward.order))].sort((a, b) => a - b);
  for (const order of orders) {
    await Promise.all(
      entries
        .filter(({ ward }) => ward.order === order)
        .map(async ({ ward, target }) => {
          if (target) await endProcess(target, ward.stop);
          for (const folder of ward.remove) rmSync(folder, { recursive: true, force: true });
        }),
    );
  }
}

// It must not be ended by what ends its owner: a Ctrl-C, a closed terminal, a stopped service.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);

createInterface({ input: process.stdin })
  .on('line', (line) => obey(JSON.parse(line) as Order))
  .on('close', () => void endAll().finally(() => process.exit(0)));
