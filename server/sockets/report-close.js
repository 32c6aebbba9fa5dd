/** Reports why a session is closed: to the meter of its connection, or, where it goes over several requests, to the log. */
import { FAULT, TOO_LARGE } from './frames.js';

/**
 * @import { Logger } from 'pino'
 * @import { SocketMeter } from './socket-meter.js'
 * @typedef {{ code: number, reason: string, name?: string }} Why `name`: for the metrics, by default that of the code
 */

/** The names of close codes in the metrics. @type {Readonly<Record<number, string>>} */
const NAMES = { [TOO_LARGE.code]: TOO_LARGE.name, [FAULT.code]: FAULT.name };

/**
 * @param {{ meter?: SocketMeter, log: { warn: Logger['warn'] }, path: string }} session `path`: of the request that opened it
 * @param {Why} why
 */
export function reportClose({ meter, log, path }, { code, reason, name = NAMES[code] ?? 'too-many' }) {
  if (meter) meter.report({ code, reason, name });
  else log.warn({ path, code, reason }, 'session closed');
}
