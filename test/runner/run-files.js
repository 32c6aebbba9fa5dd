/**
 * Runs test files in one process, one after the other, so that what they all load is loaded and compiled once.
 *
 * usage: node --test-reporter=./test/runner/reporter.js test/runner/run-files.js FILE...
 */
import asyncHooks from 'node:async_hooks';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

// Whoever started it has ended: what it says would be another exception, and so on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(1));
await loadTestRunner();
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error) => process.stderr.write(`Nobody caught ${error?.stack ?? error}\n`));
for (const file of process.argv.slice(2)) await import(pathToFileURL(path.resolve(file)).href);

/**
 * Loads Node.js's test runner without its hooks. By those it follows each promise from its beginning to its collection as
 * garbage, to know of an exception that nobody caught in which test it was thrown: a fifth of the CPU time of all tests.
 * Without, such an exception fails the process. The runner still has to hear of each test, which is how it knows the parent of one.
 */
async function loadTestRunner() {
  const { createHook, AsyncResource } = asyncHooks;
  /** @type {Function | undefined} */
  let init;
  const unused = { enable: () => unused, disable: () => unused };
  asyncHooks.createHook = (callbacks) => {
    init = callbacks.init;
    return unused;
  };
  asyncHooks.AsyncResource = class extends AsyncResource {
    /** @param {string} type @param {asyncHooks.AsyncResourceOptions} [options] */
    constructor(type, options) {
      super(type, options);
      init?.(this.asyncId(), type, this.triggerAsyncId(), this);
    }
  };
  await import('node:test');
  Object.assign(asyncHooks, { createHook, AsyncResource });
}
