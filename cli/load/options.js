/** The arguments of `sockshootout load`: its messages, its connections and its time are all bounded. */
import { integer, parseField } from '../../core/experiment/fields.js';
import { transports } from '../../core/net/echo/index.js';
import { NODE_TRANSPORTS } from '../net/transports.js';
import { FLAG, readArgs, TEXT, UsageError } from '../program/program.js';
import { parseBaseUrl } from '../run/options.js';

/**
 * The transports of a load: sockets that Node.js opens without a fallback, and one HTTP request, as all HTTP transports
 * of a page send the same.
 */
const TRANSPORTS = [
  'ajax',
  ...NODE_TRANSPORTS.filter((name) => transports[name].isSocket && transports[name].fallback !== 'always'),
].sort();

const NUMBERS = {
  requests: integer({ parameter: '--requests', label: '', min: 1, max: 1_000_000, default: 10_000 }),
  concurrency: integer({ parameter: '--concurrency', label: '', min: 1, max: 1000, default: 100 }),
  duration: integer({ parameter: '--duration', label: '', min: 1, max: 600, default: 600 }),
};

/** @param {keyof typeof NUMBERS} name */
const boundsOf = (name) => `${NUMBERS[name].min} to ${NUMBERS[name].max}; default: ${NUMBERS[name].default}`;

export const HELP = `usage: npx sockshootout load [options]

Sends many messages to the echo of a SockShootout server over several connections. Each connection sends its next message
after the previous answer. Prints requests per second, latency percentiles, and errors by kind. With ajax, the latency of
each connection's first message includes connecting; with the others, it does not.

Without --url, it starts and measures two servers on this machine: one process, then one process per CPU, each after a
warm-up. With --url there is no warm-up; load only a server that is yours.

  --url URL           server to load: http://HOST:PORT or https://HOST/PATH; redirects are not followed
  --requests N        messages in total, ${boundsOf('requests')}
  --concurrency N     connections, ${boundsOf('concurrency')}
  --transport NAME    one of ${TRANSPORTS.join(', ')}; default: ajax
  --duration SECONDS  ends each load and each warm-up after this time, ${boundsOf('duration')}
  --json, --markdown  print this format instead of text
  --out FILE          write to a file
  --quiet             print no progress
  --help              print this text

Exit codes
  0  every message that was sent was answered
  1  a message failed, none was answered, or Ctrl-C ended the load
  2  the load could not start
Ctrl-C ends the load and prints what was measured.
`;

const OPTIONS = {
  ...{ url: TEXT, requests: TEXT, concurrency: TEXT, duration: TEXT, transport: TEXT, out: TEXT },
  ...{ json: FLAG, markdown: FLAG, quiet: { ...FLAG, short: 'q' }, help: { ...FLAG, short: 'h' } },
};

/**
 * @typedef {NonNullable<ReturnType<typeof parseLoadOptions>>} LoadOptions `baseUrl`: absent for servers of its own
 * @typedef {LoadOptions['plan']} LoadPlan `requests`: messages in all; `concurrency`: connections; each load ends after
 *   `durationS`, in seconds
 */

/** @param {string[]} args @returns absent if help was requested @throws {InvalidInputError} what, expected, got */
export function parseLoadOptions(args) {
  const values = readArgs(args, OPTIONS);
  if (values.help) return undefined;
  const { url, transport: name = 'ajax', json, markdown, out, quiet = false } = values;
  const transport = TRANSPORTS.find((one) => one === name);
  if (!transport) throw new UsageError(`--transport: expected one of ${TRANSPORTS.join(', ')}, got “${name}”`);
  if (json && markdown) throw new UsageError('Use only one of --json and --markdown');
  const number = (/** @type {keyof typeof NUMBERS} */ option) => parseField(values[option] ?? null, NUMBERS[option]);
  const [requests, concurrency] = [number('requests'), number('concurrency')];
  return {
    // A connection without a message would measure nothing.
    plan: { transport, requests, concurrency: Math.min(concurrency, requests), durationS: number('duration') },
    baseUrl: url === undefined ? undefined : parseBaseUrl(url),
    format: /** @type {'text' | 'json' | 'markdown'} */ (json ? 'json' : markdown ? 'markdown' : 'text'),
    out,
    isQuiet: quiet,
  };
}
