/**
 * The environment, checked once and frozen. The only reader of process.env.
 */
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { z } from 'zod';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const LOG_LEVELS = /** @type {const} */ (['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']);
const MAX_HOPS = 32;

/**
 * @param {number} max
 * @param {number} fallback
 */
const integer = (max, fallback) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) <= max, `an integer from 0 to ${max}`)
    .transform(Number)
    .default(fallback);

const shortText = () => z.string().regex(/^[^\p{Cc}]{1,100}$/u, 'up to 100 characters of text');

const schema = z.object({
  PORT: integer(65535, 8000),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'a host name or an address')
    .optional(),
  TRUST_PROXY: integer(MAX_HOPS, 0),
  ALLOWED_ORIGINS: z
    .string()
    .default('*')
    .transform((text) => text.split(',').map((origin) => origin.trim()))
    .refine((origins) => origins.every(isOrigin), '* or origins like https://example.org, separated by commas')
    .transform((origins) => (origins.includes('*') ? undefined : Object.freeze(origins))),
  LOG_LEVEL: z.enum(LOG_LEVELS, `one of ${LOG_LEVELS.join(', ')}`).default('info'),
  SERVER_NAME: shortText().default(() => os.hostname()),
  SERVER_LOCATION: shortText().default(''),
  NODE_APP_INSTANCE: integer(1023, 0),
});

/**
 * @typedef {object} Config
 * @property {number} port 0 for any that is free
 * @property {string | undefined} host absent for all interfaces
 * @property {number} trustProxy number of proxies in front, whose forwarded headers are believed
 * @property {readonly string[] | undefined} allowedOrigins who may measure this server; absent for everyone
 * @property {typeof LOG_LEVELS[number]} logLevel
 * @property {import('../core/trial.js').Server} server what whoami answers
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
    const lines = error.issues.map(
      ({ path, message }) => `${String(path[0])}: expected ${message}, got '${given[String(path[0])]}'`,
    );
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
      worker: data.NODE_APP_INSTANCE,
    }),
  });
}

/** @param {string} text */
function isOrigin(text) {
  return text === '*' || (URL.canParse(text) && new URL(text).origin === text);
}
