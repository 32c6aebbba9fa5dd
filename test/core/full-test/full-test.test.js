import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import { createDocumentCheck } from '../../../core/experiment/documents/check.js';
import { boundDigest } from '../../../core/experiment/documents/digest.js';
import { digestOf } from '../../../core/experiment/documents/document-digest.js';
import { exportOf } from '../../../core/experiment/documents/export.js';
import { findingsOf } from '../../../core/experiment/report/findings.js';
import { formatText, formatMarkdown } from '../../../core/experiment/report/report.js';
import { EXPERIMENTS } from '../../../core/experiments/all.js';
import { runFullTest } from '../../../core/full-test/run.js';
import { parseFullTest, membersOf } from '../../../core/full-test/plan.js';
import { newsIn } from '../../../core/full-test/decide.js';
import { scoreOf } from '../../../core/full-test/score.js';
import { compareRuns } from '../../../core/matrix/comparison.js';
import { createFullTest } from '../../../core/full-test/index.js';
import * as tests from '../../support/full-tests.js';
import { useGolden } from '../../support/golden.js';

/** @import { Part } from '../../../core/full-test/schema.js' */

const { fullTest, WHOLE } = tests;
const matchGolden = useGolden(import.meta.url);
const check = createDocumentCheck(v, [fullTest]);
const STOPPED = /** @type {const} */ ({ kind: 'cancelled', reason: 'Stopped by the visitor.' });

/** @param {any} document */
const scored = (document) => findingsOf(fullTest, document).summary.score;

/** @param {any} document @param {string} experiment */
const answerIn = (document, experiment) =>
  scored(document).answers.find((/** @type {any} */ one) => one.experiment === experiment);

