/**
 * What an experiment is. Saved runs, lists, the API and the pages of saved runs read nothing else of it; all experiments are
 * listed in core/experiments/index.js.
 *
 * @typedef {object} Problem
 * @property {string} path of the field, its steps with dots between; empty for the whole
 * @property {string} message what was expected
 *
 * @typedef {object} Digest what lists and comparisons show of a document, computed from its samples
 * @property {string} [startedAt] ISO 8601, by the visitor's clock; this and the origin are absent where the client of 2019
 *   reported no more than times
 * @property {string} [origin] that was measured
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
 * @property {boolean} [webSocketWorks] from where it was measured
 * @property {{ iterations: number, elapsedMs?: number }[]} [classic] each run of a classic page, by the clock of 2012
 *
 * @typedef {object} Described what is known of an experiment's documents
 * @property {string} name in addresses, filters and file names
 * @property {string} label for people
 * @property {string} [otherSchema] of documents that it reads besides its own
 * @property {(v: Valibot, fields: DocumentFields) => GenericSchema} schemaOf
 * @property {(document: any) => Problem | undefined} problemOf what the schema cannot say; absent where all is well
 * @property {(document: any) => Digest} digest of one without a problem
 * @property {(document: any) => string} formatCsv a line for each sample and each failure
 * @property {(document: any) => any} summarize pure; called once for a report
 * @property {(summary: any, document: any) => Report} report
 * @property {(document: any) => readonly number[]} [roundTripsOf] ms, of messages that waited for nothing else; with it a report
 *   has its conditions
 * @property {string} [counted] what its trials count, if not 'message'
 * @property {(document: any) => string} formatMarkdown a report, to paste
 * @property {(document: any) => string} planPath the link that makes the same run
 * @property {boolean} hasChart is a chart a part of its result?
 * @property {string} [path] of its page
 * @property {string} [intro] what it is about, for that page and for the list of tests
 * @property {object} [viewData] what `views/partials/experiments/NAME-result.ejs` shows besides
 *
 * @typedef {object} PlanLink how its plan is written
 * @property {Fields} fields of its plan
 * @property {(query: URLSearchParams, options: { seed: number }) => any} parsePlan absent where the query is about no plan;
 *   throws an InvalidInputError: what, expected, got
 * @property {(plan: any) => string} formatPlan a link's query
 * @property {(plan: any) => string} linkPath path and query of the page that makes this plan's run
 * @property {(plan: any) => string} describePlan a sentence
 * @property {(planned: any) => string} describeTrial a few words, for its progress
 * @property {(planned: any, plan: any) => number} messageCountOf that the trial's progress counts up to
 * @property {readonly { label: string, plan: string }[]} [presets] plans to begin with, each a link's query
 *
 * @typedef {Measurement<any, any, any, any> & Described & PlanLink} Experiment
 *
 * @typedef {object} PlannedParts what an experiment has besides that is made by core/experiment/planned.js. With an `intro`
 *   and a `legend` it has a page whose plan comes from a form
 * @property {string} path
 * @property {string} intro
 * @property {string} legend of its form
 * @property {(plan: any) => void} [checkPlan] what no field says by itself; throws an InvalidInputError: what, expected, got
 * @property {(plan: any) => string} [headlineOf] of runs in lists, where the report has no answer
 * @property {(plan: any) => readonly string[]} [transportsOf] where the plan has none
 * @property {(document: any) => Partial<Digest>} [moreDigest] of a run that carried out its plan
 * @property {(v: Valibot) => GenericSchema} [planSchema] where its fields do not say it all
 * @property {readonly string[]} trialKeys the fields that tell which of the plan's trials one is
 * @property {(v: Valibot, fields: DocumentFields) => GenericSchema} trialSchema what a saved trial may hold
 * @property {(v: Valibot, fields: DocumentFields) => Record<string, GenericSchema>} [moreSchema] what its document holds
 *   besides
 * @property {(trial: any, run: { plan: any, isCut: boolean }) => string | undefined} [faultOf] what was expected of a saved
 *   trial; absent where it is so; `isCut`: the run's ending may have cut it short
 * @property {readonly string[]} sampleColumns names of the columns of its CSV
 * @property {(trial: any, index: number, plan: any) => (string | number | undefined)[][]} sampleRows a line for each sample
 *   and each failure
 *
 * @typedef {Experiment & PlannedParts} Planned
 */

/**
 * @import { GenericSchema } from 'valibot'
 * @import { Interval } from '../base/statistics/intervals.js'
 * @import { Comparison } from './compare.js'
 * @import { Fields as DocumentFields, Valibot } from './documents/fields.js'
 * @import { Fields } from './fields.js'
 * @import { Measurement } from './run.js'
 * @import { Table } from './table.js'
 */

/**
 * @typedef {object} Axis
 * @property {string} title with its unit
 * @property {2 | 10} [logBase] of a logarithmic axis
 * @property {[number, number]} [range]
 * @property {(value: number) => string} [format] a tick's text; empty for none
 *
 * @typedef {object} Line
 * @property {string} label
 * @property {string} colour the name of a custom property, without its dashes: a transport's, a delivery method's
 * @property {readonly number[]} [dash]
 * @property {boolean} [hasPoints] few enough to be seen one by one
 * @property {readonly (number | null)[]} values one for each of the chart's; null where there is none
 * @property {readonly ({ low: number, high: number } | null)[]} [band] the values' intervals
 *
 * @typedef {{ label: string, colour: string, x: number, y: number, interval?: Interval }} Dot of a chart, with its name beside
 *   it, coloured as a line is; the interval is that of y
 *
 * @typedef {object} Chart lines over one axis, or dots, as data
 * @property {string} [heading]
 * @property {string} caption
 * @property {readonly string[]} [sentences] what is to be said of this one alone
 * @property {Axis} x
 * @property {Axis} y
 * @property {readonly number[]} values of the x axis, rising
 * @property {readonly Line[]} lines
 * @property {readonly Dot[]} [dots] instead of lines; both axes are logarithmic
 * @property {readonly { x: number, label: string }[]} [marks] vertical lines, like a limit
 * @property {boolean} [hasDirectLabels] the names stand at the ends of the lines, not in a legend
 *
 * @typedef {{ heading?: string, isDetail?: boolean, isHeatMap?: boolean }} TableLook `isDetail`: folded on pages;
 *   `isHeatMap`: cells are coloured by their marks
 *
 * @typedef {object} Report all that is said of a run. Pages, Markdown, terminals and comparisons render it
 * @property {string} heading
 * @property {string} [answer] in one sentence, the headline of pages
 * @property {string} [conditions] what was run where; core/experiment/report.js makes it
 * @property {readonly string[]} sentences what was found; of a run that ended early only what its end leaves valid
 * @property {readonly string[]} [notes] what must be known beside the figures
 * @property {readonly (Table<any> & TableLook)[]} tables
 * @property {readonly Chart[]} charts
 * @property {string} [method] how the figures are made
 */
