/**
 * Defines what a page adds to an experiment's description: its {@link PageClient}. The scripts of its pages
 * import it; an experiment that needs none has no file here. The parts of Node.js: cli/clients.
 * @import { Client } from '../../../core/experiment/contract.js'
 * @import { Transport } from '../../../core/net/echo/index.js'
 * @import { Libraries } from '../libraries.js'
 * @import { now } from '../base/page.js'
 * @import { RunProgress } from '../ui/progress.js'
 *
 * @typedef {{ plan: any, transports: Record<string, Transport>, libraries: Libraries,
 *   now: typeof now, signal: AbortSignal, progress: RunProgress }} PageRun `transports`: to the page's own server, those of
 *   the plan and those that need no package
 *
 * @typedef {object} PageParts
 * @property {() => PageForm} [createForm] of its own page
 * @property {() => { show(document: any): void }} [createDetails] shown beneath its report
 * @property {() => { show(document: any): void }} [createView] shows a saved run instead of its report
 * @typedef {Client<PageRun> & PageParts} PageClient
 *
 * @typedef {object} PageForm
 * @property {() => void} arrange is called before the form is read, and updates what depends on the choice
 * @property {(plan: any) => any} fitPlan returns the feasible part of a plan; throws an InvalidInputError if there is
 *   none
 * @property {(plan: any) => number | undefined} secondsOf how long a plan takes, about, if it is known yet
 * @property {(plan: any) => number | undefined} [maxSecondsOf] the limit of its time, for as long as that is not known
 * @property {(plan: any, run: { signal: AbortSignal, progress: RunProgress }) => Promise<any>} prepare is waited for at the start
 *   of a run; returns the part of a plan to run
 */
export {};
