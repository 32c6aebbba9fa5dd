/** The plan of a count-down: from which number, by which transports, how often. */
import { choice, formatFields, integer, parseField } from '../../experiment/plan/fields.js';

/**
 * @import { PlanOf } from '../../experiment/plan/fields.js'
 * @typedef {keyof typeof ENDPOINTS} CountdownTransport
 * @typedef {PlanOf<typeof FIELDS>} Choice
 */

export const ENDPOINTS = Object.freeze({ xhr: '/xhr', ws: '/ws' });

/**
 * The tests of one press, by name in a link; XHR comes first, as in 2019.
 * @type {Readonly<Record<string, { label: string, transports: readonly CountdownTransport[], rounds: number }>>}
 */
export const KINDS = Object.freeze({
  xhr: { label: 'XHR', transports: ['xhr'], rounds: 1 },
  websocket: { label: 'WebSocket', transports: ['ws'], rounds: 1 },
  both: { label: 'One of each', transports: ['xhr', 'ws'], rounds: 1 },
  both3: { label: 'One of each, 3 times', transports: ['xhr', 'ws'], rounds: 3 },
});

export const ITERATIONS = integer({ parameter: 'Iterations', label: 'Iterations', min: 1, max: 1000 });

export const FIELDS = Object.freeze({
  iterations: integer({ ...ITERATIONS, parameter: 'iterations', help: 'the number to count down from', default: 100 }),
  kind: choice({
    parameter: 'kind',
    label: 'Tests',
    help: 'both: one of each; both3: one of each, three times',
    choices: Object.fromEntries(Object.entries(KINDS).map(([name, { label }]) => [name, label])),
    default: 'both',
  }),
});

/**
 * Parses the number of iterations, typed or from a link.
 * @param {string} text @returns {number} @throws {InvalidInputError} what, expected, got
 */
export const parseIterations = (text) => parseField(text, ITERATIONS);

/**
 * Parses the name of one of {@link KINDS}.
 * @param {string} text @returns {string} @throws {InvalidInputError} what, expected, got
 */
export const parseKind = (text) => parseField(text, { ...FIELDS.kind, parameter: 'Kind' });

/** Formats a link's query, which makes the same tests as soon as it is opened. @param {Choice} chosen */
export const formatLink = (chosen) => `${formatFields(chosen, FIELDS)}&autostart=1`;
