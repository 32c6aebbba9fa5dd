import { answerError } from '../http/answer.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */

/**
 * Answers a plain request where only a WebSocket is of use.
 *
 * @param {IncomingMessage} _req
 * @param {ServerResponse} res
 */
export function answerUpgradeRequired(_req, res) {
  res.setHeader('Upgrade', 'websocket');
  answerError(res, 426, 'upgrade-required', 'Upgrade: expected websocket');
}
