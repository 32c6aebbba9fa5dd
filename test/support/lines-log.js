import { Writable } from 'node:stream';
import pino from 'pino';

/** @import { Logger } from 'pino' */

/**
 * A log whose lines can be looked at.
 *
 * @returns {{ log: Logger, lines: Record<string, any>[] }}
 */
export function createLinesLog() {
  /** @type {Record<string, any>[]} */
  const lines = [];
  const stream = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(line));
      done();
    },
  });
  return { log: pino(stream), lines };
}

/** @param {readonly Record<string, any>[]} lines of the log */
export const withoutRequests = (lines) => lines.filter(({ msg }) => msg !== 'request');
