import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { digestOf } from '../../core/experiment/documents/document-digest.js';
import { parseCondition } from '../../cli/run/conditions.js';
import { VERDICT_LABELS } from '../../core/experiment/answer/verdict.js';
import { cellsOf } from '../../core/experiment/report/table.js';
import { findingsOf } from '../../core/experiment/report/findings.js';
import { shootout } from '../../core/experiments/shootout/index.js';
import { complaintOf } from '../support/complaint.js';
import { useGolden } from '../support/golden.js';
import { readSavedDocument, SAVED_DOCUMENTS } from '../support/saved-documents.js';
import { createResult, createTrial, createTrials } from '../support/results.js';

/** @import { Result } from '../../core/experiments/shootout/index.js' */

const matchGolden = useGolden(import.meta.url);

/** @type {[number, number][]} */
const BLOCKS = [10, 10.1, 9.9, 10, 10.2, 9.8].map((ms) => [ms, ms / 2]);

/** @param {Result} document */
function seenOf(document) {
  return { ...findingsOf(shootout, document), digest: () => digestOf(shootout, document) };
}

const SEEN = seenOf(createResult({ trials: createTrials(BLOCKS) }));

/** One transport of three has only failures. */
function seenWithFailures() {
  const { plan } = createResult({ trials: [] });
  const failures = [{ outcome: /** @type {const} */ ('closed'), message: 'No way through.' }];
  const trials = [...createTrials(BLOCKS), ...BLOCKS.map((_, i) => createTrial('ws', i, [], { failures }))];
  return seenOf(createResult({ plan: { ...plan, transports: ['ajax', 'ws', 'sockjs'] }, trials }));
}

/** A WebSocket takes 1 ms and one of SockJS's server 2 ms, unless they are left out. @param {...string} names */
function seenWithSockets(...names) {
  const { plan } = createResult({ trials: [] });
  const trialsOf = (/** @type {string} */ name) =>
    BLOCKS.map((_, i) => createTrial(name, i, Array(20).fill(name === 'ws' ? 1 : 2)));
  const trials = [...createTrials(BLOCKS), ...names.flatMap(trialsOf)];
  return seenOf(createResult({ plan: { ...plan, transports: ['ajax', ...names, 'sockjs'] }, trials }));
}

describe('--fail-if with a verdict', () => {
  /** @param {string} text @param {typeof SEEN} [seen] */
  const reasonOf = (text, seen = SEEN) => parseCondition(text, shootout).reasonOf(seen);

  it('is met by the one that comes out, and no other', (t) => {
    const reasons = Object.keys(VERDICT_LABELS).map((verdict) => reasonOf(`sockjs ${verdict}`));
    assert.deepEqual(
      reasons.map((reason) => reason !== undefined),
      Object.keys(VERDICT_LABELS).map((verdict) => verdict === 'faster'),
    );
    matchGolden(t, 'shootout', String(reasons.find(Boolean)));
  });

  it('is met where any of several comparisons has it, and says which', () => {
    const at = (/** @type {string} */ size, /** @type {any} */ verdict) =>
      /** @type {any} */ ({ subject: 'sockjs', baseline: 'ajax', at: size, verdict, word: verdict });
    const seen = { ...SEEN, answers: [at('1 kB', 'same'), at('1 MB', 'slower')] };
    assert.equal(reasonOf('sockjs slower', seen), 'SockJS compared with AJAX, 1 MB: slower.');
    assert.equal(reasonOf('sockjs faster', seen), undefined);
  });

  it('is met, too, where it cannot be judged', () => {
    assert.match(String(reasonOf('ws slower', seenWithFailures())), /cannot be judged/);
  });
});

