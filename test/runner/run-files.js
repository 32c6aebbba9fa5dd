/**
 * Runs test files in one process, one after the other, so that what they all load is loaded and compiled once.
 *
 * usage: node --test-reporter=./test/runner/reporter.js test/runner/run-files.js FILE...
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) await import(pathToFileURL(path.resolve(file)).href);
