import pino from 'pino';

/** Writes one JSON line per event to standard output. @param {{ logLevel: string }} config */
export function createLog({ logLevel }) {
  return pino({ level: logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime });
}

/**
 * Waits for the log, as pm2 delays writes to standard output.
 * @returns {Promise<void>} resolves when all of it is written
 */
export function flushLog() {
  return new Promise((resolve) => process.stdout.write('', () => resolve()));
}