describe('--fail-if with figures', () => {
  it('reads each: what has digits in a column with a name begins with its number, or with what it is under, but for sentences', () => {
    for (const { experiment, document } of SAVED_DOCUMENTS.map(readSavedDocument)) {
      const { tables } = findingsOf(experiment, document).report;
      for (const { columns, rows } of tables)
        for (const cells of cellsOf({ columns, rows }))
          for (const [i, { name }] of columns.entries())
            if (name && /\d.*[^.]$|^\d$/.test(cells[i] ?? ''))
              assert.match(String(cells[i]), /^(under )?[−\d]/, `${experiment.name}, ${name}`);
    }
  });

  /** @param {string} text @param {typeof SEEN} [seen] */
  const reasonOf = (text, seen = SEEN) => {
    const condition = parseCondition(text, {});
    condition.check(seen);
    return condition.reasonOf(seen);
  };

  it('finds them in every table of the same rows', () => {
    const rows = [{ name: 'One WebSocket', ms: 5, bytes: 400, rate: '3,000 (400–1,022,000)' }];
    const key = { title: 'Delivery method', isKey: true, value: (/** @type {any} */ row) => row.name };
    const columnOf = (/** @type {string} */ name, /** @type {string} */ field) => ({
      title: name,
      name,
      value: (/** @type {any} */ row) => row[field],
    });
    const tables = [
      { columns: [key, columnOf('mean_ms', 'ms')], rows },
      { columns: [key, columnOf('bytes', 'bytes'), columnOf('rate', 'rate')], rows, isDetail: true },
      { columns: [key, columnOf('other', 'ms')], rows: [] },
    ];
    const seen = { ...SEEN, report: /** @type {any} */ ({ tables }) };
    assert.match(String(reasonOf('one-websocket mean_ms<6 bytes>300', seen)), /bytes is 400/);
    assert.match(String(reasonOf('one-websocket rate>2999', seen)), /rate is 3000/);
    assert.throws(() => reasonOf('one-websocket other>1', seen), complaintOf('--fail-if', '“other”'));
  });

  it('compares a row’s as the table shows them', () => {
    assert.match(String(reasonOf('sockjs p50_ms>4')), /^sockjs p50_ms is 5/);
    assert.equal(reasonOf('sockjs p50_ms > 6'), undefined);
    assert.match(
      String(reasonOf('ajax p50_ms>=9 messages_per_second<1000')),
      /^ajax p50_ms is 10.*, messages_per_second /,
    );
    assert.equal(reasonOf('sockjs p50_ms>4 p50_ms<4.5'), undefined);
    assert.match(String(reasonOf('saves_ms>0')), /^saves_ms is 5/);
  });

  it('reads what is under a number as less than that', () => {
    const columns = [{ title: 'Back after, s', name: 'back_s', value: () => 'under 0.1 (under 0.1 to 0.1)' }];
    const seen = { ...SEEN, report: /** @type {any} */ ({ tables: [{ columns, rows: [{}] }] }) };
    assert.deepEqual(
      ['back_s<0.1', 'back_s>=0.1', 'back_s>0'].map((text) => reasonOf(text, seen) !== undefined),
      [true, false, true],
    );
  });

  it('knows failures and invalidity of the whole run', () => {
    assert.equal(reasonOf('failures>0'), undefined);
    assert.equal(reasonOf('invalid'), undefined);
    assert.equal(reasonOf('failures>5', seenWithFailures()), 'there were 6 failures.');
    assert.equal(reasonOf('failures>6', seenWithFailures()), undefined);
    const ending = { kind: /** @type {const} */ ('invalid'), reason: 'Lost.' };
    assert.equal(reasonOf('invalid', seenOf(createResult({ trials: [], ending }))), 'the run is invalid.');
  });

  it('is met where it cannot be judged', () => {
    assert.match(String(reasonOf('ws p50_ms>1', seenWithFailures())), /cannot be judged/);
  });

  it('are of the transport that is named as in links, before one that only reads like it', () => {
    const both = seenWithSockets('ws', 'websocket');
    assert.equal(reasonOf('ws p50_ms<1.5', both), 'ws p50_ms is 1.');
    assert.equal(reasonOf('websocket p50_ms<1.5', both), undefined);
    assert.equal(reasonOf('websocket p50_ms>1.5', both), 'websocket p50_ms is 2.');
    assert.equal(reasonOf('websocket-sockjs-s-server p50_ms>1.5', both), 'websocket-sockjs-s-server p50_ms is 2.');
    assert.equal(reasonOf('websocket p50_ms>1.5', seenWithSockets('websocket')), 'websocket p50_ms is 2.');
    // Where there is no other WebSocket.
    assert.equal(reasonOf('websocket p50_ms<1.5', seenWithSockets('ws')), 'websocket p50_ms is 1.');
    assert.throws(() => reasonOf('pigeon p50_ms>1', both), / ajax, ws, websocket, sockjs, got /);
  });

  it('is refused where it names what is not there, with the names that are', () => {
    assert.throws(() => reasonOf('sockjs pigeons>1'), complaintOf('--fail-if', '“pigeons” in “sockjs pigeons>1”'));
    assert.throws(() => reasonOf('sockjs pigeons>1'), / messages_per_second, .* p50_ms, /);
    assert.throws(() => reasonOf('pigeon p50_ms>1'), complaintOf('--fail-if', '“pigeon” in “pigeon p50_ms>1”'));
    assert.throws(() => reasonOf('pigeon p50_ms>1'), / ajax, .*sockjs/);
  });
});