describe('a full test', () => {
  it('decides by the lines of its parts, at the round-trip time that it measured', (t) => {
    const { summary } = findingsOf(fullTest, WHOLE);
    assert.equal(summary.score.situation.rttMs, 90);
    assert.equal(summary.score.isPredicted, false);
    assert.equal(answerIn(WHOLE, 'shootout').mark, 'same');
    const { low, high, news } = answerIn(WHOLE, 'jobs');
    // Half of 1000 + 90 ms: nothing else takes any time here, and no news is sooner.
    assert.ok(low < 545 && Math.abs(high - 545) < 1e-6, `${low} to ${high}`);
    assert.ok(high - low < 150);
    assert.deepEqual(news.best.saving, { share: '98%', what: 'bytes' });
    matchGolden(t, 'full-test', formatText(fullTest, WHOLE));
  });

  it('calls faster what is, although its decision says that nobody notices', () => {
    const document = tests.createEcho({ ajaxMs: 6, sockjsMs: 3 });
    const little = tests.createDocument([{ experiment: 'shootout', document }], { query: 'page=sends' });
    const { mark, word } = answerIn(little, 'shootout');
    assert.deepEqual([mark, word], ['better', 'Faster']);
    assert.match(scored(little).decision, /which nobody notices/);
  });

  it('decides for users elsewhere where it measured one machine, and says so', (t) => {
    const { HERE: environment } = tests;
    const document = tests.createDocument(
      [{ experiment: 'shootout', document: tests.createEcho({ ajaxMs: 3, sockjsMs: 0.5, environment }) }],
      { environment },
    );
    const { summary } = findingsOf(fullTest, document);
    assert.equal(summary.score.situation.rttMs, 100);
    assert.equal(summary.score.isPredicted, true);
    assert.equal(answerIn(document, 'shootout').mark, 'same');
    matchGolden(t, 'full-test', formatMarkdown(fullTest, document));
  });

  it('predicts sending for slower devices everywhere, and stores for comparisons what was measured', () => {
    const [own, slower] = ['like-this', '6x-slower'].map((device) => ({
      ...WHOLE,
      situation: { ...WHOLE.situation, device },
    }));
    const { isPredicted, medianMs, answers } = scored(slower);
    assert.deepEqual([isPredicted, medianMs], [true, undefined]);
    const [sending, news] = answers;
    assert.ok(sending.isPredicted && sending.savingMs.estimate > 2 * answerIn(own, 'shootout').savingMs.estimate);
    assert.equal(news.estimate, answerIn(own, 'jobs').estimate);
    assert.match(news.reason, /for devices like the measuring one/);
    const { report: shown } = findingsOf(fullTest, slower);
    assert.match(shown.sentences[0], /^Predicted for users .* on devices six times slower than the measuring one:/);
    const far = shown.tables.find(({ heading }) => heading === 'At other distances');
    assert.ok(far?.rows.every(({ isMeasured }) => !isMeasured));
    const [compared] = exportOf(fullTest, slower).summary.comparisons;
    assert.deepEqual([compared.isPredicted, compared.estimate], [true, sending.estimate]);
    assert.deepEqual(digestOf(fullTest, slower).answers, digestOf(fullTest, own).answers);
  });

  it('predicts nothing where nothing was measured to its end', () => {
    const missing = { kind: 'stopped', reason: 'The run was stopped.' };
    const stopped = ['shootout', 'jobs'].map((experiment, i) =>
      i === 0 ? { experiment, document: { ...WHOLE.parts[0].document, ending: STOPPED } } : { experiment, missing },
    );
    assert.match(
      findingsOf(fullTest, tests.createDocument(/** @type {any} */ (stopped))).report.sentences[0],
      /^For users /,
    );
  });

  it('answers for users at the distances that are asked for, and at its own', () => {
    const { report: shown } = findingsOf(createFullTest(EXPERIMENTS, { distancesMs: [5, 300] }), WHOLE);
    const rows = shown.tables.find(({ heading }) => heading === 'At other distances')?.rows ?? [];
    assert.deepEqual(
      rows.map(({ rttMs, isOwn }) => [rttMs, isOwn]),
      [
        [5, false],
        [90, true],
        [300, false],
      ],
    );
    const [near, , far] = rows;
    assert.ok(far.sending.estimate < near.sending.estimate && far.news.estimate > near.news.estimate);
  });

  it('has one round trip, the fastest of all parts, whichever of them comes first', () => {
    const environment = { ...tests.FAR, url: 'http://10.0.0.1:8000/' };
    // Jobs are slower to answer than echoes: alone, they would be those of another place.
    const parts = [
      { experiment: 'shootout', document: tests.createEcho({ ajaxMs: 0.6, sockjsMs: 0.4, environment }) },
      { experiment: 'jobs', document: { ...WHOLE.parts[1].document, roundTripMs: [5.2, 5.4], environment } },
    ];
    for (const ordered of [parts, parts.toReversed()]) {
      const { situation, isPredicted, medianMs } = scored(tests.createDocument(ordered, { environment }));
      assert.deepEqual([situation.rttMs, isPredicted, medianMs], [100, true, undefined]);
    }
    const far = parts.map((part) => ({ ...part, document: { ...part.document, environment: tests.FAR } }));
    for (const ordered of [far, far.toReversed()])
      assert.equal(Number(scored(tests.createDocument(ordered)).situation.rttMs.toFixed(3)), 0.4);
  });

  it('says what a request typically takes beside the fastest round trip: the same request, whatever else was measured', () => {
    // 100 ± 60 ms, evenly.
    const roundTripMs = Array.from({ length: 121 }, (_, i) => 40 + i);
    const [echo, jobs] = [
      WHOLE.parts[0],
      { experiment: 'jobs', document: { ...WHOLE.parts[1].document, roundTripMs } },
    ];
    const says = (/** @type {Part[]} */ parts, /** @type {string} */ query) =>
      formatMarkdown(fullTest, tests.createDocument(parts, { query }));
    assert.match(
      says([jobs], 'page=asks'),
      /users 40 ms away \(fastest round trip; a request typically takes 100 ms\)/,
    );
    assert.match(says([echo, jobs], 'page=asks'), /a request typically takes 100 ms/);
    // AJAX takes 92 ms, SockJS 90.
    assert.match(
      says([echo], 'page=sends'),
      /users 90 ms away \(fastest round trip; a request typically takes 92 ms\)/,
    );
  });

  it('keeps parts that failed, were skipped or stopped as lines, and decides nothing without one that it needs', (t) => {
    for (const kind of /** @type {const} */ (['failed', 'skipped', 'stopped'])) {
      const missing = { kind, reason: 'The server did not answer.' };
      const document = tests.createDocument([WHOLE.parts[0], { experiment: 'jobs', missing }]);
      assert.deepEqual(check(document).document, document);
      assert.match(scored(document).decision, /^No decision: /);
      assert.equal(answerIn(document, 'jobs').word.toLowerCase(), kind);
    }
    const cut = { ...WHOLE.parts[1].document, ending: STOPPED };
    const document = tests.createDocument([WHOLE.parts[0], { experiment: 'jobs', document: cut }]);
    assert.equal(digestOf(fullTest, document).isValid, false);
    matchGolden(t, 'full-test', scored(document).decision);
  });

  it('failed if a part has no whole run, or its own experiment says so', () => {
    /** @param {any} document */
    const reasonOf = (document) => findingsOf(fullTest, document).failure;
    const [echo, jobs] = WHOLE.parts;
    assert.equal(reasonOf(WHOLE), undefined);
    const missing = /** @type {const} */ ({ kind: 'failed', reason: 'The server did not answer.' });
    const partly = tests.createDocument([echo, { experiment: 'jobs', missing }]);
    assert.equal(reasonOf(partly), 'Being notified failed. The server did not answer.');
    const cut = { ...jobs.document, ending: STOPPED };
    assert.equal(
      reasonOf(tests.createDocument([echo, { ...jobs, document: cut }])),
      'The run was stopped before being notified was measured.',
    );
    const silent = jobs.document.trials.map((/** @type {any} */ trial) =>
      trial.delivery === 'poll' ? trial : { ...trial, notified: { ...trial.notified, job: [] } },
    );
    const unheard = { ...jobs, document: { ...jobs.document, trials: silent } };
    assert.match(String(reasonOf(tests.createDocument([echo, unheard]))), /^Being notified: .*no client was notified/);
  });

  it('shows what else the situation asks and was not measured, and decides without it', () => {
    const linesOf = (/** @type {any} */ document) =>
      scored(document).answers.map((/** @type {any} */ { experiment, mark }) => [experiment, mark]);
    const document = tests.createDocument([WHOLE.parts[1]], { query: 'page=asks' });
    assert.match(scored(document).decision, /^Use push for news \(SockJS\): /);
    // The page sends nothing.
    assert.deepEqual(linesOf(document), [['jobs', 'better']]);
    const missing = /** @type {const} */ ({ kind: 'skipped', reason: 'Skipped.' });
    const full = tests.createDocument([WHOLE.parts[1], { experiment: 'reach', missing }], { query: 'page=asks' });
    assert.deepEqual(linesOf(full), [
      ['jobs', 'better'],
      ['reach', 'unclear'],
      ['payload', 'none'],
      ['in-flight', 'none'],
    ]);
  });

  it('answers at another round-trip time and interval without a new run', () => {
    const { measured } = findingsOf(fullTest, WHOLE).summary;
    const situation = { ...WHOLE.situation, intervalMs: 10_000 };
    const score = scoreOf(measured, situation, { rttMs: 20 });
    const { estimate } = newsIn(score.answers) ?? assert.fail('no news');
    assert.ok(Math.abs(estimate - 5010) < 80, String(estimate));
  });

  it('marks no method as better than the polling that it says to keep', () => {
    const { measured } = findingsOf(fullTest, WHOLE).summary;
    const markAt = (/** @type {number} */ lateMs) => {
      const { answers, newsBy } = scoreOf(measured, { ...WHOLE.situation, lateMs });
      return [newsIn(answers)?.mark, newsBy];
    };
    assert.deepEqual([0, 1000, 5000].map(markAt), [
      ['better', 'sockjs'],
      ['same', 1000],
      ['same', 1000],
    ]);
  });

  it('names EventSource, the simplest, where it is as soon, whatever else the page does', async () => {
    const jobs = await tests.createJobs({ deliveries: ['poll', 'long-poll', 'sse', 'sockjs'] });
    for (const query of ['page=asks', 'page=asks-and-sends']) {
      const document = tests.createDocument([WHOLE.parts[0], { experiment: 'jobs', document: jobs }], { query });
      assert.match(scored(document).decision, /^Use push for news \(EventSource, the simplest\)/);
    }
  });
});

