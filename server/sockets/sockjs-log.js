/** @import { Logger } from 'pino' */

/** Between two lines about errors. */
const EVERY_MS = 60_000;

/** What any client can bring about with each request; it is answered with 500, as SockJS's protocol has it. */
const CLIENTS_FAULT = /^Unsupported content-type /;

/**
 * What sockjs-node has to say, in a log that nobody can flood: a client that sends what it cannot read gets an answer, not
 * a line.
 *
 * @param {Pick<Logger, 'error' | 'trace'>} log
 * @param {() => number} [now] in ms
 * @returns {(severity: string, line: string) => void}
 */
export function createSockjsLog(log, now = () => performance.now()) {
  let nextMs = -Infinity;
  let leftOutCount = 0;
  return (severity, line) => {
    if (severity !== 'error' || CLIENTS_FAULT.test(line)) {
      log.trace(line);
    } else if (now() < nextMs) {
      leftOutCount++;
    } else {
      log.error({ leftOutCount }, line);
      nextMs = now() + EVERY_MS;
      leftOutCount = 0;
    }
  };
}
