/** Loaded into every measured process (`node --import`): answers what it costs, over the channel that its parent opened. */
import type { ProcessCost } from './measured-process.js';

process.on('message', (asked) => {
  if (asked !== 'cost' && asked !== 'cpu') return;
  // A collection of ten thousand streams takes a tenth of a second: where time alone is asked for, none is caused.
  if (asked === 'cost') for (let round = 0; round < 2; round += 1) globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  process.send?.({ rss: process.memoryUsage.rss(), cpuMicros: user + system } satisfies ProcessCost);
});
// The channel alone must not keep a process alive that has ended its work.
process.channel?.unref();
