import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions, BenchResult } from './bench-result.js';

/** `npm run bench -- <name> [--json]` (D57). A benchmark is a folder whose index exports `run`. */
const benches: Readonly<Record<string, () => Promise<{ run(options: BenchOptions): Promise<BenchResult> }>>> = {
  admission: () => import('./admission/index.js'),
  'admission-peers': () => import('./admission-peers/index.js'),
  browsers: () => import('./browsers/index.js'),
  events: () => import('./events/index.js'),
  login: () => import('./login/index.js'),
  reads: () => import('./reads/index.js'),
  'reads-scale': () => import('./reads-scale/index.js'),
};

const words = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith('--'));
const load = names.length === 1 && Object.hasOwn(benches, names[0]!) ? benches[names[0]!] : undefined;
if (!load) {
  console.error(
    `Usage: npm run bench -- <${Object.keys(benches).join('|')}> [--json]. ${names.length === 0 ? 'No benchmark was named.' : `There is no benchmark "${names.join(' ')}".`}`,
  );
  process.exit(2);
}

const workDir = mkdtempSync(join(tmpdir(), 'berth-bench-'));
try {
  const bench = await load();
  const result = await bench.run({ workDir });
  if (words.includes('--json')) console.log(JSON.stringify(result));
  else console.table(Object.fromEntries(Object.entries(result.ratios).map(([name, ratio]) => [name, { ratio: Number(ratio.toFixed(3)) }])));
} finally {
  rmSync(workDir, { recursive: true, force: true });
}
