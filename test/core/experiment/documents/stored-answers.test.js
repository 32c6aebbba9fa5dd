import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { digestOf } from '../../../../core/experiment/documents/document-digest.js';
import { findDescribed } from '../../../../core/full-test/all.js';
import { createDocument, createEcho, createJobs, fullTest, HERE, WHOLE } from '../../../support/full-tests.js';
import { readSavedDocument } from '../../../support/saved-documents.js';
import { createShootout } from '../../../support/submissions.js';

/** @import { StoredAnswer } from '../../../../core/experiment/documents/stored-answers.js' */

/** What the saved run of a test has: its unit, and the ends of its figure. @type {readonly [string, string, number, number][]} */
const SAVED_RUNS = [
  ['reach-whole', 'checks-passed', 1, 40],
  ['payload-whole', 'times-as-fast', 0.5, 5],
];

const shootout = /** @type {any} */ (findDescribed('shootout'));

describe('the answers in a digest', () => {
  it('are those of each part, measured at its own place', () => {
    const { answers = [], fallback } = digestOf(fullTest, WHOLE);
    assert.deepEqual(
      answers.map(({ experiment, subject, topic, mark }) => [experiment, subject, topic, mark]),
      [
        ['shootout', 'SockJS compared with AJAX', 'sending', 'same'],
        ['jobs', 'SockJS compared with AJAX, polling every 1 s', 'news', 'better'],
      ],
    );
    assert.equal(fallback, undefined);
    const [sending, news] = answers;
    assert.equal(news.amount?.unit, 'sooner-ms');
    assert.ok(Number(sending.amount?.value) > 0.9 && Number(sending.amount?.value) < 1.1, JSON.stringify(sending));
  });

  it('have what a run on one machine predicts for users elsewhere, beside what it measured', async () => {
    const parts = [createEcho({ ajaxMs: 3, sockjsMs: 1, environment: HERE }), await createJobs({ roundTripMs: 2 })];
    const near = createDocument(
      parts.map((document, i) => ({
        experiment: ['shootout', 'jobs'][i],
        document: { ...document, environment: HERE },
      })),
      { environment: HERE },
    );
    const [sending, news] = digestOf(fullTest, near).answers ?? assert.fail();
    assert.deepEqual([sending.word, sending.elsewhere?.word], ['Faster', 'Same within 10%']);
    const [here = 0, there = 0] = [news.amount?.value, news.elsewhere?.amount?.value];
    // Half of a round trip more.
    assert.ok(Math.abs(there - here - 49) < 1, JSON.stringify(news));
    const far = digestOf(fullTest, WHOLE).answers ?? assert.fail();
    assert.ok(far.every(({ elsewhere }) => elsewhere === undefined));
  });

  it('compare what the plan of a single test compares', () => {
    const [answer] = /** @type {StoredAnswer[]} */ (digestOf(shootout, createShootout()).answers);
    assert.deepEqual([answer.subject, answer.mark, answer.word], ['SockJS compared with AJAX', 'better', 'Faster']);
    // SockJS takes half of AJAX's time here.
    assert.ok(Math.abs(Number(answer.amount?.value) - 2) < 0.2, JSON.stringify(answer.amount));
    const { transport, baselineMs = NaN, messageMs = NaN } = answer.overhead ?? {};
    assert.ok(transport === 'sockjs' && baselineMs > messageMs, JSON.stringify(answer.overhead));
  });

  it('have a figure of each kind, which studies sum up', () => {
    for (const [name, unit, low, high] of SAVED_RUNS) {
      const { experiment, document } = readSavedDocument(name);
      const amount = digestOf(experiment, document).answers?.[0].amount;
      assert.ok(Number(amount?.value) >= low && Number(amount?.value) <= high, `${name}: ${JSON.stringify(amount)}`);
      assert.equal(amount?.unit, unit);
    }
  });

  it('are none of a run that ended early', () => {
    const ending = /** @type {const} */ ({ kind: 'cancelled', reason: 'Stopped.' });
    assert.equal(digestOf(shootout, createShootout({ ending })).answers, undefined);
  });

  it('have the protocol of what was considered, where a WebSocket did not work', () => {
    const document = createShootout();
    const trials = document.trials.map((trial) =>
      trial.transport === 'sockjs' ? { ...trial, protocol: 'xhr-streaming' } : trial,
    );
    assert.equal(digestOf(shootout, { ...document, trials }).fallback, 'xhr-streaming');
  });

  it('are doubtful where the device was busy, and not because others used the server', () => {
    const document = createShootout();
    const doubtsOf = (/** @type {object} */ environment) => {
      const { answers } = digestOf(shootout, { ...document, environment: { ...document.environment, ...environment } });
      return answers?.[0].isDoubtful ?? false;
    };
    assert.equal(doubtsOf({ stepMs: 0.005 }), false);
    assert.equal(doubtsOf({ stepMs: 0.005, hasOtherTab: true }), true);
    assert.equal(doubtsOf({ stepMs: 0.005, lag: { count: 100, meanMs: 20, p90Ms: 60 } }), true);
    // Whether others used the server is not known here, of which the run warns.
    assert.ok(Number(digestOf(shootout, document).warningCount) > 0);
  });
});
