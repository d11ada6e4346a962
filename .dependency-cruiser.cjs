/** The arrows of the house. Each rule says why it is there; all of them are errors. */
const rule = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to });
const tests = '(\\.spec\\.ts$|/test/)';

module.exports = {
  forbidden: [
    rule('no-cycles', 'A cycle is two rooms that are really one.', {}, { circular: true }),
    rule('no-unresolved', 'An import that does not resolve fails at run time.', {}, { couldNotResolve: true }),
    rule(
      'apps-never-import-each-other',
      'Apps meet in Postgres, Redis and packages, so each can be deployed alone.',
      { path: '^apps/([^/]+)/' },
      { path: '^apps/', pathNot: '^apps/$1/' },
    ),
    rule('packages-never-import-apps', 'Arrows point from apps to packages.', { path: '^packages/' }, { path: '^(apps|demo|bench)/' }),
    rule(
      'schema-imports-nothing-of-ours',
      'The contract is the bottom of the house.',
      { path: '^packages/schema/' },
      { path: '^(packages|apps)/', pathNot: '^packages/schema/' },
    ),
    rule(
      'live-sessions-knows-redis-only',
      'Admission reads rows through a port; it must be testable with Redis alone.',
      { path: '^packages/live-sessions/src', pathNot: tests },
      { path: '^packages/(?!live-sessions/)' },
    ),
    rule(
      'agreements-know-no-http',
      'Packages shared by apps must not drag a web framework in.',
      { path: '^packages/(live-sessions|browser-fleet|login-flow)/' },
      { path: 'node_modules/(@nestjs|fastify)' },
    ),
    rule(
      'repositories-are-private',
      "A feature uses another feature's service or view, never its repository.",
      { path: '^apps/api/src/([^/]+)/' },
      { path: '^apps/api/src/([^/]+)/[^/]*repository\\.ts$', pathNot: '^apps/api/src/$1/' },
    ),
    rule(
      'unscoped-database-is-rare',
      'Every other room must name its tenant.',
      {
        path: '^(apps|packages)/',
        pathNot: `^(packages/(database|login-flow|browser-fleet|testkit)/|apps/api/src/(request|admission|bootstrap|idempotency|maintenance)/|apps/api/src/[^/]+\\.ts$|apps/worker/src/(maintenance|login)/|apps/worker/src/[^/]+\\.ts$|apps/browser-host/|apps/cli/)|${tests}`,
      },
      { path: '^packages/database/(src|dist)/unscoped' },
    ),
    rule(
      'discovery-is-pure',
      'A verdict on a page is a function of its snapshot.',
      { path: '^apps/worker/src/discovery/', pathNot: `(${tests}|/evaluation/)` },
      { path: '.', pathNot: '^(apps/worker/src/discovery/|packages/schema/)' },
    ),
    rule('nothing-imports-tests', 'Test code is a leaf.', { pathNot: `(${tests}|^packages/testkit/)` }, { path: tests }),
    rule(
      'testkit-is-for-tests',
      'Fixtures never reach product code; the demo and benchmarks are not product code.',
      { path: '^(apps|packages)/', pathNot: `(${tests}|^packages/testkit/)` },
      { path: '^packages/testkit/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(/dist/|packages/database/src/generated/|/assets/)' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'], extensions: ['.ts', '.js'] },
  },
};
