/**
 * Holds docs/contract.md to the tests, by the names of the tests. Writes docs/contract-tests.md, the tests of every clause, and beside every
 * clause of the contract a link to its tests. `--check` writes nothing and fails when either file is not what would be written. Fails too
 * when a clause is missing, or has no test.
 *
 * A clause is a paragraph that begins with its number in bold; one that no test can decide ends with "(not decidable by a test)", one whose
 * test is awaited with "(no test yet)", which is a fault as soon as there is one.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * How many clauses each area has: the lists and tables of the service's document in their order, row by row, and the decisions. A clause that
 * is left out of the contract is missed by this.
 */
const areas = {
  Service: 5,
  Resources: 5,
  States: 7,
  Endpoints: 11,
  'Endpoints rule': 5,
  Scoping: 5,
  Authentication: 6,
  Events: 10,
  Errors: 11,
  Limits: 8,
  Versioning: 3,
  D: 62,
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const contractFile = join(root, 'docs', 'contract.md');
const testsFile = join(root, 'docs', 'contract-tests.md');

const numberOf = (area, n) => (area === 'D' ? `D${n}` : `${area} ${n}`);
const expected = Object.entries(areas).flatMap(([area, count]) => Array.from({ length: count }, (_, index) => numberOf(area, index + 1)));

function* specs(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (['node_modules', 'dist', '.turbo', 'generated'].includes(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* specs(path);
    else if (entry.name.endsWith('.spec.ts')) yield path;
  }
}

const areaNames = Object.keys(areas).filter((area) => area !== 'D');
const areaCitation = new RegExp(`\\b(${areaNames.join('|')}) (\\d+(?:(?:, |–)\\d+)*)`, 'g');

/** `D18` and `Limits 2`; "Scoping 1–5" cites five. */
function citations(title) {
  const head = title.match(/^[^:]*:/)?.[0] ?? '';
  const found = new Set([...title.matchAll(/\bD\d{1,2}\b/g)].map(([number]) => number));
  for (const [, from, to] of head.matchAll(/\bD(\d{1,2})[–-]D(\d{1,2})\b/g))
    for (let n = Number(from); n <= Number(to); n += 1) found.add(`D${n}`);
  for (const [, area, numbers] of head.matchAll(areaCitation)) {
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

const clausePattern = /^\*\*((?:D|[A-Z][a-z ]+ )\d+)\*\* (.*(?:\n(?!\*\*).+)*)/gm;
const linkPattern = /\s\(\[tests\]\(contract-tests\.md#[a-z0-9-]+\)\)/g;

const undecidable = '(not decidable by a test)';
const awaited = '(no test yet)';
const isTested = (body) => !body.includes(undecidable) && !body.includes(awaited);

/** As headings are linked to. */
const anchorOf = (number) => number.toLowerCase().replaceAll(' ', '-');

/** The contract with a link beside every clause that has tests. */
function linked(text) {
  return text
    .replace(linkPattern, '')
    .replace(clausePattern, (clause, number, body) =>
      isTested(body) ? `${clause} ([tests](contract-tests.md#${anchorOf(number)}))` : clause,
    );
}

function listOfTests(listed, tests) {
  const rows = listed.map(({ number }) => `## ${number}\n\n${(tests.get(number) ?? ['none']).map((test) => `- ${test}`).join('\n')}\n`);
  return `# Tests by clause\n\nMade by \`node tooling/contract.mjs\` from the names of the tests; the clauses are in [contract.md](contract.md).\n\n${rows.join('\n')}`;
}

const contract = readFileSync(contractFile, 'utf8');
const tests = testsByClause();
const listed = [...contract.matchAll(clausePattern)].map(([, number, body]) => ({ number, body }));
const numbers = listed.map(({ number }) => number);

/** Each fault with the numbers of the clauses that have it. */
const faults = {
  'docs/contract.md leaves out': expected.filter((number) => !numbers.includes(number)),
  'The table of areas in tooling/contract.mjs has no': numbers.filter((number) => !expected.includes(number)),
  'docs/contract.md has more than once': numbers.filter((number, index) => numbers.indexOf(number) !== index),
  'Tests cite what is no clause:': [...tests.keys()].filter((number) => !expected.includes(number)),
  'No test cites': listed.filter(({ number, body }) => isTested(body) && !tests.has(number)).map(({ number }) => number),
  'Said to have no test yet, but tests cite': listed
    .filter(({ number, body }) => body.includes(awaited) && tests.has(number))
    .map(({ number }) => number),
};
const files = new Map([
  [contractFile, linked(contract)],
  [testsFile, listOfTests(listed, tests)],
]);
const stale = [...files].filter(([path, text]) => readFileSync(path, 'utf8') !== text);

const messages = Object.entries(faults).flatMap(([fault, clauses]) => (clauses.length === 0 ? [] : [`${fault} ${clauses.join(', ')}.`]));
if (process.argv.includes('--check'))
  messages.push(...stale.map(([path]) => `${relative(root, path)} is not what \`node tooling/contract.mjs\` writes: run it.`));
else for (const [path, text] of stale) writeFileSync(path, text);
for (const message of messages) console.error(message);
process.exit(messages.length === 0 ? 0 : 1);
