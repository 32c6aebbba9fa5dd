import pino from 'pino';

/**
 * One JSON line an event, on standard output.
 *
 * @param {{ logLevel: import('./config.js').Config['logLevel'] }} config
 * @returns {import('pino').Logger}
 */
export function createLog({ logLevel }) {
  return pino({ level: logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime });
}
