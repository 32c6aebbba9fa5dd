/** Reports why a session is closed: to the meter of its connection, or, where it goes over several requests, to the log. */
import { FAULT, TOO_LARGE } from './frames.js';

/**
 * @import { Parts } from '../parts.js'
 * @import { Refusal } from './frames.js'
 * @import { SocketMeter } from './socket-meter.js'
 * @typedef {Pick<Refusal, 'code' | 'reason'> & { name?: string }} Why `name`: for the metrics, by default that of the code
 */

/** The names of close codes in the metrics. @type {Readonly<Record<number, string>>} */
const NAMES = { [TOO_LARGE.code]: TOO_LARGE.name, [FAULT.code]: FAULT.name };

/**
 * @param {{ meter?: SocketMeter, log: Pick<Parts['log'], 'warn'>, path: string }} session `path`: of the request that opened it
 * @param {Why} why
 */
export function reportClose({ meter, log, path }, { code, reason, name = NAMES[code] ?? 'too-many' }) {
  if (meter) meter.report({ code, reason, name });
  else log.warn({ path, code, reason }, 'session closed');
}
