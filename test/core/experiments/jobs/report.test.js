import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reportOf } from '../../../../core/experiment/report/findings.js';
import { formatText, formatMarkdown } from '../../../../core/experiment/report/report.js';
import { cellsOf } from '../../../../core/experiment/report/table.js';
import { jobs } from '../../../../core/experiments/jobs/index.js';
import { describeRun } from '../../../../core/experiments/jobs/notes.js';
import { tabulateJobs } from '../../../../core/experiments/jobs/tables.js';
import { summarize } from '../../../../core/experiments/jobs/summary.js';
import { useGolden } from '../../../support/golden.js';
import {
  conclusionOf,
  describeClocks,
  measured,
  measureDocument,
  rowOf,
  sentencesOf,
} from '../../../support/jobs-report.js';
import { RTT_MS } from '../../../support/run-scripted-jobs.js';

/** @import { Measured } from '../../../../core/experiments/jobs/summary.js' */

const matchGolden = useGolden(import.meta.url);

describe('the report of a jobs run', () => {
  it('says after one trial each why there is no verdict, with how much sooner clients were notified in its table', (t) => {
    const { estimate = 0 } = rowOf(measured, 'poll').comparison?.differenceInterval ?? {};
    assert.ok(estimate >= 200 && estimate < 300, `${estimate} ms`);
    assert.match(conclusionOf(measured), /^No verdict yet: 1 of 6 blocks\.$/);
    const [{ rows, columns }] = tabulateJobs(summarize(measured));
    const earlierMs = cellsOf({ rows, columns }).flatMap((cells) => /^−(\d+)/.exec(cells[2])?.[1] ?? []);
    assert.ok(
      earlierMs.some((ms) => Math.abs(Number(ms) - estimate) <= 1),
      earlierMs.join(),
    );
    matchGolden(t, 'jobs', sentencesOf(measured));
  });

  it('has the size of news in its sentences and its CSV, where it has one', async () => {
    const { plan, ...run } = await measureDocument({ limitMs: 300 });
    const sized = { ...run, plan: { ...plan, newsBytes: 5000 } };
    assert.match(describeRun(sized), /5,000 bytes/);
    const linesOf = (/** @type {Parameters<typeof jobs.formatCsv>[0]} */ one) =>
      jobs
        .formatCsv(one)
        .trim()
        .split('\r\n')
        .map((line) => line.split(','));
    const [names, ...lines] = linesOf(sized);
    const place = names.indexOf('news_bytes');
    assert.deepEqual(new Set(lines.map((line) => line[place])), new Set(['5000']));
    // Late jobs have no times, and a message.
    assert.ok(lines.some((line) => line.length === names.length && line[names.indexOf('outcome')] === 'timeout'));
    const [plainNames, ...plainLines] = linesOf({ ...run, plan });
    assert.deepEqual(plainNames, names.toSpliced(place, 1));
    assert.deepEqual(
      plainLines,
      lines.map((line) => line.toSpliced(place, 1)),
    );
  });

  it('gives a verdict from six blocks on', async (t) => {
    const blocks = await measureDocument({ blocks: 6, users: 4, jobs: 5 });
    const { latency, bytes, requests, differenceInterval } = rowOf(blocks, 'poll').comparison ?? {};
    for (const factor of [latency, bytes, requests]) assert.equal(factor?.verdict, 'faster');
    assert.ok(Number(differenceInterval?.low) > 150 && Number(differenceInterval?.high) < 350);
    const percent = Math.round(100 * (1 - 1 / Number(bytes?.ratio?.estimate)));
    assert.ok(conclusionOf(blocks).endsWith(`, with ${percent}% fewer bytes per job.`), conclusionOf(blocks));
    assert.equal(rowOf(blocks, 'socket-per-job').comparison?.latency?.verdict, 'same');
    const { jobCount, notifiedCount, lag } = rowOf(blocks, 'push');
    assert.deepEqual([jobCount, notifiedCount, lag.meanMs], [120, 120, RTT_MS / 2]);
    const [{ rows, columns }] = tabulateJobs(summarize(blocks));
    // All are compared with polling, as by the bars.
    const cells = cellsOf({ rows, columns });
    assert.equal(cells[0][2], 'baseline');
    assert.match(cells[1][2], /^−\d+\.\d \(−\d+ to −\d+\)$/);
    assert.deepEqual([cells[0][3], new Set(cells.slice(1).map((row) => row[3]))], ['–', new Set(['faster'])]);

    const few = await measureDocument({ blocks: 5, users: 4, jobs: 5 });
    assert.equal(rowOf(few, 'poll').comparison?.latency?.verdict, undefined);
    assert.ok(rowOf(few, 'poll').comparison?.latency?.ratio);
    matchGolden(t, 'jobs', [...sentencesOf(blocks), ...describeClocks(blocks), ...sentencesOf(few)]);
  });

  it('has the verdict of the difference that it shows, where one block decides it', async () => {
    const skewed = await measureDocument({ blocks: 6, users: 4, jobs: 5 });
    const [{ notified }] = skewed.trials.filter(({ delivery }) => delivery === 'poll');
    notified.notifiedAtMs = notified.notifiedAtMs.map((ms) => ms + 20_000);
    const { latency, differenceInterval } = rowOf(skewed, 'poll').comparison ?? {};
    assert.ok(Number(latency?.ratio?.low) < 1 && Number(differenceInterval?.low) < 0);
    assert.equal(latency?.verdict, 'unclear');
    assert.match(conclusionOf(skewed), /not clear whether/);
  });

  it('claims no difference where the interval contains 0', (t) => {
    const alike = structuredClone(measured);
    for (const trial of alike.trials)
      trial.notified.notifiedAtMs = trial.notified.createdAtMs.map(
        (ms, i) => ms + trial.notified.durationMs[i] + (i % 7),
      );
    const interval = rowOf(alike, 'poll').comparison?.differenceInterval;
    assert.ok(interval && interval.low <= 0 && interval.high >= 0);
    matchGolden(t, 'jobs', sentencesOf(alike));
  });

  it('draws a dot for each delivery method, with its interval', async () => {
    const { dots = [], x } = reportOf(jobs, await measureDocument({ blocks: 2 })).charts[0];
    assert.deepEqual(
      dots.map(({ colour, interval }) => [colour, Boolean(interval)]),
      [
        ['delivery-poll', true],
        ['delivery-socket-per-job', true],
        ['delivery-push', true],
      ],
    );
    assert.match(x.title, /^kB/);
    const unread = reportOf(jobs, await measureDocument({ deliveries: ['poll', 'sse'] }, { isUnread: true })).charts[0];
    assert.match(unread.x.title, /^Requests/);
    assert.equal(unread.dots?.length, 2);
  });

  it('says how many jobs were late', async (t) => {
    const run = await measureDocument({ deliveries: ['poll', 'push'], limitMs: 9000 });
    const { lateCount } = rowOf(run, 'push');
    assert.ok(lateCount > 0);
    matchGolden(t, 'jobs', sentencesOf(run));
  });

  it('says how many jobs were open when the run ended', (t) => {
    const cut = structuredClone(measured);
    const [trial] = cut.trials;
    for (const list of Object.values(trial.notified)) list.length = 40;
    assert.equal(rowOf(cut, trial.delivery).openCount, 60);
    matchGolden(t, 'jobs', sentencesOf(cut));
  });

  it('says why no client was notified', async (t) => {
    const run = await measureDocument({ deliveries: ['push'] }, { refusesSocket: () => true });
    const { notifiedCount, failureCount, failureReasons } = rowOf(run, 'push');
    assert.deepEqual([run.ending?.kind, notifiedCount, failureCount], ['invalid', 0, 100]);
    assert.equal(failureReasons.length, 1);
    assert.deepEqual([reportOf(jobs, run).conclusion, reportOf(jobs, run).sentences], [undefined, []]);
    matchGolden(t, 'jobs', sentencesOf(run));
  });

  it('says what was run, with which client, against which server', (t) => {
    const environment = { ...measured.environment, userAgent: 'Node.js v20.20.2' };
    const statusBefore = /** @type {any} */ ({ server: 'own server', pollCostMs: 5 });
    const byBrowser = describeRun(measured);
    const byNode = describeRun({ ...measured, environment, statusBefore, roundTripMs: [] });
    for (const fact of ['10 users', '10 jobs', '0–10 s', '11 s', 'seed 5.', ' 10 ms', 'a browser', ' example.org.']) {
      assert.ok(byBrowser.includes(fact), fact);
    }
    for (const fact of ['No round trip', 'Node.js v20.20.2', 'own server, example.org.']) {
      assert.ok(byNode.includes(fact), fact);
    }
    matchGolden(t, 'jobs', [byBrowser, byNode]);
  });

  it('gives the period of polls that were slower than their interval', (t) => {
    const waiting = structuredClone(measured);
    const poll = waiting.trials.find(({ delivery }) => delivery === 'poll');
    assert.ok(poll);
    poll.notified.pollCount = poll.notified.pollCount.map((count) => Math.ceil(count / 2));
    const sentenceOf = (/** @type {Measured} */ run) =>
      sentencesOf(run).find((sentence) => sentence.includes('polled every')) ?? '';
    const periodMs = Math.round(Number(rowOf(waiting, 'poll').periodMs));
    assert.ok(periodMs > 600, `${periodMs} ms`);
    assert.ok(sentenceOf(waiting).includes(` ${periodMs} ms `), sentenceOf(waiting));
    assert.equal(sentenceOf(measured), '');
    matchGolden(t, 'jobs', sentenceOf(waiting));
  });

  it('gives no verdict on a run that ended early, and says how many jobs were open', (t) => {
    const cut = {
      ...structuredClone(measured),
      ending: /** @type {const} */ ({ kind: 'cancelled', reason: 'Enough.' }),
    };
    const last = cut.trials[cut.trials.length - 1];
    for (const list of Object.values(last.notified)) list.length = 40;
    delete last.traffic;
    const words = sentencesOf(cut).join(' ');
    const markdown = formatMarkdown(jobs, cut);
    assert.equal(reportOf(jobs, cut).conclusion, undefined);
    assert.doesNotMatch(words, /sooner|against/);
    assert.match(words, /: 60 of 100 jobs were open /);
    assert.equal(rowOf(cut, last.delivery).openCount, 60);
    const cells = tabulateJobs(summarize(cut)).flatMap(cellsOf).flat();
    const missing = cells.filter((cell) => cell.startsWith('not measured'));
    assert.equal(missing.length, 3);
    matchGolden(t, 'jobs', [formatText(jobs, cut), markdown]);
  });

  it('gives an answer after one job each, and where polling was always late', async (t) => {
    const few = await measureDocument({ deliveries: ['poll', 'push'], users: 1, jobs: 1 });
    for (const { notifiedCount, lag } of summarize(few)) {
      assert.deepEqual([notifiedCount, lag.interval], [1, undefined]);
    }

    const late = await measureDocument({ deliveries: ['poll', 'push'], intervals: [12_000] });
    assert.equal(rowOf(late, 'poll').notifiedCount, 0);
    matchGolden(t, 'jobs', [...sentencesOf(few), ...sentencesOf(late)]);
  });

  it('gives the reasons of failed jobs, the most frequent first', async (t) => {
    const refused = await measureDocument(
      { deliveries: ['poll'] },
      {
        request: (kind, number) =>
          kind !== 'create' || number > 4
            ? undefined
            : { status: 503, answer: { error: { message: `Busy ${number % 4}.` } } },
      },
    );
    assert.deepEqual(rowOf(refused, 'poll').failureReasons, [
      ['Busy 0.', 2],
      ['Busy 1.', 1],
      ['Busy 2.', 1],
      ['Busy 3.', 1],
    ]);
    matchGolden(t, 'jobs', sentencesOf(refused));
  });
});
