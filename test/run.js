/**
 * Runs test suites.
 *
 * usage: node test/run.js SUITE... [--update-golden]
 */
import { rmSync } from 'node:fs';
import { runSuite } from './runner/suite.js';
import { SUITES } from './runner/suites.js';

const UPDATE_GOLDEN = '--update-golden';

const args = process.argv.slice(2);
const names = args.filter((arg) => arg !== UPDATE_GOLDEN);
const updatesGolden = args.includes(UPDATE_GOLDEN);
const unknown = names.find((name) => !Object.hasOwn(SUITES, name));
if (names.length === 0 || unknown !== undefined) {
  process.stderr.write(`Expected one or more of ${Object.keys(SUITES).join(', ')}, got '${unknown ?? 'none'}'\n`);
  process.exit(2);
}
if (updatesGolden && names.join() !== 'quick') {
  process.stderr.write(`Expected ${UPDATE_GOLDEN} after npm test alone: the other suites hold no golden files\n`);
  process.exit(2);
}
if (updatesGolden) rmSync('test/golden', { recursive: true, force: true });
for (const name of names) {
  if (!(await runSuite(SUITES[name], { updatesGolden }))) process.exitCode = 1;
}
