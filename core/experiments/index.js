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
  stream: async () => (await import('./stream/index.js')).default,
  'in-flight': async () => (await import('./in-flight/index.js')).default,
  'fixed-rate': async () => (await import('./fixed-rate/index.js')).default,
  countdown: async () => (await import('./countdown/index.js')).default,
  classic: async () => (await import('./classic/index.js')).default,
});

/**
 * The pages whose addresses have another name than their experiment: of 2018, and those without its hyphen.
 * @type {Readonly<Record<string, string>>}
 */
export const PAGE_NAMES = Object.freeze({
  polltest: 'jobs',
  payloadtest: 'payload',
  underload: 'under-load',
  inflight: 'in-flight',
  fixedrate: 'fixed-rate',
});

/**
 * Other names than an experiment's own, with the experiment: links, stored documents and clients have them, so they stay.
 * @type {Readonly<Record<string, string>>}
 */
export const OLD_NAMES = Object.freeze({
  ...PAGE_NAMES,
  // Pages of 2012, of which each has a transport of its own.
  ajaxtest: 'classic',
  socktest: 'classic',
  // Schemas: the first experiment that was saved, and what the app of 2019 shared.
  run: 'shootout',
  'submission-2019': 'countdown',
});
