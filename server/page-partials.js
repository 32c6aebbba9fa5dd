/**
 * Names what the pages of one experiment have that does not follow from its description: a question, a legend, partials of
 * views/partials, and their data.
 */
import { CAPACITY_FIELDS } from '../core/experiments/jobs/capacity.js';
import { maxSecondsOf, TIME_BUDGET } from '../core/experiments/payload/budget.js';
import * as payload from '../core/experiments/payload/plan.js';
import { BEST_OF_NOTE } from '../core/experiments/payload/report.js';
import { readCode, readMeasuredCodes } from './measured-code.js';

/**
 * @typedef {object} PagePartials
 * @property {string} [picture] in the list of tests
 * @property {keyof typeof TEST_GROUPS} [group] in that list
 * @property {string} [asked] what a visitor asks whose run left it out
 * @property {string} [legend] of the fields of its plan, if it is not 'Plan'
 * @property {number} [maxSeconds] of a run, where its page limits its time
 * @property {string} [form] in place of the fields of its plan
 * @property {string} [cost] beneath the plan in words
 * @property {string} [live] shown during a run
 * @property {string} [advice] beneath what was found
 * @property {string} [details] beneath the report
 * @property {string} [result] of a saved run, in place of the report
 */

/** The groups of the list of tests, in its order, by name: their headings. */
export const TEST_GROUPS = Object.freeze({
  all: 'Everything at once',
  speed: 'News and messages',
  network: 'Networks',
  historic: 'Historic',
});

/** @type {Readonly<Record<string, PagePartials>>} */
export const PAGE_PARTIALS = Object.freeze({
  shootout: { result: 'experiments/shootout-result' },
  'in-flight': {
    group: 'speed',
    asked: 'Several at once?',
    legend: 'Transports and concurrency',
    picture: 'pictures/in-flight',
  },
  'fixed-rate': { group: 'speed', legend: 'Transports and rate', picture: 'pictures/fixed-rate' },
  jobs: {
    group: 'speed',
    legend: 'Delivery methods and jobs',
    form: 'experiments/jobs-form',
    live: 'experiments/jobs-live',
    details: 'experiments/jobs-details',
    picture: 'pictures/jobs',
  },
  payload: {
    group: 'speed',
    asked: 'Are large messages faster?',
    maxSeconds: maxSecondsOf(Number(TIME_BUDGET.default)),
    form: 'experiments/payload-form',
    cost: 'experiments/payload-cost',
    picture: 'pictures/payload',
  },
  cuts: {
    group: 'network',
    legend: 'Delivery methods and cuts',
    details: 'experiments/cuts-details',
    picture: 'pictures/cuts',
  },
  stream: {
    group: 'speed',
    legend: 'Methods and pieces',
    advice: 'experiments/stream-advice',
    details: 'experiments/stream-details',
    picture: 'pictures/stream',
  },
  'under-load': {
    group: 'network',
    legend: 'Loads and probes',
    details: 'experiments/under-load-details',
    picture: 'pictures/under-load',
  },
  reach: {
    group: 'network',
    asked: 'Do WebSockets get through your users’ firewalls?',
    legend: 'Checks',
    picture: 'pictures/reach',
  },
  countdown: { group: 'historic', result: 'experiments/countdown-result', picture: 'pictures/countdown' },
  classic: { group: 'historic', result: 'experiments/classic-result', picture: 'pictures/classic' },
});

/** @param {string} experiment also one that this version does not know @returns {PagePartials} */
export const pagePartialsOf = (experiment) =>
  Object.hasOwn(PAGE_PARTIALS, experiment) ? PAGE_PARTIALS[experiment] : {};

/** What the partials of only one experiment's pages show, by its name. @type {Readonly<Record<string, object>>} */
export const PAGE_DATA = Object.freeze({
  jobs: { capacity: CAPACITY_FIELDS },
  stream: { codes: readMeasuredCodes() },
  cuts: {
    codes: [
      { title: 'Connect again after a close', text: readCode('net/feed/keep-open') },
      { title: 'Find out by pings that a connection is dead', text: readCode('net/feed/ping') },
      { title: 'Both, and replay from the first missing message', text: readCode('net/feed/follow-socket') },
    ],
  },
  'under-load': { code: readCode('net/load/chunk-window') },
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
