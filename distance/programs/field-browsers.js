/**
 * Browsers as the users of a page have them, each of which measures a path by the code of the script, and sends its record. Says in the
 * end how many were taken. Needs Node.js with --experimental-eventsource; its argument is the {@link Visit}.
 */
import { WebSocket } from 'ws';
import { RECORD_VERSION } from '../../core/field/record.js';
import { measureBrowser } from '../../public/js/field/measure.js';
import { sendRecord } from '../../test/support/field-records.js';

/**
 * @import { FieldRecord } from '../../core/field/record.js'
 * @import { Figures } from '../../public/js/field/measure.js'
 * @typedef {{ origin: string, zone: string }} MeasuredPath `origin`: of the site at the end of the path
 * @typedef {{ study: string, site: string, paths: readonly MeasuredPath[], browsersOfPath: number, atOnce: number }} Visit `site`: its
 *   origin without a path between
 */

// As a browser has it, also in Node.js 20.
globalThis.WebSocket = /** @type {any} */ (WebSocket);

/** @param {string} study @param {MeasuredPath} path @returns {Promise<FieldRecord>} */
async function measure(study, { origin, zone }) {
  const startedAtMs = performance.now();
  const signal = new AbortController().signal;
  /** @type {Figures} */
  const figures = { blocks: [] };
  await measureBrowser(figures, { site: origin, now: () => performance.now(), signal });
  const tookMs = Math.ceil(performance.now() - startedAtMs);
  return { version: RECORD_VERSION, study, ending: 'whole', tookMs, zone, ...figures };
}

/** @type {Visit} */
const { study, site, paths, browsersOfPath, atOnce } = JSON.parse(process.argv[2]);
const browserCount = browsersOfPath * paths.length;
let next = 0;
let takenCount = 0;
const measureOnes = async () => {
  while (next < browserCount) {
    const record = await measure(study, paths[next++ % paths.length]);
    if ((await sendRecord(site, record)) === 204) takenCount++;
  }
};
await Promise.all(Array.from({ length: atOnce }, measureOnes));
process.stdout.write(`${takenCount}\n`, () => process.exit());
