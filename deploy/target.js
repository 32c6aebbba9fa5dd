/** Reads where `pm2 deploy` deploys to: from the environment, or else from deploy/target.json, which git ignores. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { InvalidInputError } from '../core/base/foreign-text.js';

const FILE = fileURLToPath(new URL('target.json', import.meta.url));

/**
 * @typedef {Record<'host' | 'user' | 'port' | 'key' | 'path' | 'ref' | 'repo', string>} Target `port` is text, as pm2 deploy
 *   takes a number for absent, and so for 22; `key` is empty for ssh's own choice
 */

/**
 * The allowed values of each setting. pm2 deploy pastes them into shell commands unquoted, so they must not contain
 * shell syntax, nor anything that ssh or git would parse as an option.
 * @type {Record<keyof Target, { expected: string, matches: (text: string) => boolean, default?: string }>}
 */
const SETTINGS = {
  host: {
    expected: 'a host name or an IP address; for this machine 127.0.0.1, as pm2 deploy does not use ssh for localhost',
    matches: (text) => /^\w[\w.:-]*$/.test(text) && text !== 'localhost',
  },
  user: { expected: 'a user name', matches: (text) => /^[a-z_][\w.-]*$/i.test(text), default: 'sockshootout' },
  port: {
    expected: 'an integer from 1 to 65535',
    matches: (text) => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65535,
    default: '22',
  },
  key: {
    expected:
      "the path of a private key, absolute or from ~/, of letters, digits and any of _./+@-; absent for ssh's own choice",
    matches: (text) => /^~?\/[\w./+@-]+$/.test(text),
    default: '',
  },
  path: {
    expected: 'an absolute path of letters, digits and any of _./+-',
    matches: (text) => /^\/[\w.+-][\w./+-]*$/.test(text),
    default: '/srv/sockshootout',
  },
  ref: {
    // A bare name would be the branch in the server's own clone, as it was when that was made.
    expected: 'origin/BRANCH or tags/TAG',
    matches: (text) => /^(origin|tags)\/\w[\w./-]*$/.test(text),
    default: 'origin/main',
  },
  repo: {
    expected: 'the URL or path from which the server can clone, of letters, digits and any of _./:@~+-',
    matches: (text) => /^[\w/~][\w./:@~+-]*$/.test(text),
  },
};

/**
 * @param {Record<string, string | undefined>} [env] DEPLOY_HOST and so on, which win over the file
 * @param {string} [file] @returns {Target}
 * @throws {InvalidInputError} a line per setting that is wrong or missing: its name, what was expected, what it holds
 */
export function readTarget(env = process.env, file = FILE) {
  const own = Object.keys(SETTINGS).map((name) => [name, env[variableOf(name)]]);
  return parseTarget({ ...readFile(file), ...Object.fromEntries(own.filter(([, text]) => text)) });
}

/** @param {Record<string, unknown>} given @returns {Target} @throws {InvalidInputError} as {@link readTarget} */
export function parseTarget(given) {
  const unknown = Object.keys(given).filter((name) => !(name in SETTINGS));
  const wrong = unknown.map((name) => `${name}: expected one of ${Object.keys(SETTINGS).join(', ')}`);
  const target = Object.entries(SETTINGS).map(([name, { expected, matches, default: byDefault }]) => {
    const text = String(given[name] || byDefault || '');
    const isLeftOut = text === '' && byDefault === '';
    if (!isLeftOut && !matches(text)) {
      const got = text === '' ? 'nothing' : `'${text}'`;
      wrong.push(`${variableOf(name)}, or ${name} in deploy/target.json: expected ${expected}; got ${got}`);
    }
    return [name, text];
  });
  if (wrong.length > 0) throw new InvalidInputError(wrong.join('\n'));
  return Object.fromEntries(target);
}

/** @param {string} name */
const variableOf = (name) => `DEPLOY_${name.toUpperCase()}`;

/** @param {string} file @returns {Record<string, unknown>} */
function readFile(file) {
  if (!existsSync(file)) return {};
  try {
    return { ...JSON.parse(readFileSync(file, 'utf8')) };
  } catch (error) {
    throw new InvalidInputError(`${file}: expected a JSON object, got something else`, { cause: error });
  }
}
