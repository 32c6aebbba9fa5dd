/**
 * What an experiment is: saved runs, lists, the API and pages read nothing else of it.
 *
 * @typedef {{ path: string, message: string }} Problem what was expected of which field, its steps with dots between
 *
 * @typedef {object} Described what is known of an experiment's documents
 * @property {string} name in addresses, filters and file names
 * @property {string} label for people
 * @property {string} [otherSchema] of documents that it reads besides its own
 * @property {Readonly<Record<string, (document: any) => any>>} [formerSchemas] of documents of earlier releases, which nobody
 *   has checked yet: each function gives the same run under today's names
 * @property {(v: Valibot, fields: DocumentFields) => GenericSchema} schemaOf
 * @property {(v: Valibot, fields: DocumentFields) => GenericSchema} trialSchema what a saved trial may hold
 * @property {readonly string[]} sampleColumns names of the columns of its CSV
 * @property {(trial: any, index: number, plan: any) => (string | number | undefined)[][]} sampleRows lines of its CSV; trials
 *   without a plan get the first of them in its place
 * @property {(document: any) => Problem | undefined} problemOf what the schema cannot say; absent where all is well
 * @property {(document: any, findings?: Findings) => Digest} digest of one without a problem; its findings, where known
 * @property {(document: any) => string} formatCsv a line for each sample and each failure
 * @property {(document: any) => any} summarize pure; called once for a run's {@link Findings}
 * @property {(summary: any, document: any) => Report} report
 * @property {(document: any) => readonly number[]} [roundTripsOf] ms, of messages that waited for nothing else
 * @property {(trial: any) => Counts} countsOf
 * @property {string} [counted] what its trials count, if not 'message'
 * @property {(document: any) => readonly { path: string, trial: any }[]} [trialsIn] a document, if not its `trials`
 * @property {(document: any) => readonly (readonly [path: string, date: string])[]} [datesIn] a document, when its parts began
 * @property {(trial: any) => number} [lastMsOf] the last thing that it says of, ms since its start; absent where trials do not
 *   say when they began
 * @property {(trial: any) => string} [methodOf] what it was made with, if not its `transport`
 * @property {(trial: any) => readonly string[] | undefined} [usableProtocolsOf] what it can have negotiated, if not what
 *   core/net knows of its method; absent where nobody knows
 * @property {DigestPart} [digestPart] what its digest has besides, under the experiment's name
 * @property {(document: any, findings?: Findings) => string} formatMarkdown a report, to paste
 * @property {(document: any) => string} planPath the link that makes the same run
 * @property {boolean} hasChart is a chart a part of its result?
 * @property {(digest: any) => string} [whyInvalid] where its digest's detail and headline do not say it
 * @property {boolean} [isByTransport] a run has one transport; compared, those of a place belong together
 * @property {boolean} [isComparedWithFirst] its runs are, not each with each
 * @property {(sides: readonly Side[]) => ComparisonPart} [comparisonPart] what a comparison of its runs has besides their reports
 * @property {(runs: readonly any[]) => readonly object[]} [sharesOf] valid runs, by place, above a list of it
 * @property {string} [path] of its page
 * @property {string} [intro] what it is about, for that page and for the list of tests
 * @property {object} [viewData] what the partials of its pages show besides
 *
 * @typedef {{ answerCount: number, failures: readonly Failure[] }} Counts of a trial: messages, or what it counts, that came to
 *   their end; and what failed
 *
 * @typedef {object} DigestPart
 * @property {(v: Valibot) => GenericSchema} schemaOf
 * @property {(summary: any, document: any) => object | undefined} partOf of a run; absent where there is nothing to say.
 *   `summary`: absent where the run ended early and nobody has summarized it
 * @property {readonly string[]} [formerFields] those that stood beside the common fields in digests of earlier releases
 *
 * @typedef {object} PlanLink how its plan is written
 * @property {Fields} fields of its plan
 * @property {(query: URLSearchParams, options: { seed: number }) => any} parsePlan absent for none; throws InvalidInputErrors
 * @property {(plan: any) => string} formatPlan a link's query
 * @property {(plan: any) => string} linkPath path and query of the page that makes this plan's run
 * @property {(plan: any) => string} describePlan a sentence
 * @property {(planned: any) => string} describeTrial a few words, for its progress
 * @property {(planned: any, plan: any) => number} messageCountOf that the trial's progress counts up to
 * @property {readonly Preset[]} [presets] plans to begin with
 * @property {(url: URL) => URLSearchParams} [queryOf] a link's query, where its path says something of the plan, too
 *
 * @typedef {{ label: string, plan: string, isInForm?: boolean }} Preset `plan`: a link's query; `isInForm`: the form of its page
 *   offers it by itself
 *
 * @typedef {object} RunRules what a program that runs it needs to know
 * @property {boolean} [needsPage] can its page alone run it?
 * @property {Readonly<Record<string, PlatformRow>>} [transportRows] of core/net, which the transports of its plan name, if not
 *   those that echo
 * @property {object} [unmeasured] what a document without any trial has, besides what those of all have
 * @property {FailureRule} [failureRule] when its run failed, if not where a message did, or where it is invalid
 * @property {(summary: any) => Verdicts} [verdictsOf] the verdicts of a run, which a command can be made to fail by
 *
 * @typedef {object} FailureRule
 * @property {string} words what it is, after 'exits with 1 if'
 * @property {(document: any, summary: any) => string | undefined} reasonOf a sentence; absent where the run did not fail
 *
 * @typedef {{ baseline: string, words: Readonly<Record<string, Word | undefined>> }} Verdicts on each transport that the plan
 *   compares with `baseline`; undefined where too little was measured
 *
 * @typedef {Measurement<any, any, any, any> & Described & PlanLink & RunRules} Experiment
 *
 * @typedef {object} PlannedParts what planned.js needs besides; with `intro` and `legend` a page's form makes its plan
 * @property {string} path
 * @property {string} intro
 * @property {string} legend of its form
 * @property {(plan: any) => void} [checkPlan] what no field says by itself; throws an InvalidInputError: what, expected, got
 * @property {(plan: any) => string} [headlineOf] of runs in lists, where the report has no answer
 * @property {(plan: any) => readonly string[]} [transportsOf] where the plan has none
 * @property {(v: Valibot) => GenericSchema} [planSchema] where its fields do not say it all
 * @property {readonly string[]} trialKeys the fields that tell which of the plan's trials one is
 * @property {(v: Valibot, fields: DocumentFields) => Record<string, GenericSchema>} [moreSchema] of its document
 * @property {(trial: any, run: { plan: any, isCut: boolean }) => string | undefined} [faultOf] what was expected of a trial,
 *   which the run's ending may have cut short; absent where it is so
 *
 * @typedef {Experiment & PlannedParts} Planned
 */

