/**
 * Runs of studies that were never measured: what lists have of them.
 */
import { createId } from './saved-runs.js';

/**
 * @import { StoredAnswer } from '../../core/experiment/documents/stored-answers.js'
 * @import { SharedRun } from '../../core/matrix/places.js'
 */

const SUBJECT = 'SockJS compared with AJAX';

/**
 * @param {number} ratio @param {Partial<StoredAnswer>} [more]
 * @returns {StoredAnswer} how much faster a message is
 */
export const sending = (ratio, more) => ({
  experiment: 'shootout',
  subject: SUBJECT,
  topic: 'sending',
  ...(ratio > 1.1 ? { mark: 'better', word: 'Faster' } : { mark: 'same', word: 'Same within 10%' }),
  amount: { value: ratio, unit: 'times-as-fast' },
  overhead: { transport: 'sockjs', baselineMs: 6, messageMs: 1 },
  ...more,
});

/**
 * @param {number} ms @param {Partial<StoredAnswer>} [more]
 * @returns {StoredAnswer} how much sooner news arrives
 */
export const news = (ms, more) => ({
  experiment: 'jobs',
  subject: `${SUBJECT}, polling every 1 s`,
  topic: 'news',
  mark: 'better',
  word: 'Sooner',
  amount: { value: ms, unit: 'sooner-ms' },
  ...more,
});

/** @param {number} passed @returns {StoredAnswer} */
export const reach = (passed) => ({
  experiment: 'reach',
  subject: SUBJECT,
  ...(passed === 7 ? { mark: 'better', word: 'Works' } : { mark: 'worse', word: 'Does not work' }),
  amount: { value: passed, total: 7, unit: 'checks-passed' },
});

let count = 0;

/**
 * @param {{ place?: string, rttMs?: number, answers?: StoredAnswer[], day?: string, experiment?: string, isValid?: boolean, digest?:
 *   Partial<SharedRun['digest']> }} run @returns {SharedRun & { transports: string[], server: string, experiment: string, savedAt: string }} `rttMs` below 1: on one machine
 */
export function createStudyRun({ place, rttMs = 40, answers = [], day = '2026-11-20', isValid = true, ...more }) {
  const startedAt = `${day}T10:00:00.000Z`;
  return {
    id: createId(`study ${count++}`),
    savedAt: startedAt,
    experiment: more.experiment ?? 'full-test',
    isValid,
    server: 'fra-1',
    transports: ['ajax', 'sockjs'],
    ...(place !== undefined && { place: { name: place } }),
    digest: {
      startedAt,
      origin: rttMs < 1 ? 'http://localhost:8000' : 'https://echo.example.org',
      server: 'fra-1',
      transports: ['ajax', 'sockjs'],
      isValid,
      headline: 'Move for push.',
      detail: '',
      sampleCount: 100,
      failureCount: 0,
      scope: rttMs < 1 ? 'machine' : 'path',
      floorMs: rttMs,
      ...(answers.length > 0 && { answers }),
      ...more.digest,
    },
  };
}

/** Runs of one's own machine and four places, on several days. @returns {ReturnType<typeof createStudyRun>[]} */
export const createStudyRuns = () => [
  createStudyRun({ rttMs: 0.4, answers: [sending(6.5), news(500), reach(7)] }),
  createStudyRun({ rttMs: 0.5, answers: [sending(6.7), news(501), reach(7)] }),
  ...[1.38, 1.44, 1.5].map((ratio, i) =>
    createStudyRun({
      place: i === 0 ? ' frankfurt ' : 'Frankfurt',
      rttMs: 12,
      day: `2026-11-1${8 + (i % 2)}`,
      answers: [sending(ratio), news(506 + i), reach(7)],
    }),
  ),
  createStudyRun({ place: 'London', rttMs: 38, answers: [sending(1.15), news(520)] }),
  ...[1.01, 1.02, 1.03, 1.05, 1.06, 1.08].map((ratio) =>
    createStudyRun({ place: 'New York', rttMs: 92, answers: [sending(ratio), news(550), reach(7)] }),
  ),
  createStudyRun({ place: 'Sydney', rttMs: 285, day: '2026-11-23', answers: [sending(1.02), news(640), reach(6)] }),
  createStudyRun({ place: 'Sydney', rttMs: 290, answers: [sending(9, { isDoubtful: true }), reach(7)] }),
  createStudyRun({ rttMs: 50, answers: [sending(2)] }),
  createStudyRun({ place: 'Sydney', rttMs: 280, isValid: false }),
];