describe('the document of a full test', () => {
  it('has in its export what its table has: the same answers at other distances, with their intervals', () => {
    const { summary } = JSON.parse(JSON.stringify(exportOf(fullTest, WHOLE)));
    const { tables } = findingsOf(fullTest, WHOLE).report;
    const rows = tables.find(({ heading }) => heading === 'At other distances')?.rows ?? [];
    assert.deepEqual(
      summary.distances.map((/** @type {any} */ { rttMs }) => rttMs),
      rows.map(({ rttMs }) => rttMs),
    );
    for (const [i, { comparisons }] of summary.distances.entries()) {
      const [news, sending] = comparisons;
      assert.deepEqual([news.low, news.high, news.isPredicted], [rows[i].news.low, rows[i].news.high, true]);
      assert.deepEqual(sending.savingMs, rows[i].sending.savingMs);
      assert.equal(sending.isPredicted ?? false, !rows[i].isMeasured);
    }
  });

  it('is read as it was written, and has a digest within the limits', () => {
    assert.deepEqual(
      check(JSON.parse(JSON.stringify(exportOf(fullTest, WHOLE)))).document,
      JSON.parse(JSON.stringify(WHOLE)),
    );
    const digest = digestOf(fullTest, WHOLE);
    assert.deepEqual(boundDigest(digest), digest);
    assert.deepEqual(/** @type {any} */ (digest)['full-test'].parts, ['shootout', 'jobs']);
    const counts = WHOLE.parts.map(({ experiment, document }) =>
      digestOf(EXPERIMENTS.find(({ name }) => name === experiment) ?? assert.fail(), document),
    );
    assert.equal(
      digest.sampleCount,
      counts.reduce((sum, one) => sum + one.sampleCount, 0),
    );
    assert.equal(digest.headline, findingsOf(fullTest, WHOLE).report.headline);
  });

  const [echo, jobs] = WHOLE.parts;
  for (const [what, document, message] of /** @type {const} */ ([
    [
      'no run',
      tests.createDocument([{ experiment: 'jobs', missing: { kind: 'failed', reason: 'x' } }]),
      /^parts: expected a run/,
    ],
    ['two runs of one experiment', tests.createDocument([echo, echo]), /^parts: expected each experiment once/],
    [
      'a run and a reason',
      tests.createDocument([{ ...echo, missing: { kind: 'failed', reason: 'x' } }]),
      /^parts\.0: expected a run, or why/,
    ],
    [
      'an experiment that has no part',
      tests.createDocument([/** @type {any} */ ({ experiment: 'countdown' })]),
      /^parts\.0\.experiment: expected "?shootout/,
    ],
    [
      'a part that its experiment refuses',
      tests.createDocument([{ ...echo, document: { ...echo.document, trials: echo.document.trials.slice(1) } }]),
      /^parts\.0\.document\.trials: expected the trials of the plan/,
    ],
    [
      'a part that another browser measured',
      tests.createDocument([
        echo,
        { ...jobs, document: { ...jobs.document, environment: { ...tests.FAR, userAgent: 'b' } } },
      ]),
      /^parts\.1\.document\.environment\.userAgent: expected that of the whole/,
    ],
    [
      'a situation that is none',
      { ...WHOLE, situation: { ...WHOLE.situation, does: 'all' } },
      /^situation\.does: expected/,
    ],
  ])) {
    it(`is refused with ${what}`, () => {
      assert.throws(() => check(document), { name: 'InvalidInputError', message });
    });
  }
});

