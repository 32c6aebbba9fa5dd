import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatMarkdown } from '../../../../core/experiment/report/report.js';
import { runExperiment } from '../../../../core/experiment/run/run.js';
import { classic } from '../../../../core/experiments/classic/index.js';
import { formatNotes, tabulateClassic } from '../../../../core/experiments/classic/report.js';
import { toDocument } from '../../../../core/experiments/classic/schema.js';
import { parseIterations } from '../../../../core/experiments/classic/plan.js';
import { formatClassic } from '../../../../core/experiments/classic/report.js';
import { cellsOf } from '../../../../core/experiment/report/table.js';
import { complaintOf } from '../../../support/complaint.js';
import { useGolden } from '../../../support/golden.js';
import { createScriptedTransport } from '../../../support/scripted-transport.js';

const matchGolden = useGolden(import.meta.url);

/**
 * @param {object} options
 * @param {number} options.iterations
 * @param {number} [options.roundTripMs]
 * @param {number} [options.clickedAtMs] the scripted clock starts at 1000
 * @param {Parameters<typeof createScriptedTransport>[0]['script']} [options.script]
 */
async function run({ iterations, roundTripMs, clickedAtMs = 1000, script = [] }) {
  const { transport, now } = createScriptedTransport({ script, roundTripMs });
  const plan = { iterations: [iterations] };
  const { trials } = await runExperiment(classic, { plan, transport, now, clickedAtMs });
  return trials[0];
}

describe('a classic run', () => {
  it('counts from the click to the last answer, in whole milliseconds', async () => {
    const { elapsedMs } = await run({ iterations: 10, roundTripMs: 12.26, clickedAtMs: 960 });
    assert.equal(elapsedMs, 163);
  });

  it('counts at least one millisecond', async () => {
    assert.equal((await run({ iterations: 1, roundTripMs: 0.01 })).elapsedMs, 1);
  });

  it('ends at the first failure, and then has no time', async () => {
    const { trial, elapsedMs } = await run({ iterations: 10, script: ['ok', 'rejected'] });
    assert.equal(trial.samples.iteration.length, 1);
    assert.equal(trial.failures.length, 1);
    assert.equal(elapsedMs, undefined);
  });
});

describe('formatClassic', () => {
  it('prints the line of 2012', async (t) => {
    const line = formatClassic(await run({ iterations: 1000, roundTripMs: 2.934 }));
    assert.deepEqual(line.match(/[\d.]+/g), ['1000', '2.934', '340.832']);
    matchGolden(t, 'classic', line);
  });

  it('says how far a failed run came, and why it ended', async (t) => {
    const line = formatClassic(await run({ iterations: 100, script: [...Array(37).fill('ok'), 'closed'] }));
    matchGolden(t, 'classic', line);
  });

  it('says how far a cancelled run came', async (t) => {
    const line = formatClassic({
      ...(await run({ iterations: 100, script: ['ok', 'aborted'] })),
      ending: { kind: 'cancelled', reason: 'Enough.' },
    });
    matchGolden(t, 'classic', line);
  });
});

describe('parseIterations', () => {
  for (const [text, expected] of /** @type {const} */ ([
    ['1', 1],
    [' 1000 ', 1000],
    ['100000', 100_000],
  ])) {
    it(`takes '${text}'`, () => assert.equal(parseIterations(text), expected));
  }
  for (const text of ['', '0', '-1', '1.5', '1e3', '100001', 'ten', '0x10', '99999999999999999999']) {
    it(`refuses '${text}' and says what it expects`, () => {
      assert.throws(() => parseIterations(text), complaintOf('Iterations', text === '' ? 'nothing' : `“${text}”`));
    });
  }
});

describe('the export', () => {
  const environment = { url: 'http://x/', userAgent: 'test', stepMs: 0.005, isCrossOriginIsolated: true };

  /** @param {Awaited<ReturnType<typeof run>>} classicRun */
  const resultOf = (classicRun) => ({
    transport: 'scripted',
    environment,
    runs: [{ ...classicRun, startedAt: '2026-01-01T00:00:00.000Z', wasHidden: false }],
  });

  it('as JSON has every sample and the environment, from which all that is shown can be had again', async () => {
    const result = resultOf(await run({ iterations: 30 }));
    const document = JSON.parse(JSON.stringify(toDocument(result)));
    assert.equal(document.schema, 'sockshootout/classic/2');
    assert.equal(document.environment.userAgent, 'test');
    assert.equal(document.runs[0].trial.samples.roundTripMs.length, 30);
    assert.equal(formatMarkdown(classic, document), formatMarkdown(classic, toDocument(result)));
  });

  it('as Markdown has the lines of 2012 and a table with as many cells as columns', async (t) => {
    const result = resultOf(await run({ iterations: 30 }));
    const markdown = formatMarkdown(classic, toDocument(result));
    const lines = markdown.split('\n');
    assert.ok(lines.includes(`    ${formatClassic(result.runs[0])}`));
    const cellCounts = lines.filter((line) => line.startsWith('|')).map((line) => line.split('|').length);
    assert.deepEqual(cellCounts, [11, 11, 11]);
    matchGolden(t, 'classic', markdown);
  });

  it('has a dash where there are too few samples, and counts failures by kind', async () => {
    const result = resultOf(await run({ iterations: 10, script: ['ok', 'rejected'] }));
    assert.deepEqual(cellsOf(tabulateClassic(result)), [
      ['10', 'script', '1.0', '–', '–', '–', '–', '1', '1 rejected'],
    ]);
  });

  it('warns of a coarse clock, a fallback and a hidden tab', async (t) => {
    const result = resultOf(await run({ iterations: 2 }));
    result.environment = { ...environment, stepMs: 0.1, isCrossOriginIsolated: false };
    result.runs[0].wasHidden = true;
    result.runs[0].trial.transport = 'sockjs';
    result.runs[0].trial.protocol = 'xhr-streaming';
    const notes = formatNotes(result);
    for (const words of ['100 µs', 'not cross-origin isolated', 'SockJS fell back', 'hidden']) {
      assert.ok(notes.includes(words), `expected '${words}' in: ${notes}`);
    }
    matchGolden(t, 'classic', notes);
    result.runs[0].trial.protocol = 'xhr-polling';
    assert.match(formatNotes(result), /waits 25 ms after each message\. The figures include that\./);
  });
});
