/**
 * Defines what an experiment is: saved runs, lists, the API and pages read nothing else of it. What all experiments do alike is
 * a function of an experiment, in the folders beside this file. Links are in plan/plan-link.js, the schema in documents/schemas.js, the
 * report in report/findings.js, and the digest in documents/document-digest.js. What is wrong with a document is in
 * documents/problem.js.
 *
 * @typedef {{ path: string, message: string }} Problem what was expected of the field, whose path is joined by dots
 *
 * @typedef {object} Described describes an experiment's documents
 * @property {string} name in addresses, filters and file names
 * @property {string} label for people
 * @property {string | readonly string[]} schema of its documents; the first is that of new ones
 * @property {(v: Valibot, fields: DocumentFields) => GenericSchema} trialSchema the schema of a saved trial
 * @property {(v: Valibot, fields: DocumentFields, ofRun: (more: Record<string, GenericSchema>) => GenericSchema) =>
 *   GenericSchema} [schemaOf] of its documents, if they have other fields than those of all experiments: `ofRun` makes the common
 *   schema with further fields, or with others in place of some
 * @property {(trial: any, run: { plan: any, isCut: boolean }) => string | undefined} [faultOf] the expected form of a
 *   trial, which the run's ending may have cut short; absent if it has that form
 * @property {(document: any) => string} formatCsv a line for each sample and each failure
 * @property {(document: any) => OwnFindings} find all that a run found; pure, and called once for a run's {@link Findings}
 * @property {boolean} [compares] whether it compares, so that there are verdicts to ask for
 * @property {(trial: any) => TrialFacts} readTrial
 * @property {(document: any) => Part & Record<string, any>} [openStored] opens a document that has no plan, or no trials
 * @property {(v: Valibot) => GenericSchema} [digestSchema] of its own part of the digest, under the experiment's name
 * @property {(run: LiveRun<any, any>) => LivePicture} [live] what its page draws between the trials of a run; absent if it
 *   draws nothing
 * @property {(sides: readonly Side[]) => ComparisonPart} [comparisonPart] added to the reports in a comparison
 * @property {string} [path] of its page
 * @property {string} question its subject
 * @property {FullTestPart} [fullTest] its part in a full test; absent if it has none
 *
 * @typedef {object} OwnDocuments what replaces that which follows from a plan, for documents that have none: those of a full
 *   test, and of the old experiments
 * @property {(document: any) => Problem | undefined} [problemOf] a problem that the schema does not detect
 * @property {(document: any, findings: Findings) => Digest} [digest] of a valid document
 * @property {(document: any) => string} [planPath] the link that makes the same run
 * @property {(plan: any) => string} [linkPath] path and query of the page that makes this plan's run
 *
 * @typedef {LiveDots | LiveItem[] | LiveChecks | LiveLanes | Arrivals} LivePicture of the trials so far: dots, all items of the plan,
 *   these with a timeline that grows, lanes, or arrivals that grow
 * @typedef {{ items: LiveItem[], timeline?: Timeline }} LiveChecks `timeline`: of the trial that is under way
 * @typedef {{ caption: string, labelOf: (transport: string) => string, dots: { transport: string, ms: number }[] }} LiveDots
 *   a dot for each message, in the colour of its transport; `caption` ends with the unit
 * @typedef {{ label: string, result: 'pass' | 'fail' | 'untested' | 'waiting', word?: string }} LiveItem `word`: for its
 *   result, if not the usual one
 *
 * @typedef {{ answerCount: number, failures: readonly Failure[] }} Counts the number of a trial's messages, or other
 *   units, that were completed; and its failures
 *
 * @typedef {object} TrialMore
 * @property {string} [method] if it is not the trial's `transport`
 * @property {readonly string[]} [protocols] those that it can negotiate, if not those in core/net of its method; none if
 *   they are unknown
 * @property {number} [lastMs] the last event in it, ms since its start; absent if trials do not have a start time
 * @property {number} [leastMs] its fastest exchange, which is no shorter than a round trip
 *
 * @typedef {Counts & TrialMore} TrialFacts what is read of a trial of any experiment
 *
 * @typedef {{ name: string, value: string, isWarning: boolean, brief?: string, weighs?: boolean }} Fact `isWarning`: it casts doubt on
 *   the run; `brief`: why, in a clause of a few words; `weighs`: such a warning is about the figures themselves
 *
 * @typedef {object} Trust
 * @property {readonly Fact[]} [facts] that only its runs have
 * @property {boolean} [isBusy] whether its messages keep client and server so busy by themselves that late timers say
 *   nothing about other work
 * @property {number} [decidingMs] the difference on which its verdict depends, with which the lags of client and server
 *   are compared
 * @property {readonly ('connection' | 'server')[]} [breaks] what its run breaks, or lets break: that is no fault then
 * @property {OwnTraffic} [ownTraffic] what its run itself caused at the server, if it is counted
 *
 * @typedef {{ echoCount: number, mayLinger: boolean }} OwnTraffic the number of echoes; `mayLinger`: its sessions may
 *   close some time after it
 *
 * @typedef {object} OwnFindings
 * @property {any} summary its figures
 * @property {OwnReport} report
 * @property {readonly number[]} [roundTripMs] of messages without concurrent ones
 * @property {readonly number[]} [requestMs] of requests as the page makes them now; absent if it makes none alone
 * @property {Trust} [trust] what its trust checks look at besides those of every run
 * @property {readonly (OwnAnswer & Compared)[]} [answers] what it compares
 * @property {() => { rttMs: number, answers: readonly Answer[] }[]} [listElsewhere] the same answers at several round-trip times
 * @property {string} [failure] why it failed by its own rule, which `failsIf` says: a sentence; absent if it did not
 * @property {object} [ownDigest] what only its digest has; absent if that is empty
 *
 * @typedef {object} PlanLink the format of its plan
 * @property {Fields} fields of its plan
 * @property {(plan: any) => void} [checkPlan] checks rules across fields; throws an InvalidInputError: what, expected,
 *   got
 * @property {(plan: any) => readonly string[]} [transportsOf] the transports, if the plan has none
 * @property {(plan: any) => string} describePlan a sentence
 * @property {(planned: any, plan: any) => TrialProgress} progressOf of a trial, at its start
 * @property {readonly Preset[]} [presets] plans to begin with
 *
 * @typedef {{ label: string, plan: string, isInForm?: boolean, fields?: Fields }} Preset `plan`: a link's query; `isInForm`:
 *   the form of its page also offers it; `fields`: of its plans, which name it, if they are not the experiment's
 *
 * @typedef {object} RunRules the rules for programs that run it
 * @property {string} [failsIf] when its run failed, after 'exits with 1 if'; absent: when a message did, or when it is invalid
 *
 * @typedef {object} Whole what a document has that is made of runs: that of a full test
 * @property {readonly Experiment[]} members whose runs it may have
 *
 * @typedef {Omit<Measurement<any, any, any, any>, 'schema'> & Described & OwnDocuments & PlanLink & RunRules} Experiment
 *
 * @typedef {Experiment & { path: string }} Planned whose page is generated from its description
 *
 * @typedef {object} FullTestPart
 * @property {string} question that it answers, in a few words, such as 'Sending a message'; also the experiment's `label`
 * @property {string} about what is measured, in a sentence
 * @property {(situation: Situation) => boolean} [isNeeded] whether the situation is about it. Its answer then holds for users at
 *   any distance, by a model. Absent if it is selected in any situation, and says nothing but what was measured
 * @property {boolean} [isExtra] whether the visitor has to select it
 * @property {(situation: Situation, path: { roundTripMs: number, seed: number }) => any} quickPlan `roundTripMs`: over
 *   HTTP
 * @property {(plan: any, roundTripMs: number, path?: KnownPath) => number} secondsOf the plan, about
 * @property {(summary: any, situation: Placed) => OwnAnswer} answer to its question, of a run that ended as planned
 *
 * @typedef {{ requestLimit?: number, bytesPerSecond?: number }} KnownPath what a page knows of the path to its server; `requestLimit`:
 *   how many requests its browser has open at once; default: those of HTTP/1.1; `bytesPerSecond`: default: those of a fast path
 */

