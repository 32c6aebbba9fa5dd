/**
 * Lists the files that only one experiment's pages have, by its name. An experiment whose pages follow from its description
 * has no line here.
 *
 * @typedef {object} PageFiles scripts in public/js, and partials in views/partials
 * @property {string} [client] script: what a page brings for its run, its form or its saved runs; public/js/clients/contract.js
 * @property {string} [picture] partial in the list of tests
 * @property {string} [form] partial in place of the fields of its plan
 * @property {string} [cost] partial beneath the plan in words
 * @property {string} [live] partial that is shown during a run
 * @property {string} [details] partial beneath the report
 * @property {string} [result] partial of a saved run, in place of the report
 */
import { CAPACITY_FIELDS } from '../core/experiments/jobs/capacity.js';
import { TIME_BUDGET } from '../core/experiments/payload/budget.js';
import * as payload from '../core/experiments/payload/plan.js';
import { BEST_OF_NOTE } from '../core/experiments/payload/report.js';
import { sharesOf } from '../core/experiments/reach/places.js';

/** @type {Readonly<Record<string, PageFiles>>} */
export const PAGE_FILES = Object.freeze({
  shootout: {
    client: 'clients/shootout.js',
    result: 'experiments/shootout-result',
  },
  'in-flight': { picture: 'pictures/in-flight' },
  'fixed-rate': { client: 'clients/fixed-rate.js', picture: 'pictures/fixed-rate' },
  jobs: {
    client: 'clients/jobs.js',
    form: 'experiments/jobs-form',
    live: 'experiments/jobs-live',
    details: 'experiments/jobs-details',
    picture: 'pictures/jobs',
  },
  payload: {
    client: 'clients/payload.js',
    form: 'experiments/payload-form',
    cost: 'experiments/payload-cost',
    picture: 'pictures/payload',
  },
  cuts: { client: 'clients/cuts.js', details: 'experiments/cuts-details', picture: 'pictures/cuts' },
  'under-load': {
    client: 'clients/under-load.js',
    details: 'experiments/under-load-details',
    picture: 'pictures/under-load',
  },
  reach: { client: 'clients/reach.js', picture: 'pictures/reach' },
  countdown: {
    client: 'clients/countdown.js',
    result: 'experiments/countdown-result',
    picture: 'pictures/countdown',
  },
  classic: {
    client: 'clients/classic.js',
    result: 'experiments/classic-result',
    picture: 'pictures/classic',
  },
});

/** @param {string} experiment also one that this version does not know @returns {PageFiles} */
export const pageFilesOf = (experiment) => (Object.hasOwn(PAGE_FILES, experiment) ? PAGE_FILES[experiment] : {});

/** What the partials of only one experiment's pages show, by its name. @type {Readonly<Record<string, object>>} */
export const PAGE_DATA = Object.freeze({
  jobs: { capacity: CAPACITY_FIELDS },
  payload: {
    sizes: payload.OFFERED_SIZES.map((size) => ({
      size,
      label: size === 1 ? '1 B (1 character)' : payload.formatSize(size),
      isDefault: payload.DEFAULT_SIZES.includes(size),
      isPublished: payload.PUBLISHED_SIZES.includes(size),
    })),
    otherSizes: { ...payload.FIELDS.sizes, label: 'Other sizes' },
    published: payload.PUBLISHED,
    bestOfNote: BEST_OF_NOTE,
    timeBudget: TIME_BUDGET,
  },
});

/**
 * What stands above a list of one experiment's runs, by its name: shares of valid runs, by place.
 * @type {ReadonlyMap<string, (runs: readonly any[]) => readonly object[]>}
 */
export const SHARES = new Map([['reach', sharesOf]]);
