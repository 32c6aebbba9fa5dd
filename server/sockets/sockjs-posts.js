/**
 * Handles the requests that carry a SockJS fallback's messages. sockjs-node would pass on all messages of a request at
 * once. Here too many are refused, and they are passed on in batches, one per turn of the event loop. The answer comes
 * last.
 */
import { parse } from 'node:querystring';
import { parseJson } from '../../core/base/foreign-text.js';
import { countStructure } from '../http/json.js';
import { handInTurns, withBody } from './posts.js';
import { MAX_FRAME_STRUCTURE } from './sockjs-frames.js';

/**
 * @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
 * @import { TurnQueue } from '../http/turns.js'
 * @typedef {{ text?: string, messages?: unknown, structure: number }} Post `text`: JSON of the messages, absent where
 *   sockjs-node takes no such content type; `messages`: in its place, where a form has its field several times; `structure`:
 *   of the text, Infinity where it is more than any client sends
 */

/** Maps these requests to the content types whose body is the JSON of their messages, as in sockjs-node. */
export const POST_TYPES = new Map([
  ['xhr_send', ['text/plain', 'application/json', 'application/xml', 'text/xml', 'T', '']],
  ['jsonp_send', ['text/plain', '']],
]);
/** The content type of a `jsonp_send` form, whose field `d` is that JSON. */
const FORM = 'application/x-www-form-urlencoded';

/** @param {Request} req @param {Buffer} body @param {string} action @returns {Post} */
export function readPost({ headers }, body, action) {
  const [type] = (headers['content-type'] ?? '').split(';');
  if (POST_TYPES.get(action)?.includes(type)) return withStructure(body.toString());
  if (action !== 'jsonp_send' || type !== FORM) return { structure: 0 };
  const { d = '' } = parse(body.toString());
  return Array.isArray(d) ? { messages: d, structure: d.length } : withStructure(d);
}

/** @param {string} text @returns {Post} */
function withStructure(text) {
  return { text, structure: countStructure(text, MAX_FRAME_STRUCTURE) };
}

/**
 * Passes on the messages of a post, a few in each turn.
 * @param {Post} post @param {Request} req with the body @param {Response} res if the client leaves, this ends, too
 * @param {{ perTurn: number, turns: TurnQueue, hear(messages: unknown[]): boolean, finish(req: Request): void }} options `finish` has
 *   sockjs-node take what is left, and answer
 */
export function handOn({ text, messages, structure }, req, res, { finish, ...options }) {
  const all = structure > options.perTurn ? (messages ?? parseJson(text)) : undefined;
  if (!Array.isArray(all) || all.length <= options.perTurn) finish(req);
  else handInTurns(all, req, res, { ...options, finish: (rest) => finish(withBody(req, JSON.stringify(rest))) });
}