/**
 * @import { GenericSchema, InferOutput } from 'valibot'
 * @import { TakeTurn } from '../base/async.js'
 * @import { Now } from '../base/clock.js'
 * @import { Failure } from '../net/echo/trial.js'
 * @import { Status } from '../net/status.js'
 * @import { Answer, Compared, OwnAnswer } from './answer/answer.js'
 * @import { Arrivals } from '../picture/arrivals.js'
 * @import { Digest } from './documents/digest.js'
 * @import { Valibot } from '../base/valibot.js'
 * @import { DocumentFields } from './documents/document-fields.js'
 * @import { Fields } from './plan/fields.js'
 * @import { LiveLanes } from '../picture/lanes.js'
 * @import { ListedRun } from './run/names.js'
 * @import { Placed, Situation } from './plan/situation.js'
 * @import { Part } from './run/open-run.js'
 * @import { Chart } from '../picture/plot.js'
 * @import { OwnReport, Report } from './report/findings.js'
 * @import { Scoped } from './run/scope.js'
 * @import { Table, TableLook } from './report/table.js'
 * @import { Timeline } from '../picture/timeline.js'
 * @typedef {InferOutput<DocumentFields['ending']>} Ending why a run ended before its plan did
 * @typedef {InferOutput<DocumentFields['environment']>} Environment the place and the program of a measurement
 */

