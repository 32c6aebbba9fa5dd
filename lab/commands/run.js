/**
 * `lab run NAME`: any experiment, or all, over an emulated link, with the options of `sockshootout run NAME`.
 */
import { loadClient } from '../../cli/clients/index.js';
import { findChromium } from '../../cli/program/chromium.js';
import { findExperimentName, wrongName } from '../../cli/program/names.js';
import {
  cancelOnSignals,
  checkWritable,
  EXIT,
  FLAG,
  readArgs,
  RunError,
  UsageError,
} from '../../cli/program/program.js';
import { parseRunOptions } from '../../cli/run/options.js';
import { parseFullTestOptions } from '../../cli/full-test/options.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';
import { LOADERS } from '../../core/experiments/index.js';
import { membersOf } from '../../core/full-test/plan.js';
import { withSite, withTrust } from '../far-site.js';
import { requireMachine, throwUnlessCancelled } from '../machine.js';
import { startRun } from '../measure.js';
import { LINK_HELP, LINK_OPTIONS, parseConditions, splitArgs } from '../options.js';

/**
 * @import { Conditions } from '../../core/experiment/emulated-link.js'
 * @import { StartedRun } from '../measure.js'
 */

/** The full test. */
const ALL = 'all';
const KNOWN = [...Object.keys(LOADERS), ALL];
const NAMES = KNOWN.join(', ');

const OPTIONS = { ...LINK_OPTIONS, h2: FLAG };

const HELP = `usage: sudo npx sockshootout lab run EXPERIMENT --rtt MS [options]
       sudo npx sockshootout lab run EXPERIMENT --profile NAME [options]

Measures an experiment (${NAMES}) over an
emulated link. The document records the link and its ping times.

${LINK_HELP}

Site
  --h2                  behind nginx, with TLS and HTTP/2

All other options, and everything after --, go to 'npx sockshootout run EXPERIMENT'; --url and --link are not allowed:
  sudo npx sockshootout lab run shootout --rtt 230 --browser --preset quick --json --out run.json
  sudo npx sockshootout lab run fixed-rate --rtt 230 --rate 5 -- --rate 20

Exit codes are those of 'run'. Ctrl-C stops the run and prints what was measured.
`;

/** @param {string[]} args @returns {Promise<number>} the exit code */
export async function main([given, ...args]) {
  if (given === undefined || [given, ...args].some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(HELP);
    return EXIT.done;
  }
  const name = given === ALL ? ALL : await findExperimentName(given);
  if (name === undefined) throw wrongName('lab run', given, KNOWN);
  const { linkArgs, others } = splitArgs(args, OPTIONS);
  const { h2: isBehindNginx, ...values } = readArgs(linkArgs, OPTIONS);
  const conditions = parseConditions(values);
  await checkRunArgs(name, others);
  await requireMachine(isBehindNginx ? ['nginx', 'openssl'] : []);
  return measure(conditions, { args: [name, ...others], isBehindNginx });
}

/**
 * Checks the arguments before anything is started.
 * @param {string} name @param {string[]} args of its run @throws {InvalidInputError}
 */
async function checkRunArgs(name, args) {
  const options = await (name === ALL ? parseFullTestOptions(args, membersOf(EXPERIMENTS)) : parseOne(name, args));
  const given = options?.origin !== undefined ? '--url' : options?.link && '--link';
  if (given) throw new UsageError(`${given} cannot be used here: the lab starts the site behind its own link`);
  await checkWritable(options?.out);
  if (options?.isInBrowser) await findChromium();
}

/** @param {string} name of an experiment @param {string[]} args @throws {InvalidInputError} */
async function parseOne(name, args) {
  const [experiment, client] = await Promise.all([LOADERS[name](), loadClient(name)]);
  return parseRunOptions(args, { experiment, client });
}

/**
 * @param {Conditions} conditions @param {{ args: string[], isBehindNginx?: boolean }} options
 * @returns {Promise<number>} the exit code
 */
async function measure(conditions, { args, isBehindNginx }) {
  /** @type {StartedRun | undefined} */
  let started;
  // The run prints what it has. It ignores a second signal of the same key press.
  const signal = cancelOnSignals({ onSignal: (name) => started?.kill(name), mustTidyUp: true });
  try {
    return await withSite(
      conditions,
      async ({ link, origin, certificate }) => {
        const ping = await link.ping();
        signal.throwIfAborted();
        return await withTrust(certificate, (env) => {
          started = startRun(link, { origin, ping, args, env });
          return started.end;
        });
      },
      { isBehindNginx },
    );
  } catch (error) {
    throwUnlessCancelled(error, signal);
    throw new RunError('Stopped before the run began.');
  }
}
