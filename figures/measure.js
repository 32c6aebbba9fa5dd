/**
 * Measures runs for figures: by the project's own commands on this machine, and over simulated links.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { RunError } from '../cli/program/program.js';
import { measureOnPage } from '../cli/run/measure.js';
import { LOADERS } from '../core/experiments/index.js';
import { withFarSite, withSite } from '../lab/far-site.js';

/** @import { Conditions } from '../core/experiment/emulated-link.js' */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM = [process.execPath, 'cli/sockshootout.js'];
/** The seed of all plans, so that they are the same each time. */
const SEED = 7;

/** No command takes nearly as long. */
const LIMIT_MS = 1_800_000;

/**
 * @param {string} command of `npx sockshootout`, as a document prints it, without the output format
 * @returns {Promise<any>} its JSON
 */
export const runJson = (command) => start([...PROGRAM, ...command.split(' ').slice(2), '--json']);

/** @param {readonly string[]} command @param {NodeJS.ProcessEnv} [env] @returns {Promise<any>} the JSON that it prints */
async function start([name, ...args], env = process.env) {
  const child = spawn(name, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'], timeout: LIMIT_MS });
  const exited = once(child, 'exit');
  const [json, [code]] = await Promise.all([text(child.stdout), exited]);
  if (code !== 0) throw new RunError(`${args.join(' ')}: expected to end with 0, got ${code}`);
  return JSON.parse(json);
}

/**
 * @param {any} document
 * @param {string} name of its experiment
 * @returns {Promise<any>} its summary
 */
export async function summarize(document, name) {
  const experiment = await LOADERS[name]();
  return experiment.summarize(document);
}

/**
 * Opens Chromium at one end of a link, and the site at its other end, for runs that share both. Needs root.
 *
 * @template T
 * @param {Conditions} conditions
 * @param {(measure: (name: string, query: string) => Promise<any>) => Promise<T>} use `measure` gives the document of a run:
 *   by the name of its experiment, and the query of its plan's link
 * @param {{ signal: AbortSignal, isBehindNginx?: boolean }} options `isBehindNginx`: over TLS and HTTP/2
 * @returns {Promise<T>} what `use` gives
 */
export const withFarPage = (conditions, use, options) =>
  withFarSite(
    conditions,
    ({ browser, origin }) =>
      use(async (name, query) => {
        const experiment = await LOADERS[name]();
        const plan = experiment.parsePlan(new URLSearchParams(query), { seed: SEED });
        return measureOnPage(browser, experiment, { plan, origin, signal: options.signal });
      }),
    options,
  );

/**
 * Measures one run there.
 *
 * @param {string} name
 * @param {Conditions} conditions
 * @param {string} query
 * @param {Parameters<typeof withFarPage>[2]} options
 */
export const measureFar = (name, conditions, query, options) =>
  withFarPage(conditions, (measure) => measure(name, query), options);

/** @typedef {(command: string) => Promise<any>} Run returns the JSON of a command of `sockshootout`, like `run jobs` */

/**
 * Starts the site at one end of a link of its own, for commands at its other end. Needs root.
 *
 * @template T
 * @param {Conditions} conditions
 * @param {(run: Run) => Promise<T>} use
 * @param {{ isBehindNginx?: boolean }} [options]
 * @returns {Promise<T>} what `use` gives
 */
export const withFarRuns = (conditions, use, options) =>
  withSite(
    conditions,
    ({ link, origin }) =>
      use((command) => {
        const args = [...PROGRAM, ...command.split(' '), '--url', origin, '--json'];
        // The certificate of nginx is self-signed, and nothing else can be reached from there.
        return start(link.clientCommand(args), { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' });
      }),
    options,
  );
