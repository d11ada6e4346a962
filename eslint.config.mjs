import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      '**/.berth/**',
      '**/dist/**',
      '**/prisma.config.ts',
      '**/node_modules/**',
      'packages/database/src/generated/**',
      '**/assets/**',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked.map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Nest reads constructor parameter types at run time; an empty class is how a module is written.
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/require-await': 'off',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only: a reader searches for the name.' },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Settings are read in packages/config and passed on.' },
      ],
    },
  },
  {
    // The one place that reads the environment, the launcher that hands it to children, and tests that start children.
    files: [
      'packages/config/**/*.ts',
      'packages/local-stack/**/*.ts',
      '**/main.ts',
      '**/config.ts',
      '**/*.spec.ts',
      '**/test/**/*.ts',
      'packages/testkit/**/*.ts',
      'bench/**/*.ts',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        fetch: 'readonly',
        module: 'writable',
        Buffer: 'readonly',
        crypto: 'readonly',
        WebAssembly: 'readonly',
        globalThis: 'readonly',
      },
    },
  },
);
