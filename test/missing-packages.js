/**
 * Prints the packages of Debian and Ubuntu that some suite needs and this machine lacks, for scripts that install them.
 */
import { findMissing, packagesOf } from './runner/parts.js';
import { SUITES } from './runner/suites.js';

const parts = new Set(Object.values(SUITES).flatMap((suite) => suite.parts));
process.stdout.write(`${packagesOf(await findMissing([...parts])).join(' ')}\n`);
