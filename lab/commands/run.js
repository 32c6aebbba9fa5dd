/**
 * `lab run NAME`: any experiment, or all, over an emulated link, with the options of `sockshootout run NAME`.
 */
import { Option } from 'commander';
import { loadClient } from '../../cli/clients/index.js';
import { findChromium } from '../../cli/program/chromium.js';
import { ALL, findName, createCommand, parseArguments } from '../../cli/program/command.js';
import { cancelOnSignals, checkWritable, RunError, UsageError } from '../../cli/program/program.js';
import { parseRunOptions } from '../../cli/run/options.js';
import { parseFullTestOptions } from '../../cli/full-test/options.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';
import { LOADERS } from '../../core/experiments/index.js';
import { membersOf } from '../../core/full-test/plan.js';
import { withSite, withTrust } from '../far-site.js';
import { requireMachine, throwUnlessCancelled } from '../machine.js';
import { startRun } from '../measure.js';
import { addLinkOptions, FORGET, parseConditions, parseCut } from '../options.js';

/**
 * @import { Values } from '../../cli/program/command.js'
 * @import { Conditions } from '../../core/experiment/run/emulated-link.js'
 * @import { StartedRun } from '../measure.js'
 * @import { Cut } from '../options.js'
 *
 * @typedef {{ args: string[], isBehindNginx?: boolean, cut?: Cut }} RunOptions `args`: those of the run itself
 */

const createRun = () =>
  addLinkOptions(
    createCommand(
      'sudo npx sockshootout lab run',
      `Measures an experiment (${[ALL, ...Object.keys(LOADERS)].join(', ')}) over an emulated link. The document records the link and its ping times.`,
    ),
  )
    .argument('<experiment>')
    .usage('EXPERIMENT --rtt MS [options]')
    .optionsGroup('Cut:')
    .addOption(
      new Option(
        '--cut <time or forget>',
        'cut the link once in each block, for experiments in Node.js that count from the cut. A time such as 20s, 1s to 60s: all packets are dropped both ways. forget: the packets of all TCP connections that exist then are dropped for good, and new connections work, as after a NAT restarted. The default of --rtt is then 0',
      ).conflicts('then'),
    )
    .optionsGroup('Site:')
    .option('--h2', 'behind nginx, with TLS and HTTP/2')
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText(
      'after',
      `
All other options, and everything after --, go to 'npx sockshootout run EXPERIMENT'; --url and --link are not allowed:
  sudo npx sockshootout lab run shootout --rtt 230 --browser --preset quick --json --out run.json
  sudo npx sockshootout lab run fixed-rate --rtt 230 --rate 5 -- --rate 20

Exit codes are those of 'run'. Ctrl-C stops the run and prints what was measured.`,
    );

/**
 * Divides the arguments: those of the link, and the others. Everything after `--` belongs to the others, as one of the run's
 * options may have the name of a condition.
 * @param {string[]} args @returns {{ values: Values, given: string, others: string[] }} `given`: the experiment
 */
export function divideArgs(args) {
  const command = createRun();
  const values = parseArguments(command, args.length > 0 ? args : ['--help']);
  const [given, ...others] = command.args;
  const end = others.indexOf('--');
  return { values, given, others: others.filter((_, index) => index !== end) };
}

/**
 * Reads the arguments, and starts nothing.
 * @param {string[]} args @returns {Promise<{ conditions: Conditions, options: RunOptions }>}
 * @throws {InvalidInputError} what, expected, got
 */
export async function parseRun(args) {
  const { values: all, given, others } = divideArgs(args);
  const { h2: isBehindNginx, cut, ...values } = all;
  const name = await findName(given, 'npx sockshootout lab run');
  const linkCut = cut === undefined ? undefined : parseCut(cut);
  const isNear = linkCut !== undefined && values.rtt === undefined && values.profile === undefined;
  const conditions = parseConditions(isNear ? { ...values, rtt: '0' } : values);
  const runArgs = linkCut === undefined ? others : await argsWithCut(name, others, linkCut);
  await checkRunArgs(name, runArgs);
  return { conditions, options: { args: [name, ...runArgs], isBehindNginx, cut: linkCut } };
}

/** @param {string[]} args @returns {Promise<number>} the exit code */
export async function main(args) {
  const { conditions, options } = await parseRun(args);
  await requireMachine(options.isBehindNginx ? ['nginx', 'openssl'] : []);
  return measure(conditions, options);
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
 * @param {Conditions} conditions @param {RunOptions} options
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
