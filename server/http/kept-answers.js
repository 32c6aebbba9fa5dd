/**
 * Answers that are the same for everyone, whole: with the headers that Express gave them the first time, and from then on
 * without Express, which takes most of the CPU time of a page that is in memory.
 */
import { RefusalError } from './exchange.js';

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { CommonParts } from '../parts.js'
 * @import { TimeBudget } from './limit-requests.js'
 * @typedef {ReturnType<typeof createKeptAnswers>} KeptAnswers
 * @typedef {{ tag: unknown, headers: any[], unchanged: any[], body: Uint8Array }} KeptAnswer headers as names and values by turns;
 *   `unchanged`: those for a client that has it
 */

/** What an Accept-Encoding must be to be understood here: names alone, as browsers send them. */
const NAMES = /^[a-z]+(?:, ?[a-z]+)*$/;
const PREFERRED = Object.freeze(['br', 'gzip']);

/** @param {Pick<CommonParts, 'identity' | 'visitorOf'> & { budget: TimeBudget }} parts `budget`: what answers may cost an address */
export function createKeptAnswers({ identity, visitorOf, budget }) {
  /** @type {Map<string, KeptAnswer>} of pages and files: as many as there are, for each encoding and kind of origin */
  const kept = new Map();

  /** @param {IncomingMessage} req @returns {string | undefined} absent where Express has to decide what it is answered */
  function keyOf(req) {
    const { method, url, headers } = req;
    const accepted = headers['accept-encoding'] ?? '';
    if (method !== 'GET' || (accepted !== '' && !NAMES.test(accepted))) return undefined;
    const encoding = PREFERRED.find((name) => accepted.split(/, ?/).includes(name)) ?? '';
    return `${identity.isSecure(req)} ${encoding} ${url}`;
  }

  return {
    /**
     * Keeps what was just sent, if it was the whole of it.
     * @param {IncomingMessage & { originalUrl?: string }} req @param {ServerResponse} res @param {Uint8Array} body
     */
    keep(req, res, body) {
      const key = keyOf(req);
      // It says that this connection ends, while the server drains.
      if (key === undefined || res.statusCode !== 200 || res.hasHeader('Connection')) return;
      const headers = Object.entries(res.getHeaders());
      const unchanged = headers.filter(([name]) => !/^content-(?:encoding|length|type)$/.test(name));
      kept.set(key, { tag: res.getHeader('ETag'), headers: headers.flat(), unchanged: unchanged.flat(), body });
    },

    /** @param {IncomingMessage} req @param {ServerResponse} res @returns {boolean} whether it was answered */
    answer(req, res) {
      const key = keyOf(req);
      const answer = key === undefined ? undefined : kept.get(key);
      if (!answer) return false;
      const { 'if-none-match': tag } = req.headers;
      const isUnchanged = tag === answer.tag;
      const end = isUnchanged || tag === undefined ? begin(req) : undefined;
      if (!end) return false;
      if (isUnchanged) res.writeHead(304, answer.unchanged).end();
      else res.writeHead(200, answer.headers).end(answer.body);
      end();
      return true;
    },
  };

  /** @param {IncomingMessage} req @returns {(() => void) | undefined} absent for an address that has nothing left */
  function begin(req) {
    try {
      return budget.begin(visitorOf(req));
    } catch (error) {
      if (error instanceof RefusalError) return undefined;
      throw error;
    }
  }
}
