/** @import { Experiment } from '../experiment/contract.js' */

/** All, in the order of lists: a folder and a line each. @type {Readonly<Record<string, () => Promise<Experiment>>>} */
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
