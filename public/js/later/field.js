/** `/field.js`: begins by itself where a line of HTML names a study; a page that asks for consent first imports `measureField`. */
import { measureField as measure } from '../field/field.js';
import { sampleOf } from '../field/permission.js';

/** @import { FieldRecord } from '../../../core/field/record.js' */

/** By default, the page must have been idle for that long. */
const IDLE_MS = 3000;
const SITE = new URL('.', import.meta.url).href.replace(/\/$/, '');

/**
 * Measures this browser once, if it may be measured now. Never rejects.
 * @param {{ study: string, sample?: string, delay?: string | number }} options as in the line of HTML: `sample` like '1%', `delay` in
 *   seconds @returns {Promise<FieldRecord | undefined>} what was sent; absent where nothing was
 */
export const measureField = ({ study, sample, delay = IDLE_MS / 1000 }) =>
  measure({ study, site: SITE, sample: sampleOf(sample), delayMs: Math.max(0, 1000 * Number(delay) || 0) });

const line = [...document.querySelectorAll('script')].find(
  ({ src, dataset }) => src === import.meta.url && dataset.study,
);
if (line?.dataset.study)
  measureField({ study: line.dataset.study, sample: line.dataset.sample, delay: line.dataset.delay });
