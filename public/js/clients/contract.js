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
 * @property {() => { show(document: any): void }} [createDetails] shown beneath its report
 * @property {() => { show(document: any): void }} [createView] shows a saved run instead of its report
 * @typedef {Client<PageRun> & PageParts} PageClient
 */
export {};
