import { readConfig } from '@berth/config';
import { locateChromium } from '@berth/local-stack';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { readCorpus } from './corpus.js';
import { observeCorpus } from './observe-corpus.js';
import { Scores } from './score.js';

/** `npm run eval:forms -- <folder>`: mistakes on stderr as they are found, one JSON line last on stdout. */
async function main(folder: string | undefined): Promise<number> {
  if (!folder) {
    process.stderr.write('Usage: npm run eval:forms -- <folder with index.json and pages>\n');
    return 2;
  }
  const { dataDir, chromiumPath } = readConfig(['BERTH_DATA_DIR', 'BERTH_CHROMIUM_PATH'], process.env);
  const root = resolve(folder);
  const pages = await readCorpus(root);
  const executablePath = await locateChromium({
    toolsDir: join(resolve(dataDir), 'tools'),
    ...(chromiumPath !== undefined && { path: chromiumPath }),
    progress: (message) => void process.stderr.write(`${message}\n`),
  });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
  try {
    const scores = new Scores();
    let done = 0;
    for await (const page of observeCorpus(browser, root, pages)) {
      const { file, tier, kind, mistakes } = scores.add(page);
      done += 1;
      if (mistakes.length > 0) process.stderr.write(`${done}/${pages.length} ${tier} ${file} (${kind}): ${mistakes.join(', ')}\n`);
    }
    process.stdout.write(`${JSON.stringify({ eval: 'forms', pages: done, tiers: scores.report() })}\n`);
    return 0;
  } finally {
    await browser.close();
  }
}

process.exitCode = await main(process.argv[2]);
