import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findSaving } from '../../../../core/experiments/jobs/full-test.js';
import { requestBytesOf } from '../../../../core/experiments/jobs/summary.js';
import { pollCosts, pushCosts } from '../../../../core/net/delivery/model.js';
import { SMALLEST_NEWS_BYTES } from '../../../../core/net/delivery/news.js';

/** @import { JobsRow } from '../../../../core/experiments/jobs/summary.js' */

const page = { intervalMs: 1000, rttMs: 90, newsMs: 30_000 };

/** @param {Pick<JobsRow, 'bytesPerJob' | 'requestsPerJob'> & { newsBytes?: number }} figures */
const rowOf = (figures) => /** @type {JobsRow} */ (figures);

describe('what push saves', () => {
  it('is by a request without what only news has, where news was large', () => {
    const polled = { bytesPerJob: { up: 500, down: 20_500, both: 21_000 }, requestsPerJob: 5 };
    // The four polls and the creation are as large as with news as small as can be.
    assert.equal(requestBytesOf(rowOf({ ...polled, newsBytes: 20_000 + SMALLEST_NEWS_BYTES })), 200);
    assert.equal(requestBytesOf(rowOf(polled)), 4200);
  });

  it('is compared by bytes, as a message is less than a request, and by counts where bytes are not known', () => {
    const rare = { ...page, intervalMs: 60_000 };
    /** @param {number} [bytes] */
    const savingOf = (bytes) => findSaving(pushCosts('sockjs', rare, bytes), pollCosts(rare, bytes));
    // 7 times as many, most of them frames of a few bytes.
    assert.equal(savingOf(), undefined);
    assert.equal(savingOf(2000)?.what, 'bytes');
    assert.deepEqual(findSaving(pushCosts('sockjs', page), pollCosts(page)), {
      share: '87%',
      what: 'requests and messages',
    });
  });
});
