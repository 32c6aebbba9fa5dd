/** Checks the environment once, and freezes it. Nothing else reads process.env. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { parseUrl, readBaseUrl } from '../core/base/base-url.js';
import { decodeJsonFile, escapeInvisible, InvalidInputError, isVisible } from '../core/base/foreign-text.js';
import { unnamedServer } from '../core/experiment/run/names.js';
import { BASE_PATH } from './base-path.js';
import { isAddressRange } from './http/addresses.js';
import { readOrigin } from './http/identity.js';
import { NO_WORKING_FOLDER } from './start-failure.js';

/**
 * @import { Workers } from './workers.js'
 * @typedef {Readonly<Settings>} Config
 * @typedef {object} Settings
 * @property {number} port
 * @property {string} [host] absent: the server listens on all interfaces
 * @property {number} trustProxy
 * @property {string[]} [allowedOrigins] absent: everyone may measure it
 * @property {string} [publicUrl] absent: its address is the Host of each request
 * @property {string} basePath the path of the site on its host, without a slash at its end; empty at the root
 * @property {string} [sourceUrl]
 * @property {typeof LOG_LEVELS[number]} logLevel
 * @property {{ server: string, location: string, version: string, worker: number, startedAt: string }} server what whoami answers
 * @property {Workers} [workers] absent: this is the only one, and has no port of its own
 * @property {{ token?: string, addresses: string[] }} metrics
 * @property {{ name: string, url: string }[]} otherServers
 * @property {{ secret?: string, pollCostMs: number }} jobs `secret`: absent: the store keeps one
 * @property {{ dataDir: string, databaseUrl?: string }} store `dataDir`: used only without a database URL
 */

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const LOG_LEVELS = /** @type {const} */ (['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']);
const MAX_WORKERS = 1024;

