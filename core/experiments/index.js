/** @import { Experiment } from '../experiment/contract.js' */

/**
 * Loads the experiments, in the order in which visitors need them: each is a folder of that name, whose index.js has the experiment as its
 * default export.
 * @type {Readonly<Record<string, () => Promise<Experiment>>>}
 */
export const LOADERS = Object.freeze({
  shootout: async () => (await import('./shootout/index.js')).default,
  jobs: async () => (await import('./jobs/index.js')).default,
  reach: async () => (await import('./reach/index.js')).default,
  payload: async () => (await import('./payload/index.js')).default,
  cuts: async () => (await import('./cuts/index.js')).default,
  'under-load': async () => (await import('./under-load/index.js')).default,
  'in-flight': async () => (await import('./in-flight/index.js')).default,
  'fixed-rate': async () => (await import('./fixed-rate/index.js')).default,
  countdown: async () => (await import('./countdown/index.js')).default,
  classic: async () => (await import('./classic/index.js')).default,
});

/**
 * Other names than an experiment's own, with the experiment: links, stored documents and clients have them, so they stay.
 * @type {Readonly<Record<string, string>>}
 */
export const OLD_NAMES = Object.freeze({
  // Pages of 2012 and 2018, and those whose addresses have no hyphen.
  ajaxtest: 'classic',
  socktest: 'classic',
  polltest: 'jobs',
  payloadtest: 'payload',
  underload: 'under-load',
  inflight: 'in-flight',
  fixedrate: 'fixed-rate',
  // Schemas: the first experiment that was saved, and what the app of 2019 shared.
  run: 'shootout',
  'submission-2019': 'countdown',
});
