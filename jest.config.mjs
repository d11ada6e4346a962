/** One Jest run over every room: real PostgreSQL, Redis and Chromium are started once in globalSetup. */
export default {
  testEnvironment: 'node',
  globalSetup: '<rootDir>/tooling/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/tooling/jest/global-teardown.mjs',
  testMatch: ['<rootDir>/{apps,packages,demo,bench}/*/{src,test}/**/*.spec.ts', '<rootDir>/{demo,bench}/{src,test}/**/*.spec.ts'],
  modulePathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testTimeout: 60_000,
  // Of tests that say so (`it.concurrent`): what two cores bear of real browsers at a time.
  maxConcurrency: 3,
  transform: {
    '^.+\\.ts$': ['@swc/jest', {
      swcrc: false, sourceMaps: 'inline', module: { type: 'es6' },
      jsc: {
        target: 'es2022', parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false }, keepClassNames: true,
      },
    }],
  },
};