/** @param {number} max @param {number} [min] */
const integer = (max, min = 0) => {
  const isRight = (/** @type {string} */ text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max;
  return v.pipe(v.string(), v.check(isRight, `an integer from ${min} to ${max}`), v.transform(Number));
};

/** @param {RegExp} pattern @param {string} expected */
const text = (pattern, expected) => v.pipe(v.string(), v.regex(pattern, expected));
const secret = text(/^[\x21-\x7e]{16,200}$/, '16 to 200 characters without spaces');

/** @param {number} min */
const shortText = (min) =>
  v.pipe(
    text(new RegExp(`^.{${min},100}$`, 'su'), 'up to 100 characters of text'),
    // Every run contains it, and a run with other characters could not be saved.
    v.check(isVisible, 'text without invisible or direction-changing characters'),
  );

/** @param {(item: string) => boolean} isRight @param {string} expected */
const list = (isRight, expected) =>
  v.pipe(
    v.string(),
    v.transform((joined) => joined.split(',').map((item) => item.trim())),
    v.check((items) => items.every(isRight), expected),
  );

/** @param {(url: string) => boolean} isRight @param {string} expected @param {'href' | 'origin'} part that is kept */
const url = (isRight, expected, part) =>
  v.pipe(
    v.string(),
    v.check(isRight, expected),
    v.transform((given) => new URL(given)[part]),
  );
const origin = url((text) => originOf(text) !== undefined, 'an origin like https://example.org', 'origin');

const schema = v.object({
  PORT: v.optional(integer(65535), '8000'),
  HOST: v.optional(text(/^[\w.:-]+$/, 'a host name or an IP address')),
  TRUST_PROXY: v.optional(integer(32), '0'),
  ALLOWED_ORIGINS: v.optional(
    v.pipe(
      list(
        (text) => text === '*' || originOf(text) !== undefined,
        '* or origins like https://example.org, separated by commas',
      ),
      v.transform((origins) => (origins.includes('*') ? undefined : origins.flatMap((text) => originOf(text) ?? []))),
    ),
    '*',
  ),
  PUBLIC_URL: v.optional(origin),
  BASE_PATH: v.optional(text(BASE_PATH.pattern, BASE_PATH.expected)),
  SOURCE_URL: v.optional(url(isWebAddress, 'a URL like https://example.org/source, without a password', 'href')),
  LOG_LEVEL: v.optional(v.picklist(LOG_LEVELS, `one of ${LOG_LEVELS.join(', ')}`), 'info'),
  SERVER_NAME: v.optional(shortText(1)),
  SERVER_LOCATION: v.optional(shortText(0), ''),
  NODE_APP_INSTANCE: v.optional(integer(MAX_WORKERS - 1)),
  WORKERS: v.optional(integer(MAX_WORKERS, 1), '1'),
  METRICS_TOKEN: v.optional(secret),
  METRICS_ALLOW: v.optional(list(isAddressRange, 'IP addresses like 10.1.2.3 or 10.0.0.0/8, separated by commas')),
  SERVERS: v.optional(v.string(), '[]'),
  DATA_DIR: v.optional(text(/^[^\p{Cc}]+$/u, 'a folder'), 'data'),
  JOB_SECRET: v.optional(secret),
  // A higher cost would keep a worker from everything else.
  POLL_COST_MS: v.optional(integer(50), '0'),
  DATABASE_URL: v.optional(v.pipe(v.string(), v.check(isPostgresUrl, 'postgres://USER:PASSWORD@HOST:PORT/DATABASE'))),
});

const baseUrl = v.pipe(
  v.string(),
  v.check(isSiteUrl, 'a URL like https://example.org or https://example.org/shootout'),
  v.transform((given) => String(readBaseUrl(given))),
);

/** The other servers that a visitor may measure from this one's page. */
const otherServersSchema = v.pipe(
  v.array(v.strictObject({ name: shortText(1), url: baseUrl })),
  v.maxLength(20),
  v.check((list) => new Set(list.map(({ url }) => url)).size === list.length, 'each URL once'),
  v.check((list) => new Set(list.map(({ name }) => name)).size === list.length, 'each name once'),
);

/** The variables that an operator sets; pm2 itself numbers the workers. */
export const SETTINGS = Object.keys(schema.entries).filter((name) => name !== 'NODE_APP_INSTANCE');

/**
 * @param {Record<string, string | undefined>} [env] @returns {Config}
 * @throws {InvalidInputError} for each wrong variable: expected, got
 */
export function parseConfig(env = process.env) {
  const given = Object.fromEntries(Object.entries(env).filter(([, text]) => text !== ''));
  const { success, output: data, issues } = v.safeParse(schema, given);
  if (!success) {
    const lines = issues.map(({ path, message }) => {
      const name = String(path?.[0].key);
      // The part after a semicolon says what to do.
      const [expected, ...advice] = message.split('; ');
      return [`${name}: expected ${expected}, got ${show(name, String(given[name]))}`, ...advice].join('; ');
    });
    throw new InvalidInputError(lines.join('\n'));
  }
  return Object.freeze({
    port: data.PORT,
    host: data.HOST,
    trustProxy: data.TRUST_PROXY,
    allowedOrigins: data.ALLOWED_ORIGINS,
    publicUrl: data.PUBLIC_URL,
    basePath: data.BASE_PATH ?? '',
    sourceUrl: data.SOURCE_URL,
    logLevel: data.LOG_LEVEL,
    server: {
      // The machine's own name says nothing to visitors: they know the site by its host.
      server: data.SERVER_NAME ?? unnamedServer(hashOf(os.hostname()).slice(0, 8)),
      location: data.SERVER_LOCATION,
      version,
      worker: data.NODE_APP_INSTANCE ?? 0,
      // This distinguishes the process from the one that had its number before.
      startedAt: new Date(performance.timeOrigin).toISOString(),
    },
    workers: parseWorkers(data),
    metrics: { token: data.METRICS_TOKEN, addresses: data.METRICS_ALLOW ?? [] },
    otherServers: parseOtherServers(data.SERVERS),
    jobs: { secret: data.JOB_SECRET, pollCostMs: data.POLL_COST_MS },
    store: { dataDir: resolveFolder(data.DATA_DIR), databaseUrl: data.DATABASE_URL },
  });
}

/**
 * Says where the site is: its address, and its store as an operator names it, without a password.
 * @param {{ basePath: string, host?: string, store: Config['store'] }} config @param {number} port at which it listens
 */
export function describeSite({ basePath, host = 'localhost', store: { databaseUrl, dataDir } }, port) {
  return Object.freeze({
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${port}${basePath}`,
    data: databaseUrl ? 'PostgreSQL (DATABASE_URL)' : dataDir,
  });
}

/** @param {string} given JSON, or the path of a file that holds it @throws {InvalidInputError} */
function parseOtherServers(given) {
  try {
    const list = JSON.parse(given.trimStart().startsWith('[') ? given : decodeJsonFile(readFileSync(given)));
    const { success, output, issues } = v.safeParse(otherServersSchema, list);
    if (!success) throw new InvalidInputError(`${v.getDotPath(issues[0]) ?? 'the list'}: ${issues[0].message}`);
    return output;
  } catch (error) {
    const expected = '[{"name": "…", "url": "https://…"}, …], each once, or a file with that JSON';
    const { message } = /** @type {Error} */ (error);
    const got = escapeInvisible(`'${given.slice(0, 200)}': ${message}`);
    throw new InvalidInputError(`SERVERS: expected ${expected}, got ${got}`, { cause: error });
  }
}

/** @param {string} folder */
function resolveFolder(folder) {
  try {
    return path.resolve(folder);
  } catch (cause) {
    throw new InvalidInputError(NO_WORKING_FOLDER, { cause });
  }
}

/** @param {string} name @param {string} text */
function show(name, text) {
  // A wrong secret may be nearly the right one, and this is printed. A URL may contain a password.
  const isSecret = /_(?:TOKEN|SECRET)$/.test(name) || name === 'DATABASE_URL' || /:\/\/[^/]*@/.test(text);
  return isSecret ? `${text.length} characters` : `'${escapeInvisible(text)}'`;
}

/** @param {{ PORT: number, WORKERS: number, NODE_APP_INSTANCE?: number }} data @returns {Workers | undefined} */
function parseWorkers({ PORT, WORKERS: count, NODE_APP_INSTANCE: index }) {
  if (index === undefined) return undefined;
  if (index >= count) {
    const advice = 'with pm2, start ecosystem.config.js instead of server.js, and set WORKERS instead of -i';
    throw new InvalidInputError(`NODE_APP_INSTANCE: expected less than WORKERS (${count}), got '${index}'; ${advice}`);
  }
  const highest = 65535 - count;
  if (PORT < 1 || PORT > highest) {
    throw new InvalidInputError(
      `PORT: expected an integer from 1 to ${highest}, because the next ${count} ports are used too, got '${PORT}'`,
    );
  }
  return { index, count, firstPort: PORT + 1 };
}

/** @param {string} text */
function isPostgresUrl(text) {
  return ['postgres:', 'postgresql:'].includes(parseUrl(text)?.protocol ?? '');
}

/** @param {string} text with or without a slash at its end @returns {string | undefined} the origin as browsers write it */
function originOf(text) {
  const base = readBaseUrl(text);
  return base && readOrigin(base);
}

/** @param {string} text of a site, which may be below a path */
function isSiteUrl(text) {
  const base = readBaseUrl(text);
  return base !== undefined && readOrigin(new URL(base).origin) !== undefined;
}

/** @param {string} text of http or https; one with a name or a password in it would be shown to everybody */
function isWebAddress(text) {
  const url = /^https?:\/\/[\x21-\x7e]+$/i.test(text) ? parseUrl(text) : undefined;
  return url?.username === '' && url.password === '';
}

/** @param {string} text */
const hashOf = (text) => createHash('sha256').update(text).digest('hex');
