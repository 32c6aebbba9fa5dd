/** @import { Experiment } from '../experiment/contract.js' */

/**
 * All experiments, in the order of lists: the one place that lists them. A new one is a folder here, and a line below.
 *
 * @type {Readonly<Record<string, () => Promise<Experiment>>>}
 */
export const LOADERS = Object.freeze({
  shootout: async () => (await import('./shootout/index.js')).shootout,
  'in-flight': async () => (await import('./in-flight/index.js')).inFlight,
  'fixed-rate': async () => (await import('./fixed-rate/index.js')).fixedRate,
  jobs: async () => (await import('./jobs/index.js')).jobs,
  payload: async () => (await import('./payload/index.js')).payload,
  reach: async () => (await import('./reach/index.js')).reach,
  countdown: async () => (await import('./countdown/index.js')).countdown,
  classic: async () => (await import('./classic/index.js')).classic,
});
