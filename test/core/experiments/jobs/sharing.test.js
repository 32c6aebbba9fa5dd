import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeSharing } from '../../../../core/experiments/jobs/notes.js';
import { labelOfDelivery } from '../../../../core/experiment/answer/labels.js';
import { useGolden } from '../../../support/golden.js';

const matchGolden = useGolden(import.meta.url);

const BROWSER = 'Mozilla/5.0';
const NODE = 'Node.js v20.20.2';

/**
 * @param {string} userAgent
 * @param {object} changes
 * @param {number} [changes.users]
 * @param {number} [changes.jobs]
 * @param {string} [changes.arrangement]
 * @param {string} [changes.protocol]
 */
function describeRun(userAgent, { users = 20, jobs = 10, arrangement = 'all', protocol = 'http/1.1' }) {
  const trials = ['long-poll', 'sse', 'poll', 'push'].map((delivery) => ({ delivery, protocol }));
  return describeSharing(
    /** @type {any} */ ({ plan: { users, jobs, arrangement }, trials, environment: { userAgent } }),
  ).join(' ');
}

describe('six connections of a browser', () => {
  it('says that all users of a page share them, for methods that hold a connection while a job runs', (t) => {
    const [longPoll, sse] = ['long-poll', 'sse'].map((delivery) => labelOfDelivery(delivery));
    const words = describeRun(BROWSER, {});
    assert.ok(words.startsWith(`${longPoll} and ${sse}: all users `), words);
    assert.ok(describeRun(BROWSER, { users: 6, jobs: 2 }).startsWith(`${longPoll}: all users `));
    assert.equal(describeRun(BROWSER, { users: 3, jobs: 2 }), '');
    matchGolden(t, 'jobs', words);
  });

  it('says that each user of the command line has six, for that user’s own jobs', (t) => {
    const words = describeRun(NODE, {});
    assert.equal(describeRun(NODE, { jobs: 6 }), '');
    assert.equal(describeRun(NODE, { arrangement: 'sequential' }), '');
    assert.equal(describeRun(BROWSER, { users: 6, arrangement: 'sequential' }), '');
    matchGolden(t, 'jobs', words);
  });

  it('says nothing of them over HTTP/2', () => {
    assert.equal(describeRun(BROWSER, { protocol: 'h2' }), '');
  });
});
