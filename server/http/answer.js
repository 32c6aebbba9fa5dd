/** Answers on plain node:http, for the endpoints before Express. @import { Response } from '../parts.js' */

/** What went wrong, as every transport says it. @param {string} code @param {string} message @returns {string} JSON */
export function formatError(code, message) {
  return JSON.stringify({ error: { code, message } });
}

/** Why something is not done; the gate answers with it. */
export class RefusalError extends Error {
  /**
   * @param {string} code for programs @param {string} message what was expected @param {number} [status] over HTTP
   * @param {Record<string, string>} [headers] over HTTP
   */
  constructor(code, message, status = 400, headers = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.headers = headers;
  }
}

/** @param {string} body @param {string} [contentType] */
export function answerHeaders(body, contentType = 'application/json') {
  return { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body), 'Cache-Control': 'no-store' };
}

/** For who measures what a new connection costs: no page can ask for one. @param {Response} res @param {string} query */
export function closeIfAsked(res, query) {
  if (query.includes('close=1') && /(?:^|&)close=1(?:&|$)/.test(query)) res.setHeader('Connection', 'close');
}

/** @param {Response} res @param {number} status @param {string} body @param {string} [contentType] */
export function answer(res, status, body, contentType) {
  res.writeHead(status, answerHeaders(body, contentType));
  res.end(body);
}

/** @param {Response} res @param {number} status @param {string} code @param {string} message */
export function answerError(res, status, code, message) {
  answer(res, status, formatError(code, message));
}