/**
 * @import { GenericSchema, InferOutput } from 'valibot'
 * @import { TakeTurn } from '../base/async.js'
 * @import { Now } from '../base/clock.js'
 * @import { Interval } from '../base/statistics.js'
 * @import { PlatformRow } from '../net/echo/index.js'
 * @import { Failure } from '../net/echo/trial.js'
 * @import { Status } from '../net/status.js'
 * @import { Word } from './compare.js'
 * @import { Digest } from './documents/digest.js'
 * @import { DocumentFields, Valibot } from './documents/fields.js'
 * @import { Fields } from './fields.js'
 * @import { ListedRun } from './names.js'
 * @typedef {InferOutput<DocumentFields['ending']>} Ending why a run ended before its plan did
 * @typedef {InferOutput<DocumentFields['environment']>} Environment where and with what it was measured
 * @typedef {{ verdict: Word, ratio: number }} Mark what the colour of a cell means
 */

/**
 * @typedef {{ title: string, logBase?: 2 | 10, range?: [number, number], format?: (tick: number) => string }} Axis
 *
 * @typedef {object} Line
 * @property {string} label
 * @property {string} colour the name of a custom property, without its dashes: a transport's, a delivery method's
 * @property {readonly number[]} [dash]
 * @property {boolean} [hasPoints] few enough to be seen one by one
 * @property {readonly (number | null)[]} values one for each of the chart's; null where there is none
 * @property {readonly ({ low: number, high: number } | null)[]} [band] the values' intervals
 *
 * @typedef {{ label: string, colour: string, x: number, y: number, interval?: Interval }} Dot with its name; interval of y
 *
 * @typedef {object} Chart lines over one axis, or dots, as data
 * @property {string} [heading]
 * @property {string} caption
 * @property {readonly string[]} [sentences] what is to be said of this one alone
 * @property {Axis} x
 * @property {Axis} y
 * @property {readonly number[]} values of the x axis, rising
 * @property {readonly Line[]} lines
 * @property {readonly Dot[]} [dots] over the lines, if there are any; both axes are logarithmic
 * @property {{ low: number, high: number }} [same] values of y that are the same for most purposes
 * @property {readonly { x: number, label: string }[]} [marks] vertical lines, like a limit
 * @property {boolean} [hasDirectLabels] the names stand at the ends of the lines, not in a legend
 *
 * @typedef {{ heading?: string, note?: string, isDetail?: boolean, isHeatMap?: boolean, isFolded?: boolean, parts?: readonly
 *   (Table<any> & TableLook)[] }} TableLook `note`: what must be known of its figures, beneath it; on pages `isDetail`: folded
 *   with the method; `isFolded`: folded under its own heading; `parts`: shown instead of the whole table
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
 *
 * @typedef {{ summary: any, report: Report }} Findings what follows from a document; core/experiment/report.js makes them
 *
 * @typedef {Omit<ListedRun, 'digest'> & { number: number, digest: Digest, document: any }} ComparedRun `number` is how the page
 *   counts it
 * @typedef {ComparedRun & Findings & { title: string }} Side one of the runs that stand side by side
 *
 * @typedef {object} ComparisonPart what an experiment says of several runs besides what their reports say
 * @property {readonly Readonly<Record<string, string | undefined>>[]} facts of each run, which should be the same in all;
 *   undefined: unknown
 * @property {readonly string[]} [warnings] what keeps a run from being compared
 * @property {readonly (Table<any> & TableLook)[]} tables
 * @property {readonly Chart[]} [charts]
 * @property {Table<any>} csv instead of a line for each figure; its titles are names for programs
 */

