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
  path: '/countdown',
  intro: 'How does XHR compare with WebSocket when the server answers each number with the one below it?',
  hasChart: false,
  schemaOf,
  problemOf,
  digest,
  formatCsv,
  formatMarkdown: (document) => formatMarkdown(fromDocument(document)),
  planPath: ({ choice }) => `/countdown?${formatLink(choice)}`,
});
