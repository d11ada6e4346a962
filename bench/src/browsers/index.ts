import { join } from 'node:path';
import { locateChromium } from '@berth/local-stack';
import { type BenchOptions, type BenchResult, median } from '../bench-result.js';
import { measureAdmittedInsert } from './admitted-insert.js';
import { startServers } from './servers.js';
import { measureWarmCreate } from './warm-create.js';

/** The value that `share` of the samples do not exceed. */
function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

/**
 * B1: POST /browsers from warm standby to a usable CDP connection, over launch-to-first-page of the same build (goal: p50 ≤ 0.5, and ≤ 42
 * ms on an idle machine). B2: admission and insert without a browser, over one INSERT through bare Fastify (stretch ≥ 0.5).
 */
export async function run({ workDir }: BenchOptions): Promise<BenchResult> {
  const executablePath = await locateChromium({ toolsDir: join(workDir, 'tools') });
  const servers = await startServers(workDir);
  try {
    const insert = await measureAdmittedInsert(servers);
    const warm = await measureWarmCreate(servers, executablePath);
    return {
      bench: 'browsers',
      ratios: {
        'p50 create to usable CDP over p50 launch to first page': median(warm.usableMs) / median(warm.launchMs),
        'p99 create to usable CDP over p50 launch to first page': percentile(warm.usableMs, 0.99) / median(warm.launchMs),
        'p50 create to usable CDP, of 42 ms': median(warm.usableMs) / 42,
        'admission and insert over one insert, requests/s': insert.ratio,
      },
      raw: {
        milliseconds: {
          create: { p50: median(warm.createMs), p99: percentile(warm.createMs, 0.99) },
          usable: { p50: median(warm.usableMs), p99: percentile(warm.usableMs, 0.99) },
          launch: { p50: median(warm.launchMs), p99: percentile(warm.launchMs, 0.99) },
        },
        samples: warm,
        insert,
      },
    };
  } finally {
    await servers.stop();
  }
}
