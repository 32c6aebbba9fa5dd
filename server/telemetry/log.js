import pino from 'pino';

/** One JSON line an event, on standard output. @param {{ logLevel: string }} config */
export function createLog({ logLevel }) {
  return pino({ level: logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime });
}

/** Under pm2 writes to standard output are delayed. @returns {Promise<void>} when all that has been logged is written */
export function flushLog() {
  return new Promise((resolve) => process.stdout.write('', () => resolve()));
}
