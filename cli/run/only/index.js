/** What only one experiment needs at the command line, in a file of its name that exports it as `only`. */
import { existsSync } from 'node:fs';
import { echo } from './echo.js';

/**
 * @import { ArgOptions, Progress } from '../../program/program.js'
 * @import { Condition } from '../conditions.js'
 * @import { Outcome } from '../index.js'
 * @import { RunOptions, Values } from '../options.js'
 * @typedef {{ origin: string, plan: any, progress: Progress, signal: AbortSignal }} Begun once the server answers
 * @typedef {object} Only
 * @property {boolean} [needsPage] its transports are a page's
 * @property {readonly string[]} [transports] that can be measured from Node; absent where a plan has none
 * @property {readonly string[]} [defaultTransports] of those
 * @property {ArgOptions} [options] besides those that all have, and those of its plan
 * @property {string} [help] their lines
 * @property {Readonly<Record<string, string>>} [presets] besides the experiment's: a link's query by name
 * @property {(values: Values) => any} [parseOwn] what those options say; throws an InvalidInputError
 * @property {(url: URL) => URLSearchParams} [queryOf] of a link whose path says something of the plan, too
 * @property {(query: URLSearchParams, options: { seed: number, isRepeated: boolean }) => any} [parsePlan] where what is asked
 *   for need not be a whole plan yet
 * @property {(options: { origin: string, plan: any, signal: AbortSignal }) => Promise<any>} probe looks at the way to the
 *   server; gives nothing where it was cancelled, throws a UsageError where no server answers
 * @property {(plan: any, options: { found: any, own: any }) => { plan: any, text: string }} [fitPlan] the whole plan, and what
 *   it takes; throws a UsageError where nothing can be measured
 * @property {(run: Begun) => Promise<any>} createMeans by which Node measures
 * @property {object} [unmeasured] what a document without any trial has, beside those that all have
 * @property {(text: string) => Condition | undefined} [parseCondition] of its own; throws a UsageError
 * @property {(document: any, summary: any) => string | undefined} [reasonToFail] where it is not that a message failed
 * @property {string} [failure] the same in the help
 * @property {(run: Begun, options: RunOptions) => Promise<Outcome> | undefined} [instead] what is asked for in place of a run
 */

/** @param {string} name of an experiment, and of its file here @returns {Promise<Only>} by default one that echoes messages */
export const loadOnly = async (name) =>
  existsSync(new URL(`./${name}.js`, import.meta.url)) ? (await import(`./${name}.js`)).only : echo;
