/** Answers that were never measured, for what is decided from them. */

/**
 * @import { NewsCosts } from '../../core/experiment/answer.js'
 * @import { News, Sending } from '../../core/experiment/decide.js'
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

/** @param {Partial<NewsCosts>} [costs] @param {Partial<News>} [more] @returns {News} */
export const createNews = (costs, more) => ({
  ...ASKED,
  ...{ topic: 'news', estimate: 550, low: 530, high: 570 },
  news: {
    pollDelayMs: 600,
    maxPollDelayMs: 1150,
    pollCountPerHour: 3273,
    pushCountPerHour: 426,
    saving: '87% fewer requests',
    ...costs,
  },
  ...more,
});
