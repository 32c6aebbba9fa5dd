/** The arguments of `sockshootout load`: its messages, its connections and its time are all bounded. */
import { Option } from 'commander';
import { transports } from '../../core/net/echo/index.js';
import { NODE_TRANSPORTS } from '../net/transports.js';
import { choiceOption, createCommand, integerOption, parseArguments } from '../program/command.js';
import { parseBaseUrl } from '../run/options.js';

/**
 * The transports of a load: sockets that Node.js opens without a fallback, and one HTTP request, as all HTTP transports
 * of a page send the same.
 */
const TRANSPORTS = [
  'ajax',
  ...NODE_TRANSPORTS.filter((name) => transports[name].isSocket && transports[name].fallback !== 'always'),
].sort();

const createLoad = () =>
  createCommand(
    'npx sockshootout load',
    `Sends many messages to the echo of a SockShootout server over several connections. Each connection sends its next message after the previous answer. Prints requests per second, latency percentiles, and errors by kind. With ajax, the latency of each connection's first message includes connecting; with the others, it does not.

Without --url, it starts and measures two servers on this machine: one process, then one process per CPU, each after a warm-up. With --url there is no warm-up; load only a server that is yours.`,
  )
    .option('--url <url>', 'server to load: http://HOST:PORT or https://HOST/PATH; redirects are not followed')
    .addOption(integerOption('requests', 'messages in total', { max: 1_000_000, default: 10_000 }))
    .addOption(integerOption('concurrency', 'connections', { max: 1000, default: 100 }))
    .addOption(choiceOption('--transport <name>', 'of the messages', TRANSPORTS).default('ajax'))
    .addOption(
      integerOption('duration', 'seconds after which each load and each warm-up ends', { max: 600, default: 600 }),
    )
    .addOption(new Option('--json', 'print JSON instead of text').conflicts('markdown'))
    .option('--markdown', 'print Markdown instead of text')
    .option('--out <file>', 'write to a file')
    .option('-q, --quiet', 'print no progress')
    .addHelpText(
      'after',
      `
Exit codes:
  0  every message that was sent was answered
  1  a message failed, none was answered, or Ctrl-C ended the load
  2  the load could not start

Ctrl-C ends the load and prints what was measured.`,
    );

/**
 * @typedef {ReturnType<typeof parseLoadOptions>} LoadOptions `baseUrl`: absent for servers of its own
 * @typedef {LoadOptions['plan']} LoadPlan `requests`: messages in all; `concurrency`: connections; each load ends after
 *   `durationS`, in seconds
 */

/** @param {string[]} args @throws {InvalidInputError | CommanderError} what, expected, got; the latter after its help */
export function parseLoadOptions(args) {
  const values = parseArguments(createLoad(), args);
  const { url, transport, requests, concurrency, duration: durationS, json, markdown, out, quiet = false } = values;
  return {
    // A connection without a message would measure nothing.
    plan: { transport, requests, concurrency: Math.min(concurrency, requests), durationS },
    baseUrl: url === undefined ? undefined : parseBaseUrl(url),
    format: /** @type {'text' | 'json' | 'markdown'} */ (json ? 'json' : markdown ? 'markdown' : 'text'),
    out,
    isQuiet: quiet,
  };
}