/**
 * @typedef {Omit<OwnFindings, 'answers' | 'report' | 'trust'> & Scoped & { part: Part, answers: readonly Answer[], report: Report }}
 *   Findings the results of a run, which is opened as `part`; core/experiment/report/findings.js computes them
 *
 * @typedef {Omit<ListedRun, 'digest'> & { number: number, digest: Digest, document: any }} ComparedRun `number` counts
 *   the runs of the page
 * @typedef {ComparedRun & Findings & { title: string, name: string }} Side one of the compared runs; `title`: with its server; `name`: behind its
 *   number
 *
 * @typedef {object} ComparisonPart the part of a comparison that an experiment adds to the reports
 * @property {readonly Readonly<Record<string, string | undefined>>[]} facts those of each run that should be the same
 *   in all; undefined: unknown
 * @property {readonly string[]} [warnings] why a run cannot be compared
 * @property {readonly (Table<any> & TableLook)[]} tables
 * @property {readonly Chart[]} [charts]
 * @property {Table<any>} csv instead of a line for each figure; its titles are names for programs
 */

/**
 * @typedef {{ label: string, totalCount: number, soFar?: () => any }} TrialProgress `label`: the trial, in a few words; `totalCount`:
 *   the number up to which its `completedCount` goes; `soFar`: what it has, if it takes long enough to be looked at
 * @typedef {{ planned: any, soFar?: any }} UnderWay the trial that is under way, and what it has so far
 */

/**
 * @template P, T
 * @typedef {{ plan: P, trials: readonly T[], situation?: Situation, roundTripMs?: number, underWay?: UnderWay }} LiveRun a run so far;
 *   `situation`: for whom it answers; `roundTripMs`: over HTTP, if it is known
 */

/**
 * @template T
 * @typedef {object} FaultWatch
 * @property {(trial: T) => Ending | undefined} look gets each trial in its order; returns why the whole run is invalid
 * @property {() => Ending | undefined} [lookBack] called after all trials
 * @property {boolean} [outlives] whether the run goes on while the device is offline or the server restarts, as it
 *   measures what that costs
 */

/**
 * @template T
 * @typedef {{ trials: T[], ending?: Ending }} Measured the trials of a run
 */

/**
 * The part of an experiment that measures. Its functions get the run's options.
 * @template {{ plan: any, now: Now, signal?: AbortSignal }} O its options; `signal` has an {@link Ending} as its reason
 * @template {object} S planned trial; those with the same `block` follow each other in one turn
 * @template T trial; a `startedAtMs` is a reading of the clock, and counts from the run's start in the run
 * @template {object} [M={}] what `around` measures besides the trials
 * @typedef {object} Measurement
 * @property {string} schema of its documents
 * @property {(plan: O['plan']) => S[]} trialsOf in the order in which they are made; saved trials keep its
 *   fields, which name them, but for lists
 * @property {(planned: S, options: O & { progress: any, shared: any }) => Promise<T | undefined>} runTrial absent if
 *   nothing is left to keep; a failed trial is a result, not an exception
 * @property {(plan: O['plan']) => FaultWatch<T>} watchFaults
 * @property {(planned: S, plan: O['plan']) => TrialProgress} [progressOf] of a trial, at its start
 * @property {(run: Measured<T>, options: O & Looking) => boolean} [isClear] whether its answer is clear already; called where
 *   the plan looks. Looks of other experiments have no effect
 * @property {(options: O) => { close(): void }} [open] creates the state that the trials of a run share: `shared`
 * @property {(options: O, measure: (options: O) => Promise<Measured<T>>) => Promise<Measured<T> & M>} [around] measures something before or
 *   after the trials, or fits the plan to the path: calls `measure`, and returns what it returned, with {@link M}
 */

/**
 * @typedef {{ stepMs?: number, situation?: Situation, environment?: Environment }} Looking what a look knows besides the run's own
 *   options: the clock's step, for whom it is to answer, and where the run is made
 */

/**
 * @template S, T
 * @typedef {object} RunCallbacks
 * @property {(planned: S, progress: any) => Promise<void> | void} [onTrialStart] waited for, too
 * @property {(run: { trials: T[], ending?: Ending }) => Promise<void> | void} [onTrialEnd] waited for, so that it can
 *   paint
 * @property {TakeTurn} [takeTurn] queues the blocks of several concurrent runs
 */

/**
 * @typedef {Partial<RunCallbacks<any, any>> & { close?: () => void, [option: string]: any }} RunMeans options of a run
 *   that only its platform can create, like `transports`. Its callbacks replace those that show the progress; `close`
 *   is called when the run is over, whatever happened
 */

/**
 * @template R the run: its `plan`, its `signal`, its `progress`, and what the platform adds
 * @typedef {object} Client runs an experiment: on a page (public/js/clients/contract.js), or in Node.js
 *   (cli/clients/index.js)
 * @property {(run: R) => RunMeans | Promise<RunMeans>} [prepareRun] creates the additional options of this run
 */

/**
 * @template P, T
 * @typedef {{ schema: string, startedAt: string, plan: P, environment: Environment, statusBefore?: Status,
 *   statusAfter?: Status, trials: T[], ending?: Ending }} ExperimentDocument all that was measured, and nothing that
 *   can be computed from it; docs/results-format.md describes it
 */