describe('running a full test', () => {
  const plan = parseFullTest(new URLSearchParams('tests=shootout,jobs'), membersOf(EXPERIMENTS), {
    roundTripMs: 1,
    seed: 1,
  });
  const documents = new Map(WHOLE.parts.map(({ experiment, document }) => [experiment, document]));

  it('goes on after a part that fails, and keeps the reason', async () => {
    const document = await runFullTest(plan, {
      signal: new AbortController().signal,
      async measure({ experiment: { name } }) {
        if (name === 'shootout') throw new Error('gone');
        return documents.get(name);
      },
    });
    assert.equal(document?.parts[0].missing?.kind, 'failed');
    assert.ok(document?.parts[1].document);
    assert.deepEqual(check(JSON.parse(JSON.stringify(document))).document.parts[1].experiment, 'jobs');
  });

  it('skips a part, and measures the next', async () => {
    /** @type {Part[]} */
    const ended = [];
    const document = await runFullTest(plan, {
      signal: new AbortController().signal,
      onStart: (index, skip) => index === 0 && skip(),
      onEnd: (_, part) => ended.push(part),
      measure: async ({ experiment: { name } }) => documents.get(name),
    });
    assert.deepEqual(
      ended.map(({ missing }) => missing?.kind),
      ['skipped', undefined],
    );
    assert.deepEqual(document?.parts, ended);
  });

  it('measures nothing after Stop, and is no document without a run', async () => {
    const stopping = new AbortController();
    const measured = await runFullTest(plan, {
      signal: stopping.signal,
      async measure() {
        stopping.abort(STOPPED);
        throw new Error('stopped');
      },
    });
    assert.equal(measured, undefined);
  });
});

describe('a comparison of full tests', () => {
  it('has the questions of their parts, as their page has', () => {
    const runs = ['a', 'b'].map((id, i) => ({
      id,
      number: i + 1,
      isValid: true,
      savedAt: '2026-11-21T08:00:00.000Z',
      document: WHOLE,
      digest: digestOf(fullTest, WHOLE),
    }));
    const { matrix } = compareRuns(fullTest, /** @type {any} */ (runs));
    assert.deepEqual(
      matrix.columns.map(({ experiment }) => experiment),
      ['jobs', 'shootout'],
    );
    assert.match(matrix.sentence, /^Both agree: news arrives /);
  });
});
