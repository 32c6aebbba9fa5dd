/** What is decided by messages with a payload: what was measured, where it was measured, and nothing for anyone else. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { digestOf } from '../../../core/experiment/documents/document-digest.js';
import { sayBriefly } from '../../../core/experiment/documents/stored-answers.js';
import { findingsOf } from '../../../core/experiment/report/findings.js';
import { shootout } from '../../../core/experiments/shootout/index.js';
import { scoreOf } from '../../../core/full-test/score.js';
import { createDocument, createEcho, fullTest, HERE, WHOLE } from '../../support/full-tests.js';
import { useGolden } from '../../support/golden.js';

const matchGolden = useGolden(import.meta.url);

/** @param {Parameters<typeof createEcho>[0]} [measured] */
function createEchoWithPayload(measured) {
  const echo = createEcho({ ajaxMs: 180, sockjsMs: 120, ...measured });
  return { ...echo, plan: { ...echo.plan, payloadBytes: 1000 } };
}

/** @param {string} [query] @param {{ environment?: any, isAlone?: boolean }} [options] */
function found(query, { environment, isAlone = false } = {}) {
  // A machine answers itself soon.
  const jobs = { ...WHOLE.parts[1].document, ...(environment && { environment, roundTripMs: [0.3, 0.4] }) };
  const parts = [
    { experiment: 'shootout', document: createEchoWithPayload({ environment }) },
    ...(isAlone ? [] : [{ experiment: 'jobs', document: jobs }]),
  ];
  return findingsOf(fullTest, createDocument(parts, { query, ...(environment && { environment }) }));
}

/** @param {{ answers: readonly any[] }} score */
const sendingOf = ({ answers }) => answers.find(({ experiment }) => experiment === 'shootout');

describe('a full test whose messages have a payload', () => {
  it('decides by what was measured, with its interval, where it was measured', (t) => {
    const { summary, report } = found();
    const { score } = summary;
    assert.equal(score.situation.rttMs, 90);
    const { mark, verdict, estimate, low, high, isPredicted, savingMs, overhead } = sendingOf(score);
    assert.deepEqual([mark, verdict, isPredicted ?? false, overhead], ['better', 'faster', false, undefined]);
    assert.ok(low < 1.5 && 1.5 < high && Math.abs(estimate - 1.5) < 0.01 && Math.abs(savingMs.estimate - 60) < 0.5);
    assert.deepEqual([score.isOpen, score.uses], [false, ['sockjs']]);
    const rows = report.tables.find(({ heading }) => heading === 'At other distances')?.rows ?? [];
    assert.deepEqual(
      rows.map(({ rttMs, sending, news }) => [rttMs, sending !== undefined, news !== undefined]),
      [
        [20, false, true],
        [90, true, true],
        [100, false, true],
        [230, false, true],
      ],
    );
    matchGolden(t, 'decision', [score.decision, report.sentences[0], sendingOf(score).reason].join('\n'));
  });

  it('decides so without news, too, although no distance is known', (t) => {
    const { summary, report } = found('page=sends', { isAlone: true });
    const { decision, isPredicted, medianMs } = summary.score;
    assert.equal(isPredicted, false);
    assert.ok(medianMs > 179);
    // Its distance is not known for slower devices, either.
    const slow = found('page=sends&device=4x-slower', { isAlone: true });
    assert.deepEqual([slow.summary.score.isBound, slow.summary.score.isPredicted], [true, true]);
    assert.doesNotMatch(String(slow.report.about), / ms away/);
    assert.ok(!report.tables.some(({ heading }) => heading === 'At other distances'));
    matchGolden(t, 'decision', [decision, report.sentences[0], report.about].join('\n'));
  });

  it('predicts no sending for users elsewhere, or with slower devices, and decides on news', (t) => {
    const { summary } = found();
    const { measured, score } = summary;
    const sentences = [
      scoreOf(measured, score.situation, { rttMs: 20 }),
      found('device=4x-slower').summary.score,
      found('', { environment: HERE }).summary.score,
      found('page=sends', { environment: HERE, isAlone: true }).summary.score,
    ].map((one) => {
      const { mark, word, topic, estimate, reason } = sendingOf(one);
      assert.deepEqual([mark, word, topic, estimate], ['none', 'No prediction', undefined, undefined]);
      assert.doesNotMatch(one.decision, /for (news and )?sending|messages are/i);
      return `${one.decision}\n  ${reason}`;
    });
    matchGolden(t, 'decision', sentences.join('\n'));
  });

  it('is of its own distance in a link, too, which has three decimals', () => {
    const { measured, score } = found('page=sends', { isAlone: true }).summary;
    const linked = scoreOf(measured, score.situation, { rttMs: score.situation.rttMs + 0.0004 });
    assert.deepEqual([linked.decision, linked.isPredicted], [score.decision, false]);
  });

  it('stores its answer apart from those without a payload, and nothing for users elsewhere', () => {
    for (const environment of [undefined, HERE]) {
      const [stored] = digestOf(shootout, createEchoWithPayload({ environment })).answers ?? [];
      assert.deepEqual([stored.verdict, stored.elsewhere, stored.overhead], ['faster', undefined, undefined]);
      assert.equal(stored.subject, 'SockJS compared with AJAX, messages of 1,000 bytes');
      // Of one machine nothing is said that users could take for theirs.
      assert.match(
        String(sayBriefly({ answers: [stored] }, environment !== undefined)),
        environment ? /^undefined$/ : /\b1\.50x as fast$/,
      );
    }
  });
});
