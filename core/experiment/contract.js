/**
 * What an experiment is. Saved runs, lists, the API and the pages of saved runs read nothing else of it; all experiments are
 * listed in core/experiments/index.js.
 *
 * @typedef {object} Problem
 * @property {string} path of the field, its steps with dots between; empty for the whole
 * @property {string} message what was expected
 *
 * @typedef {object} Digest what lists and comparisons show of a document, computed from its samples
 * @property {string} startedAt ISO 8601, by the visitor's clock
 * @property {string} origin that was measured
 * @property {string} server its name
 * @property {string} [location]
 * @property {string} [version]
 * @property {string} [browser] its name and version, or that of Node.js; absent in runs that were saved before 0.2
 * @property {string[]} transports
 * @property {boolean} isValid
 * @property {string} headline a few words
 * @property {string} detail the figures behind them
 * @property {number} sampleCount
 * @property {number} failureCount
 * @property {any} [plan] of a shootout
 * @property {number} [floorMs] its smallest round trip, which stands for the distance
 * @property {Omit<Comparison, 'centres'>} [comparison] what its verdict is about
 * @property {{ iterations: number, elapsedMs?: number }[]} [classic] each run of a classic page, by the clock of 2012
 *
 * @typedef {object} Described what is known of an experiment's documents
 * @property {string} name in addresses, filters and file names
 * @property {string} label for people
 * @property {(v: Valibot, fields: Fields) => GenericSchema} schemaOf
 * @property {(document: any) => Problem | undefined} problemOf what the schema cannot say; absent where all is well
 * @property {(document: any) => Digest} digest of one without a problem
 * @property {(document: any) => string} formatCsv a line for each sample and each failure
 * @property {(document: any) => string} formatMarkdown a report, to paste
 * @property {(document: any) => string} planPath the link that makes the same run
 * @property {boolean} hasChart is a chart a part of its result?
 * @property {object} [viewData] what `views/partials/NAME-result.ejs` shows besides
 *
 * @typedef {Measurement<any, any, any, any> & Described} Experiment
 */

/**
 * @import { GenericSchema } from 'valibot'
 * @import { Comparison } from './compare.js'
 * @import { Fields, Valibot } from './documents/fields.js'
 * @import { Measurement } from './run.js'
 * @import { Table } from './table.js'
 */

/**
 * @typedef {object} Report what came of a run
 * @property {string} words
 * @property {string} [endedWords] what may be said even of a run that ended early
 * @property {string} notes how it is to be read; may be empty
 * @property {Table<any>} table
 */

/**
 * What an experiment has besides where its plan comes from a form and from a link.
 *
 * @template P plan
 * @typedef {object} Planned
 * @property {string} path of its page
 * @property {(query: URLSearchParams, options: { seed: number }) => P | undefined} parsePlan absent where the query is about
 *   no plan; throws an InvalidInputError: what, expected, got
 * @property {(plan: P) => string} formatPlan a link's query
 * @property {(plan: P) => string} describePlan a sentence
 * @property {(document: any) => Report} report
 */
