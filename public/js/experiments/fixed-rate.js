import { createPacer } from '../run/pacer.js';

/** @import { MeasureOptions } from '../experiment-page.js' */

/** @param {MeasureOptions} options */
export const prepareRun = ({ now }) => createPacer(now);
