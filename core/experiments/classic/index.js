import { digest, formatCsv, problemOf, schemaOf } from './document.js';
import { measurement } from './measure.js';
import { formatMarkdown, fromDocument } from './export.js';

/** @import { Experiment } from '../../experiment/contract.js' */

/** @type {Record<string, string>} */
const PATHS = { ajax: '/ajaxtest', sockjs: '/socktest' };

/**
 * The test of 2012.
 *
 * @satisfies {Experiment}
 */
export const classic = Object.freeze({
  ...measurement,
  name: 'classic',
  label: 'Classic test of 2012',
  hasChart: false,
  schemaOf,
  problemOf,
  digest,
  formatCsv,
  formatMarkdown: (document) => formatMarkdown(fromDocument(document)),
  planPath({ transport, runs }) {
    const iterations = runs.map((/** @type {any} */ { trial }) => trial.iterations);
    return `${PATHS[transport]}?iterations=${iterations.join(',')}&autostart=1`;
  },
});
