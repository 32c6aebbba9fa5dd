import { digest, formatCsv, problemOf, schemaOf } from './document.js';
import { formatLink, measurement } from './measure.js';
import { formatMarkdown, fromDocument } from './export.js';

/** @import { Experiment } from '../../experiment/contract.js' */

/**
 * The count-down of 2019.
 *
 * @satisfies {Experiment}
 */
export const countdown = Object.freeze({
  ...measurement,
  name: 'countdown',
  label: 'Count-down of 2019',
  hasChart: false,
  schemaOf,
  problemOf,
  digest,
  formatCsv,
  formatMarkdown: (document) => formatMarkdown(fromDocument(document)),
  planPath: ({ choice }) => `/countdown?${formatLink(choice)}`,
});