/**
 * @template T
 * @typedef {object} FaultWatch
 * @property {(trial: T) => Ending | undefined} look is shown each trial in its order; says what makes the whole run invalid
 * @property {() => Ending | undefined} [lookBack] when all trials have been made
 */

/**
 * What of an experiment measures. Its functions get the run's options.
 * @template {{ plan: any, now: Now, signal?: AbortSignal }} O its options; `signal` has an {@link Ending} as its reason
 * @template {object} S planned trial; those with the same `block` follow each other in one turn
 * @template T trial; a `startedAtMs` is a reading of the clock, and counts from the run's start in the run
 * @template {object} [M={}] what `prepare` measures
 * @typedef {object} Measurement
 * @property {string} schema of its document
 * @property {(plan: O['plan']) => S[]} trialsOf in the order in which they are made
 * @property {(planned: S, options: O & { progress: any, shared: any }) => Promise<T | undefined>} runTrial absent where
 *   nothing is left to keep; a failed trial is a result, not an exception
 * @property {(plan: O['plan']) => FaultWatch<T>} watchFaults
 * @property {(options: O) => { close(): void }} [open] makes what the trials of a run share: `shared`
 * @property {(options: O) => Promise<M>} [prepare] measures something before the trials; the run has it, too
 * @property {(options: O, document: any) => Promise<object>} [finish] and after them
 * @property {(planned: S, options: O) => any} [createProgress] of a trial, where it is more than a count
 */

/**
 * @template S, T
 * @typedef {object} RunCallbacks
 * @property {(planned: S, progress: any) => Promise<void> | void} [onTrialStart] waited for, too
 * @property {(run: { trials: T[], ending?: Ending }) => Promise<void> | void} [onTrialEnd] waited for: the place to paint
 * @property {TakeTurn} [takeTurn] where another run goes on beside this one: each block waits for its turn
 */

/**
 * @typedef {Partial<RunCallbacks<any, any>> & { close?: () => void, [option: string]: any }} RunMeans options of a run that only
 *   what runs it can give, like `transports`. Its callbacks replace those that show how far the run is; `close` is called
 *   when the run is over, whatever happened
 */

/**
 * @template R the run: its `plan`, its `signal`, its `progress`, and what the platform knows besides
 * @typedef {object} Client what runs an experiment: a page (public/js/clients/contract.js), or Node.js (cli/clients/index.js)
 * @property {(run: R) => RunMeans | Promise<RunMeans>} [prepareRun] makes what this run needs besides what all have
 */

/**
 * @template P, T
 * @typedef {{ schema: string, startedAt: string, plan: P, environment: Environment, statusBefore?: Status, statusAfter?:
 *   Status, trials: T[], ending?: Ending }} ExperimentDocument all that was measured, and nothing that can be computed from it;
 *   docs/results-format.md describes it
 */

/**
 * @template R row
 * @typedef {object} Column
 * @property {string} title
 * @property {string} [name] of its figures, for programs
 * @property {string} [unit] of its figures; stands behind the title
 * @property {boolean} [isText] holds words, not figures
 * @property {boolean} [isKey] says what its row is about: the same in another run of the experiment
 * @property {string} [explanation] where the title does not say it all
 * @property {(row: R, index: number) => any} value absent: a dash; null where the cell before it reaches over this one, too
 * @property {(value: any) => string} [format] a value's text
 * @property {(row: R) => Mark | undefined} [mark] of a cell in a heat map
 * @property {(row: R) => string | undefined} [note] beneath a value, on pages
 */

/**
 * @template R row
 * @typedef {{ columns: readonly Column<R>[], rows: readonly R[] }} Table
 */
