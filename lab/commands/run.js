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
  TEXT,
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
import { FORGET, LINK_HELP, LINK_OPTIONS, parseConditions, parseCut, splitArgs } from '../options.js';

/**
 * @import { Conditions } from '../../core/experiment/emulated-link.js'
 * @import { StartedRun } from '../measure.js'
 * @import { Cut } from '../options.js'
 */

/** The full test. */
const ALL = 'all';
const KNOWN = [...Object.keys(LOADERS), ALL];
const NAMES = KNOWN.join(', ');

const OPTIONS = { ...LINK_OPTIONS, cut: TEXT, h2: FLAG };

const HELP = `usage: sudo npx sockshootout lab run EXPERIMENT --rtt MS [options]
       sudo npx sockshootout lab run EXPERIMENT --profile NAME [options]
       sudo npx sockshootout lab run cuts --cut TIME|forget [options]

Measures an experiment (${NAMES}) over an
emulated link. The document records the link and its ping times.

${LINK_HELP}

Cut
  --cut TIME            drop all packets both ways for 1s to 60s, once in each block, as in 20s; for an experiment that
                        counts from it, from Node.js. The default of --rtt is then 0.
  --cut forget          drop for good, once in each block, what belongs to a TCP connection that exists by then; new
                        connections work: a NAT that restarted, which no server can imitate

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
  const { h2: isBehindNginx, cut, ...values } = readArgs(linkArgs, OPTIONS);
  const linkCut = cut === undefined ? undefined : parseCut(cut);
  const isNear = linkCut !== undefined && values.rtt === undefined && values.profile === undefined;
  const conditions = parseConditions(isNear ? { ...values, rtt: '0' } : values);
  if (linkCut !== undefined && conditions.changes) throw new UsageError('Use only one of --cut and --then');
  const runArgs = linkCut === undefined ? others : await argsWithCut(name, others, linkCut);
  await checkRunArgs(name, runArgs);
  await requireMachine(isBehindNginx ? ['nginx', 'openssl'] : []);
  return measure(conditions, { args: [name, ...runArgs], isBehindNginx, cut: linkCut });
}

/**
 * @param {string} name @param {string[]} args of its run @param {Cut} cut
 * @returns {Promise<string[]>} the same with the options of a plan in whose trials the link is cut once
 * @throws {InvalidInputError}
 */
async function argsWithCut(name, args, cut) {
  const linkCut = name === ALL ? undefined : (await loadClient(name)).linkCut;
  if (!linkCut) {
    const clients = await Promise.all(Object.keys(LOADERS).map(async (one) => ({ one, ...(await loadClient(one)) })));
    const able = clients.flatMap(({ one, linkCut: has }) => (has ? [one] : []));
    throw new UsageError(`--cut: expected the experiment ${able.join(' or ')}, got “${name}”`);
  }
  const own = linkCut.fields.find((field) => args.some((arg) => arg === `--${field}` || arg.startsWith(`--${field}=`)));
  if (own) throw new UsageError(`--${own} cannot be used with --cut, which decides it`);
  const options = await parseOne(name, [...args, ...linkCut.argsFor(undefined, cut)]);
  if (options?.isInBrowser)
    throw new UsageError('--browser cannot be used with --cut: the run asks for the cut from Node.js');
  return [...args, ...linkCut.argsFor(options?.plan, cut)];
}

/**
 * Checks the arguments before anything is started.
 * @param {string} name @param {string[]} args of its run @throws {InvalidInputError}
 */
async function checkRunArgs(name, args) {
  const options = await (name === ALL ? parseFullTestOptions(args, membersOf(EXPERIMENTS)) : parseOne(name, args));
  const given = options?.baseUrl !== undefined ? '--url' : options?.link && '--link';
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
 * @param {Conditions} conditions @param {{ args: string[], isBehindNginx?: boolean, cut?: Cut }} options
 * @returns {Promise<number>} the exit code
 */
async function measure(conditions, { args, isBehindNginx, cut }) {
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
          started = startRun(link, { origin, ping, args, env, cut });
          return started.end;
        });
      },
      { isBehindNginx, forgets: cut === FORGET },
    );
  } catch (error) {
    throwUnlessCancelled(error, signal);
    throw new RunError('Stopped before the run began.');
  }
}
