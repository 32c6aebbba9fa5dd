import { answerError } from '../http/answer.js';

/**
 * Answers a plain request where only a WebSocket is of use.
 *
 * @param {import('node:http').IncomingMessage} _req
 * @param {import('node:http').ServerResponse} res
 */
export function answerUpgradeRequired(_req, res) {
  res.setHeader('Upgrade', 'websocket');
  answerError(res, 426, 'upgrade-required', 'Upgrade: expected websocket');
}
