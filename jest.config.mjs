import { availableParallelism } from 'node:os';

/** Where `tooling/test.mjs` wants the count kept; unset when Jest is run by hand. */
const tallyFile = process.env.BERTH_TEST_TALLY;

/** One Jest run over every room: real PostgreSQL, Redis and Chromium are started once in globalSetup. */
export default {
  // Each worker keeps stores, apps and browsers busy beside itself: with more workers than cores, what they drive is starved until the
  // product's own time-outs strike.
  maxWorkers: Math.min(4, availableParallelism()),
  reporters: ['default', ...(tallyFile ? [['<rootDir>/tooling/jest/tally-reporter.mjs', { file: tallyFile }]] : [])],
  testEnvironment: 'node',
  globalSetup: '<rootDir>/tooling/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/tooling/jest/global-teardown.mjs',
  testMatch: ['<rootDir>/{apps,packages,demo,bench}/*/{src,test}/**/*.spec.ts', '<rootDir>/{demo,bench}/{src,test}/**/*.spec.ts'],
  modulePathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testTimeout: 120_000,
  // Of tests that say so (`it.concurrent`): what two cores bear of real browsers at a time.
  maxConcurrency: 3,
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        sourceMaps: 'inline',
        module: { type: 'es6' },
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          keepClassNames: true,
        },
      },
    ],
  },
};
