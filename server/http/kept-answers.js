/**
 * Keeps whole answers that are the same for everyone, with the headers that Express set the first time. They are then sent
 * without Express, which would take most of the CPU time.
 */
import { RefusalError } from './exchange.js';

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { VisitorOf } from '../workers.js'
 * @import { Identity } from './identity.js'
 * @import { TimeBudget } from './limit-requests.js'
 * @typedef {{ tag: unknown, headers: any[], unchanged: any[], body: Uint8Array, isLimited: boolean }} KeptAnswer headers as names and
 *   values, alternating; `unchanged`: those for a client that has it
 */

/** What an Accept-Encoding must be to be understood here: names alone, as browsers send them. */
const NAMES = /^[a-z]+(?:, ?[a-z]+)*$/;
const PREFERRED = Object.freeze(['br', 'gzip']);

/** @typedef {ReturnType<typeof createKeptAnswers>} KeptAnswers */

/** @param {{ identity: Identity, visitorOf: VisitorOf, budget: TimeBudget }} parts `budget`: what pages may cost an address */
export function createKeptAnswers({ identity, visitorOf, budget }) {
  /** @type {Map<string, KeptAnswer>} of each page and file one for each encoding and kind of origin */
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
     * Keeps what was just sent, if it was the whole of it, as it is.
     * @param {IncomingMessage} req @param {ServerResponse} res
     * @param {{ url: string, body: Uint8Array, isLimited: boolean }} sent `url`: its only one that is kept, as a path has many
     *   spellings; `isLimited`: whether it counts in the budget
     */
    keep(req, res, { url, body, isLimited }) {
      const key = keyOf(req);
      // A middleware may have compressed it, and then there is no length. Connection: that one ends, as the server drains.
      const isAsSent = Number(res.getHeader('Content-Length')) === body.length && !res.hasHeader('Connection');
      if (key === undefined || req.url !== url || res.statusCode !== 200 || !isAsSent) return;
      const headers = Object.entries(res.getHeaders());
      const unchanged = headers.filter(([name]) => !/^content-(?:encoding|length|type)$/.test(name));
      const tag = res.getHeader('ETag');
      kept.set(key, { tag, headers: headers.flat(), unchanged: unchanged.flat(), body, isLimited });
    },

    /** @param {IncomingMessage} req @param {ServerResponse} res @returns {boolean} whether it was answered */
    answer(req, res) {
      const key = keyOf(req);
      const answer = key === undefined ? undefined : kept.get(key);
      const { 'if-none-match': tag } = req.headers;
      if (!answer || (tag !== undefined && tag !== answer.tag)) return false;
      const end = answer.isLimited ? begin(req) : () => {};
      if (!end) return false;
      if (tag === undefined) res.writeHead(200, answer.headers).end(answer.body);
      else res.writeHead(304, answer.unchanged).end();
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
