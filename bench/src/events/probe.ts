/** Loaded into every measured process (`node --import`): answers what it costs, over the channel that its parent opened. */
import type { ProcessCost } from './measured-process.js';

process.on('message', (asked) => {
  if (asked !== 'cost') return;
  globalThis.gc?.();
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  process.send?.({ rss: process.memoryUsage.rss(), cpuMicros: user + system } satisfies ProcessCost);
});
// The channel alone must not keep a process alive that has ended its work.
process.channel?.unref();
