/** Loads the parts of an experiment that only Node.js has. The parts of a page: public/js/clients. */
import { client as echo } from './echo.js';

/**
 * @import { Client } from '../../core/experiment/contract.js'
 * @import { Situation } from '../../core/experiment/plan/situation.js'
 * @import { Option } from 'commander'
 * @import { Values } from '../program/command.js'
 * @import { Progress } from '../program/program.js'
 * @import { Outcome } from '../run/outcome.js'
 * @import { RunOptions } from '../run/options.js'
 *
 * @typedef {{ baseUrl: string, plan: any, progress: Progress, signal: AbortSignal, situation?: Situation }} NodeRun a run whose server has
 *   answered
 * @typedef {{ baseUrl: string, plan: any, own: any, signal: AbortSignal }} Requested a request for a run; `own`: the
 *   values of its own options
 *
 * @typedef {object} NodeParts
 * @property {(query: URLSearchParams, options: { seed: number }) => any} [parseRequest] the request if no plan is
 *   repeated, which need not be a whole plan yet; default: a plan
 * @property {(requested: Requested) => Promise<{ plan: any, text?: string, roundTripMs?: number } | undefined>} fitPlan
 *   probes the server, and returns the whole plan, as it fits the path to it, and its duration, or the round-trip time that
 *   this follows from; absent if it was cancelled; throws a
 *   UsageError if no server answers, or nothing can be measured
 * @property {boolean} [needsPage] whether only its page can run it
 * @property {OwnOptions} [options]
 * @property {LinkCut} [linkCut] absent if the lab's link cannot be cut during its trials
 * @typedef {Required<Client<NodeRun>> & NodeParts} NodeClient
 *
 * @typedef {object} LinkCut how the link is cut once in each block
 * @property {readonly string[]} fields of the plan that it decides
 * @property {(plan: any, cut: number | 'forget') => string[]} argsFor options of the command that decide them, given the plan;
 *   without it, those that do not depend on it
 *
 * @typedef {object} OwnOptions of its command, besides those that all have and those of its plan
 * @property {readonly Option[]} list
 * @property {(values: Values) => any} parse returns their values; throws an InvalidInputError
 * @property {(run: NodeRun, options: RunOptions) => Promise<Outcome> | undefined} [instead] does something else
 *   instead of a run
 */

/** Of experiments that need jQuery or XMLHttpRequest. */
const onPage = async () => ({ ...echo, needsPage: true });

/**
 * The clients by experiment; each is loaded only for a run of it.
 * @type {Readonly<Record<string, () => Promise<NodeClient>>>}
 */
const CLIENTS = Object.freeze({
  shootout: async () => (await import('./shootout.js')).client,
  cuts: async () => (await import('./cuts.js')).client,
  'fixed-rate': async () => (await import('./fixed-rate.js')).client,
  jobs: async () => (await import('./jobs.js')).client,
  payload: async () => (await import('./payload.js')).client,
  reach: async () => (await import('./reach.js')).client,
  stream: async () => (await import('./stream.js')).client,
  'under-load': async () => (await import('./under-load.js')).client,
  countdown: onPage,
  classic: onPage,
});

/** @param {string} experiment @returns {Promise<NodeClient>} by default one that echoes messages */
export const loadClient = async (experiment) => (Object.hasOwn(CLIENTS, experiment) ? CLIENTS[experiment]() : echo);
