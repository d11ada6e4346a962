/**
 * Lists, for every clause of docs/contract.md, the tests that cite it, in docs/contract-tests.md. `--check` writes nothing. Fails when a clause has no
 * test. A clause is a line that begins with its number in bold; one that no test can decide ends with "(not decidable by a test)", one whose test is
 * awaited with "(no test yet)", which is a fault as soon as there is one.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(root, 'docs', 'contract-tests.md');

function* specs(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (['node_modules', 'dist', '.turbo', 'generated'].includes(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* specs(path);
    else if (entry.name.endsWith('.spec.ts')) yield path;
  }
}

/** `D18` and `Limits 2`; "Scoping 1–5" cites five. */
function citations(title) {
  const head = title.match(/^[^:]*:/)?.[0] ?? '';
  const found = new Set([...title.matchAll(/\bD\d{1,2}\b/g)].map(([number]) => number));
  for (const [, from, to] of head.matchAll(/\bD(\d{1,2})[–-]D(\d{1,2})\b/g))
    for (let n = Number(from); n <= Number(to); n += 1) found.add(`D${n}`);
  for (const [, area, numbers] of head.matchAll(/\b(Scoping|Authentication|Endpoints rule|Limits|Versioning) (\d+(?:(?:, |–)\d+)*)/g)) {
    for (const part of numbers.split(', ')) {
      const [from, to = from] = part.split('–').map(Number);
      for (let n = from; n <= to; n += 1) found.add(`${area} ${n}`);
    }
  }
  return found;
}

function testsByClause() {
  const tests = new Map();
  for (const folder of ['apps', 'packages', 'demo', 'bench']) {
    for (const file of specs(join(root, folder))) {
      for (const [, , title] of readFileSync(file, 'utf8').matchAll(/(?:\bit|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\\n])*)\1/g)) {
        for (const clause of citations(title))
          tests.set(clause, [...(tests.get(clause) ?? []), `\`${relative(root, file)}\`: ${title.replaceAll('|', '\\|')}`]);
      }
    }
  }
  return tests;
}

function clauses() {
  const text = readFileSync(join(root, 'docs', 'contract.md'), 'utf8');
  return [...text.matchAll(/^\*\*((?:D|[A-Z][a-z ]+ )\d+)\*\* (.*(?:\n(?!\n|\*\*).*)*)/gm)].map(([, number, body]) => ({
    number,
    decidable: !body.includes('(not decidable by a test)') && !body.includes('(no test yet)'),
    awaited: body.includes('(no test yet)'),
  }));
}

const tests = testsByClause();
const listed = clauses();
const missing = listed.filter(({ number, decidable }) => decidable && !tests.has(number)).map(({ number }) => number);
const stale = listed.filter(({ number, awaited }) => awaited && tests.has(number)).map(({ number }) => number);
const rows = listed.map(({ number }) => `## ${number}\n\n${(tests.get(number) ?? ['none']).map((test) => `- ${test}`).join('\n')}\n`);
const text = `# Tests by clause\n\nMade by \`node tooling/contract.mjs\` from the names of the tests; the clauses are in [contract.md](contract.md).\n\n${rows.join('\n')}`;

if (missing.length > 0) console.error(`No test cites ${missing.join(', ')}.`);
if (stale.length > 0) console.error(`Tests cite ${stale.join(', ')}, said to have no test yet.`);
if (!process.argv.includes('--check')) writeFileSync(target, text);
process.exit(missing.length + stale.length === 0 ? 0 : 1);
