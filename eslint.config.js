import js from '@eslint/js';
import globals from 'globals';

/** What both browsers and Node have, and so all that core may use. */
const coreGlobals = globals['shared-node-browser'];

export default [
  js.configs.recommended,
  {
    rules: {
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'no-console': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },
  // What is longer is several things.
  { ignores: ['**/test/**', 'distance/**'], rules: { 'max-lines-per-function': ['error', 80] } },
  { files: ['core/**'], languageOptions: { globals: coreGlobals } },
  { files: ['public/**', 'examples/*/*-page.js'], languageOptions: { globals: globals.browser } },
  // A browser test holds functions that run in the page.
  {
    files: ['test/browser/**', 'test/programs/loops-in-page.js', 'distance/**', 'bench/**', 'deploy/test/**'],
    languageOptions: { globals: globals.browser },
  },
  { ignores: ['public/**', 'core/**'], languageOptions: { globals: globals.node } },
];
