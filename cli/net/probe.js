/** Probes a server before a run: whether it is a SockShootout server, what keeps Node.js from it, and how long a message takes. */
import { probe } from '../../core/net/echo/probe.js';
import { UsageError } from '../program/program.js';
import { createTransports } from './transports.js';
import { once } from 'node:events';
import { connect } from 'node:tls';

/**
 * @import { Now } from '../../core/base/clock.js'
 */

const now = () => performance.now();

/**
 * Sends the first request of a run, and explains why a server does not answer it as expected.
 * @template T @param {(options: { now: Now, signal: AbortSignal }) => Promise<T>} ask sends a request to the server
 * @param {{ baseUrl: string, expected: string, signal: AbortSignal }} options `expected`: its answer
 * @returns {Promise<T | undefined>} absent if it was cancelled @throws {UsageError} if the server does not answer
 */
export async function probeServer(ask, { baseUrl, expected, signal }) {
  try {
    return await ask({ now, signal });
  } catch (error) {
    if (signal.aborted) return undefined;
    const reason = (await findObstacle(baseUrl)) ?? /** @type {Error} */ (error).message;
    throw new UsageError(`--url: expected a SockShootout server at ${baseUrl}, got no ${expected}: ${reason}`);
  }
}

/**
 * @param {{ baseUrl: string, plan: { payloadBytes?: number }, signal: AbortSignal }} options
 * @returns {Promise<number | undefined>} the approximate time of a message in ms; absent if it was cancelled
 * @throws {UsageError} if the server does not answer
 */
export async function probeEcho({ baseUrl, plan: { payloadBytes = 0 }, signal }) {
  const { fetch } = await createTransports(baseUrl, ['fetch']);
  return probeServer(() => probe(fetch, now, { payloadBytes, signal }), { baseUrl, expected: 'echo', signal });
}

const LIMIT_MS = 10_000;

/** @typedef {{ code?: string, message: string }} Cause */

/** @type {readonly [RegExp, (url: URL, cause: Cause) => string][]} by the code of the error */
const OBSTACLES = [
  [
    /^(ENOTFOUND|EAI_)/,
    ({ hostname }) => `${hostname} has no address. Check its spelling, and your DNS: this command uses no proxy.`,
  ],
  [/^bad port$/, (url) => `fetch never connects to port ${portOf(url)}. Let the site listen at another.`],
  [/^ECONNREFUSED$/, (url) => `nothing listens at port ${portOf(url)}. Check the port, and whether the site runs.`],
  [
    /^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|TimeoutError)$/,
    ({ hostname }) =>
      `${hostname} cannot be reached. Check your network, and the firewalls on the path: this command uses no proxy.`,
  ],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/,
    (_, { message }) =>
      `Node.js does not trust its certificate (${message}). If you do, name a file with it, or with its authority: NODE_EXTRA_CA_CERTS=FILE.`,
  ],
  [/^(CERT_|ERR_TLS_CERT_)/, (_, { message }) => `its certificate is not valid: ${message}.`],
  [
    /^(ERR_SSL_|EPROTO)/,
    (url) => `the server at port ${portOf(url)} does not use TLS. Use ${withScheme(url, 'http')}.`,
  ],
];

/**
 * Says what keeps Node.js from a server, and what to do: fetch says only that it failed.
 * @param {string} baseUrl of a site that did not answer as expected
 * @param {{ fetch?: typeof globalThis.fetch }} [options] @returns {Promise<string | undefined>} a sentence; absent if it can be reached
 */
export async function findObstacle(baseUrl, { fetch = globalThis.fetch } = {}) {
  const url = new URL(baseUrl);
  try {
    const { ok, body } = await fetch(`${baseUrl}/status`, { signal: AbortSignal.timeout(LIMIT_MS) });
    await body?.cancel();
    if (ok || !(await usesTls(url))) return undefined;
  } catch (error) {
    const { name, cause } = /** @type {Error & { cause?: Cause }} */ (error);
    const describe = OBSTACLES.find(([codes]) => codes.test(cause?.code ?? cause?.message ?? name))?.[1];
    if (describe) return describe(url, /** @type {Cause} */ (cause));
    if (!(await usesTls(url))) return cause?.message;
  }
  return `the server at port ${portOf(url)} uses TLS. Use ${withScheme(url, 'https')}.`;
}

/** @param {URL} url @param {string} scheme @returns {string} */
const withScheme = ({ host, pathname }, scheme) => `${scheme}://${host}${pathname.replace(/\/$/, '')}`;

/** @param {URL} url @returns {string} */
const portOf = ({ port, protocol }) => port || (protocol === 'https:' ? '443' : '80');

/** @param {URL} url @returns {Promise<boolean>} whether a server that was asked without TLS uses it */
async function usesTls(url) {
  if (url.protocol === 'https:') return false;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(portOf(url)), rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(LIMIT_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
