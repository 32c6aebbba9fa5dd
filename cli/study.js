/** `sockshootout study`: makes a study of the users of one's own pages on a site, changes it, and ends it. */
import { readBaseUrl, studyPath } from '../core/base/base-url.js';
import { parseJson } from '../core/base/foreign-text.js';
import { describeRefusal } from '../core/net/refusal.js';
import { quote } from '../core/experiment/plan/fields.js';
import { formatSample, parseSample } from '../core/field/line.js';
import { createCommand, parseArguments } from './program/command.js';
import { EXIT, RunError, UsageError } from './program/program.js';

/**
 * @import { Values } from './program/command.js'
 * @typedef {{ method: 'POST' | 'PATCH' | 'DELETE', body?: object, key?: string }} Asked of the site
 */

const LIMIT_MS = 30_000;

/** @param {string[]} args @returns {Promise<number>} the exit code */
export async function main(args) {
  const command = createCommand(
    'npx sockshootout study',
    'Makes a study of the users of your own pages, on a site of SockShootout, and prints the line of HTML for them.',
  )
    .argument('<label>', 'of the study')
    .requiredOption('--url <url>', 'the site', parseUrl)
    .option('--users', 'make a study of users; this needs --origin')
    .option('--origin <url>', 'a page’s origin, such as https://shop.example; may be given again', addOrigin)
    .option('--sample <share>', 'of the browsers, such as 1%', parseShare)
    .option('--key <key>', 'of the study, to change it')
    .option('--stop', 'with --key: measure no more users')
    .option('--start', 'with --key: measure users again')
    .option('--delete', 'with --key: delete the study with all that was counted')
    .option('--json', 'print JSON instead of text')
    .addHelpText(
      'after',
      `
Without --key, it makes a study, whose key it prints once: keep it. To read a study of this
site: npx sockshootout results study LABEL

Exit codes:
  0  done
  1  the site refuses it, or does not answer
  2  the arguments are wrong`,
    );
  const values = parseArguments(command, args);
  const [label] = command.args;
  const asked = askedBy(values);
  const { url } = values;
  const answer = await send(`${url}/api/studies`, label, asked);
  const study = url + studyPath(label);
  process.stdout.write(values.json ? `${JSON.stringify({ ...answer, study })}\n` : formatAnswer(asked, answer, study));
  return EXIT.done;
}

/** @param {Values} values @returns {Asked} @throws {UsageError} */
function askedBy({ users, origin: origins, sample, key, stop, start, delete: isDeletion }) {
  if (key === undefined) {
    const other = [stop && '--stop', start && '--start', isDeletion && '--delete'].find(Boolean);
    if (other) throw new UsageError(`${other}: expected the study’s --key with it, got none`);
    if (!users)
      throw new UsageError('study: expected --users for a new study, or --key for one that exists, got neither');
    if (!origins) throw new UsageError('--origin: expected the origin of a page that may measure, got none');
    return { method: 'POST', body: { users: { origins, ...(sample !== undefined && { sample }) } } };
  }
  if (stop && start) throw new UsageError('--stop: expected either --stop or --start, got both');
  if (isDeletion) return { method: 'DELETE', key };
  const body = {
    ...(origins && { origins }),
    ...(sample !== undefined && { sample }),
    ...((stop || start) && { isOn: Boolean(start) }),
  };
  if (Object.keys(body).length > 0) return { method: 'PATCH', key, body };
  throw new UsageError('--key: expected --origin, --sample, --stop, --start or --delete with it, got none');
}

/** @param {string} address @param {string} label @param {Asked} asked @returns {Promise<any>} @throws {RunError} */
async function send(address, label, { method, body, key }) {
  const isNew = method === 'POST';
  const url = isNew ? address : `${address}?label=${encodeURIComponent(label)}`;
  const response = await fetch(url, {
    method,
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    },
    body: body && JSON.stringify(isNew ? { label, ...body } : body),
    signal: AbortSignal.timeout(LIMIT_MS),
  }).catch((error) => {
    throw new RunError(`${address} does not answer (${error.cause?.message ?? error.message})`);
  });
  const text = await response.text();
  const answer = parseJson(text) ?? {};
  if (response.ok) return answer;
  const { error } = answer;
  throw new RunError(
    error ? describeRefusal(error, response.headers.get('date')) : `${address} answered ${response.status}`,
  );
}

/** @param {Asked} asked @param {any} answer @param {string} study its address @returns {string} */
function formatAnswer({ method }, { users, key, line }, study) {
  if (method === 'DELETE') return 'Deleted, with all that was counted.\n';
  const state = `Measures ${users.isOn ? formatSample(users.sample) : 'none'} of the browsers on ${users.origins.join(', ')}\n`;
  if (method === 'PATCH') return `${state}Study: ${study}\n`;
  return `Add this line of HTML to your pages:\n\n  ${line}\n\n${state}Study: ${study}\nKey, to change or end it, shown only once: ${key}\n`;
}

/** @param {string} text @returns {string} @throws {UsageError} */
function parseUrl(text) {
  const url = readBaseUrl(text);
  if (url === undefined) throw new UsageError(`--url: expected the URL of a site, got ${quote(text)}`);
  return url;
}

/** @param {string} text @param {string[]} [before] @returns {string[]} @throws {UsageError} */
function addOrigin(text, before = []) {
  const url = readBaseUrl(text);
  if (url !== undefined && new URL(url).pathname === '/') return [...before, url];
  throw new UsageError(`--origin: expected the origin of a page, such as https://shop.example, got ${quote(text)}`);
}

/** @param {string} text @returns {number} @throws {UsageError} */
function parseShare(text) {
  const share = parseSample(text);
  if (share) return share;
  throw new UsageError(`--sample: expected a share of browsers above 0%, such as 1%, got ${quote(text)}`);
}
