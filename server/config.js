/**
 * The environment, checked once and frozen. The only reader of process.env.
 */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import os from 'node:os';
import { performance } from 'node:perf_hooks';
import { z } from 'zod';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** When this process began, which tells it from the one that had its number before. */
const STARTED_AT = new Date(performance.timeOrigin).toISOString();

const LOG_LEVELS = /** @type {const} */ (['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']);
const MAX_HOPS = 32;
const MAX_WORKERS = 1024;

/**
 * @param {number} max
 * @param {number} [min]
 */
const integer = (max, min = 0) =>
  z
    .string()
    .refine((text) => isIntegerFrom(text, min, max), `an integer from ${min} to ${max}`)
    .transform(Number);

const shortText = () => z.string().regex(/^[^\p{Cc}]{1,100}$/u, 'up to 100 characters of text');

const schema = z.object({
  PORT: integer(65535).default(8000),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'a host name or an address')
    .optional(),
  TRUST_PROXY: integer(MAX_HOPS).default(0),
  ALLOWED_ORIGINS: z
    .string()
    .default('*')
    .transform((text) => text.split(',').map((origin) => origin.trim()))
    .refine((origins) => origins.every(isOrigin), '* or origins like https://example.org, separated by commas')
    .transform((origins) => (origins.includes('*') ? undefined : Object.freeze(origins))),
  LOG_LEVEL: z.enum(LOG_LEVELS, `one of ${LOG_LEVELS.join(', ')}`).default('info'),
  SERVER_NAME: shortText().default(() => os.hostname()),
  SERVER_LOCATION: shortText().default(''),
  NODE_APP_INSTANCE: integer(MAX_WORKERS - 1).optional(),
  WORKERS: integer(MAX_WORKERS, 1).default(1),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, 'at least 16 characters without a space')
    .optional(),
  METRICS_ALLOW: z
    .string()
    .transform((text) => text.split(',').map((address) => address.trim()))
    .refine(
      (addresses) => addresses.every(isAddressRange),
      'addresses like 10.1.2.3 or 10.0.0.0/8, separated by commas',
    )
    .default([]),
});

/** The variables that an operator sets; pm2 itself numbers the workers. */
export const SETTINGS = Object.keys(schema.shape).filter((name) => name !== 'NODE_APP_INSTANCE');

/**
 * @typedef {object} Config
 * @property {number} port 0 for any that is free
 * @property {string | undefined} host absent for all interfaces
 * @property {number} trustProxy number of proxies in front, whose forwarded headers are believed
 * @property {readonly string[] | undefined} allowedOrigins who may measure this server; absent for everyone
 * @property {typeof LOG_LEVELS[number]} logLevel
 * @property {import('../core/trial.js').Server} server what whoami answers
 * @property {import('./workers.js').Workers | undefined} workers absent where this is the only one, with no port of its own
 * @property {{ token: string | undefined, addresses: readonly string[] }} metrics who may read them
 */

/**
 * @param {Record<string, string | undefined>} [env]
 * @returns {Readonly<Config>}
 * @throws {RangeError} a line per wrong variable: its name, what was expected, what it holds
 */
export function parseConfig(env = process.env) {
  const given = Object.fromEntries(Object.entries(env).filter(([, text]) => text !== ''));
  const { success, data, error } = schema.safeParse(given);
  if (!success) {
    const lines = error.issues.map(({ path, message }) => {
      const name = String(path[0]);
      return `${name}: expected ${message}, got ${show(name, String(given[name]))}`;
    });
    throw new RangeError(lines.join('\n'));
  }
  return Object.freeze({
    port: data.PORT,
    host: data.HOST,
    trustProxy: data.TRUST_PROXY,
    allowedOrigins: data.ALLOWED_ORIGINS,
    logLevel: data.LOG_LEVEL,
    server: Object.freeze({
      server: data.SERVER_NAME,
      location: data.SERVER_LOCATION,
      version,
      worker: data.NODE_APP_INSTANCE ?? 0,
      startedAt: STARTED_AT,
    }),
    workers: parseWorkers(data),
    metrics: Object.freeze({ token: data.METRICS_TOKEN, addresses: Object.freeze(data.METRICS_ALLOW) }),
  });
}

/**
 * @param {string} name
 * @param {string} text
 */
function show(name, text) {
  // A wrong secret may be nearly the right one, and this is printed.
  return name.endsWith('_TOKEN') ? `${text.length} characters` : `'${text}'`;
}

/**
 * @param {{ PORT: number, WORKERS: number, NODE_APP_INSTANCE?: number }} data
 * @returns {Config['workers']}
 */
function parseWorkers({ PORT, WORKERS: count, NODE_APP_INSTANCE: index }) {
  if (index === undefined) return undefined;
  if (index >= count) throw new RangeError(`NODE_APP_INSTANCE: expected less than WORKERS (${count}), got '${index}'`);
  const highest = 65535 - count;
  if (PORT < 1 || PORT > highest) {
    throw new RangeError(`PORT: expected an integer from 1 to ${highest}, as ${count} more follow it, got '${PORT}'`);
  }
  return Object.freeze({ index, count, firstPort: PORT + 1 });
}

/**
 * @param {string} text
 * @param {number} min
 * @param {number} max
 */
function isIntegerFrom(text, min, max) {
  return /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max;
}

/** @param {string} text an address, or a network with its prefix length */
function isAddressRange(text) {
  const [address, bits = '0', ...rest] = text.split('/');
  const family = isIP(address);
  return family !== 0 && rest.length === 0 && isIntegerFrom(bits, 0, family === 4 ? 32 : 128);
}

/** @param {string} text */
function isOrigin(text) {
  return text === '*' || (URL.canParse(text) && new URL(text).origin === text);
}
