import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as costs from '../../../../core/net/delivery/model.js';
import { SMALLEST_NEWS_BYTES } from '../../../../core/net/delivery/news.js';
import { formatJob } from '../../../../server/endpoints/jobs.js';

const page = { intervalMs: 1000, rttMs: 90, newsMs: 30_000 };
const REQUEST_BYTES = 800;

describe('what a page needs per hour', () => {
  it('is by push its opening, messages and heartbeats', () => {
    // Six visits an hour of two requests and a frame each, 120 pieces of news, 144 pings and as many pongs.
    assert.equal(costs.pushCosts('sockjs', page).count, 6 * 3 + 120 + 2 * 144);
    assert.equal(costs.pollCosts(page).count, 3_600_000 / 1090);
  });

  it('is by long polling what a simulation has', () => {
    let [atMs, count] = [0, 0];
    // By quantiles of the exponential distribution in a mixed order, not by chance.
    for (let i = 0; atMs < 360_000_000; i++, count++) {
      const newsMs = -page.newsMs * Math.log(1 - (((i * 0.618034) % 1) + 1e-9) * 0.999999);
      atMs += Math.min(newsMs, 25_000) + page.rttMs;
    }
    assert.ok(Math.abs(count / 100 / costs.longPollCosts(page).count - 1) < 0.01, String(count));
  });

  it('is less by 304 only by the bodies of answers without news', () => {
    const job = { id: 'a'.repeat(48), createMs: 1_795_900_645_488, durationMs: 1, dueMs: 0 };
    assert.equal(formatJob(job, false).length, costs.EMPTY_BYTES);
    const [all, conditional] = [costs.pollCosts, costs.conditionalCosts].map((of) => of(page, REQUEST_BYTES));
    assert.equal(conditional.count, all.count);
    assert.equal(Math.round(Number(all.bytes) - Number(conditional.bytes)), Math.round(all.count * costs.EMPTY_BYTES));
  });

  it('has the bytes of large news once for each piece, by whatever brings it', () => {
    const newsBytes = 20_000;
    const job = { id: 'a'.repeat(48), createMs: 1_795_900_645_488, durationMs: 100, dueMs: 0 };
    assert.equal(formatJob(job, true).length, SMALLEST_NEWS_BYTES);
    const moreBytes = 120 * (newsBytes - SMALLEST_NEWS_BYTES);
    for (const delivery of ['sse', 'push', 'long-poll']) {
      const [small, large] = [page, { ...page, newsBytes }].map((one) => costs.costsOf(delivery, one, REQUEST_BYTES));
      assert.equal(large.count, small.count, delivery);
      assert.ok(Math.abs(Number(large.bytes) - Number(small.bytes) - moreBytes) < 1, delivery);
    }
    assert.equal(costs.costsOf('push', { ...page, newsBytes }).bytes, undefined);
  });

  it('has by polling those of a period once, as a simulation has', () => {
    const sized = { intervalMs: 60_000, rttMs: 0, newsMs: 30_000, newsBytes: 10_000 };
    const found = new Set();
    for (let i = 0, atMs = 0; atMs < 3_600_000 * 1000; i++) {
      atMs -= sized.newsMs * Math.log(1 - (((i * 0.618034) % 1) + 1e-9) * 0.999999);
      found.add(Math.ceil(atMs / sized.intervalMs));
    }
    const bytes = Number(costs.pollCosts(sized, REQUEST_BYTES).bytes) - 60 * REQUEST_BYTES;
    assert.ok(Math.abs(bytes / ((found.size / 1000) * (10_000 - SMALLEST_NEWS_BYTES)) - 1) < 0.03, `${bytes}`);
  });

  it('has of an opening only requests and upgrades as large as a request: five by Socket.IO, and three frames', () => {
    const noNews = { count: 0, bytes: 0 };
    /** @param {string} delivery @param {number} requestBytes */
    const bytesOf = (delivery, requestBytes) => costs.connectionCosts(delivery, noNews, requestBytes).bytes;
    const heartbeatBytes = 144 * 8;
    for (const [delivery, requestCount] of /** @type {const} */ ([
      ['push', 1],
      ['sse', 1],
      ['sockjs', 2],
      ['socketio', 5],
    ]))
      assert.equal(bytesOf(delivery, REQUEST_BYTES), 6 * requestCount * REQUEST_BYTES + heartbeatBytes, delivery);
    assert.equal(bytesOf('socketio', 0), heartbeatBytes);
    assert.equal(costs.connectionCosts('socketio', noNews).count, 6 * 8 + 144 * 2);
  });
});
