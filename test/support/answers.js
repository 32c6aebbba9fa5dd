/** Answers that were never measured, for what is decided from them. */

/**
 * @import { Interval } from '../../core/base/statistics.js'
 * @import { NewsMethod } from '../../core/experiment/answer/answer.js'
 * @import { News, Sending } from '../../core/full-test/decide.js'
 */

/** It is decided by figures, not by words. */
const ASKED = Object.freeze(
  /** @type {const} */ ({ experiment: '', question: '', subject: 'sockjs', baseline: 'ajax', mark: 'none', word: '' }),
);

/** @param {Partial<Sending>} [more] @returns {Sending} */
export const createSending = (more) => ({
  ...ASKED,
  ...{ topic: 'sending', verdict: 'same', estimate: 1.5, low: 1.4, high: 1.6 },
  savingMs: { estimate: 33, low: 28, high: 38 },
  ...more,
});

const SAVING = Object.freeze({ share: '97%', what: 'bytes' });

/**
 * What was found about EventSource, as soon as SockJS, which is considered.
 * @param {Interval} [gainMs] of both @param {Partial<NewsMethod>} [simplest] @param {Partial<News['news']>} [findings] @returns {News}
 */
export function createNews(gainMs = { estimate: 550, low: 530, high: 570 }, simplest = {}, findings = {}) {
  const [best, considered] = /** @type {const} */ ([
    ['sse', 'EventSource'],
    ['sockjs', 'SockJS'],
  ]).map(([delivery, name]) => ({
    ...{ ...gainMs, delivery, name, isPush: true, isSimplest: delivery === 'sse', saving: SAVING },
    ...(delivery === 'sse' && { laterMs: { estimate: 2, low: -5, high: 9 }, ...simplest }),
  }));
  return {
    ...ASKED,
    topic: 'news',
    ...gainMs,
    news: { best, considered, failed: [], choices: [], assumed: '', ...findings },
  };
}
