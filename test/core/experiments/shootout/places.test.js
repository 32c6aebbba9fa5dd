import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openPart } from '../../../../core/experiment/run/open-run.js';
import { digestOf } from '../../../../core/experiment/documents/document-digest.js';
import { classic } from '../../../../core/experiments/classic/index.js';
import { summarize } from '../../../../core/experiments/classic/summary.js';
import shootout from '../../../../core/experiments/shootout/index.js';
import { describeSameDistance } from '../../../../core/experiments/shootout/same-distance.js';
import { formatClassic } from '../../../../core/experiments/classic/report.js';
import { formatBlocks } from '../../../../core/experiments/shootout/place-figures.js';
import { comparePlaces, findDeviation } from '../../../../core/experiments/shootout/comparison.js';
import { compareRuns, formatCsv, formatMarkdown } from '../../../../core/matrix/comparison.js';
import { describeDifference, findDifferences } from '../../../../core/matrix/differences.js';
import { cellsOf as cellsOfTable } from '../../../../core/experiment/report/table.js';
import { addBrowser, formatBeside, isLoopback, titleOf, titlesOf } from '../../../../core/experiment/run/names.js';
import { useGolden } from '../../../support/golden.js';
import { createClassicDocument, createPlaceRun } from '../../../support/places.js';

/**
 * @import { Experiment } from '../../../../core/experiment/contract.js'
 * @import { Place } from '../../../../core/experiment/run/names.js'
 */

const matchGolden = useGolden(import.meta.url);

const FRANKFURT = { name: 'Frankfurt' };
const SAN_FRANCISCO = { name: 'San Francisco' };

/**
 * Runs as the page has them: saved, and counted from 1.
 *
 * @param {Experiment} kind
 * @param {...{ document: any, label?: string, place?: Place }} given
 * @returns {any[]}
 */
const save = (kind, ...given) =>
  given.map((run, index) => ({
    id: `run-${index + 1}`,
    number: index + 1,
    digest: digestOf(kind, run.document),
    ...run,
  }));

/** @param {...Parameters<typeof save>[1]} given */
function compare(...given) {
  const comparison = compareRuns(shootout, save(shootout, ...given));
  const [rates, figures] = comparison.tables;
  return { ...comparison, ...comparePlaces(comparison.sides), rates, figures };
}

const LOCALHOST = { document: createPlaceRun({ distanceMs: 0.5, origin: 'http://localhost:8000' }), place: FRANKFURT };
const FAR = { document: createPlaceRun({ distanceMs: 158 }), place: SAN_FRANCISCO };

/** @param {ReturnType<typeof compare>} comparison @param {string} title */
const cellsOf = (comparison, title) =>
  cellsOfTable(comparison.figures)
    .find(([head]) => head === title)
    ?.slice(1);

describe('a saved run’s title', () => {
  const digest = { origin: 'https://x.example', server: 'lon-1', location: 'London' };
  for (const [title, run] of /** @type {const} */ ([
    ['London from California', { digest, place: { name: 'California' } }],
    ['lon-1 from California', { digest: { ...digest, location: undefined }, place: { name: 'California' } }],
    ['London: cable', { digest, label: 'cable' }],
    ['London', { digest, place: {} }],
    ['California', { digest: { ...digest, origin: 'http://localhost:8000' }, place: { name: 'California' } }],
    ['localhost', { digest: { ...digest, origin: 'http://[::1]' } }],
  ])) {
    it(`is ${title}`, () => assert.equal(titleOf(run), title));
  }

  it('has the browser where that is known', () => {
    assert.equal(addBrowser('London', { browser: 'Firefox 145' }), 'London, Firefox 145');
    for (const browser of [undefined, 'Unknown browser']) assert.equal(addBrowser('London', { browser }), 'London');
  });

  it('takes for this machine only what is', () => {
    for (const origin of ['http://127.0.0.1:80', 'https://localhost', 'http://127.9.9.9'])
      assert.ok(isLoopback(origin));
    for (const origin of ['http://localhost.example.org', 'http://127.0.0.1.example.org', 'http://10.0.0.1', '']) {
      assert.ok(!isLoopback(origin), origin);
    }
  });

  it('has more where two would be the same', () => {
    const bonn = { digest, place: { name: 'Bonn' } };
    assert.deepEqual(titlesOf([{ digest }, { ...bonn, label: 'cable' }, { ...bonn, label: 'wifi' }]), [
      'London',
      'London from Bonn (cable)',
      'London from Bonn (wifi)',
    ]);
    const seen = { ...digest, browser: 'Firefox 145' };
    assert.deepEqual(titlesOf([{ digest: seen }, { digest: { ...seen, browser: 'Chrome 156' } }]), [
      'London (Firefox 145)',
      'London (Chrome 156)',
    ]);
    assert.equal(addBrowser('London (Firefox 145)', seen), 'London (Firefox 145)');
    const savedAt = '2026-11-21T07:00:00.000Z';
    const later = '2026-11-21T07:01:00.000Z';
    assert.deepEqual(titlesOf([savedAt, later, later].map((at) => ({ digest, savedAt: at }))), [
      'London (2026-11-21 07:00 UTC)',
      'London (2026-11-21 07:01 UTC) (run 2)',
      'London (2026-11-21 07:01 UTC) (run 3)',
    ]);
  });

  it('stands beside others', () => {
    assert.equal(formatBeside(['a']), 'a');
    assert.equal(formatBeside(['a', 'b']), 'a compared with b');
    assert.equal(formatBeside(['a', 'b', 'c']), 'a compared with b and c');
    assert.equal(formatBeside(['a', 'b', 'c', 'd']), 'a compared with b, c and d');
  });
});

describe('what differs', () => {
  it('is said with the numbers of those that have it, and only of those that could', () => {
    const runs = [{ A: 'x', B: 'y' }, { A: 'z', B: 'y' }, { A: 'x', B: 'y', C: 'alone' }, { A: undefined }];
    const [difference, ...others] = findDifferences(runs.map((facts, index) => ({ number: index + 1, facts })));
    assert.equal(describeDifference(difference), 'A: x (1, 3); z (2); unknown (4).');
    assert.deepEqual(others, []);
  });

  it('is nothing between two runs of one plan, nor of one preset, whatever their seeds and iterations', () => {
    assert.deepEqual(compare(LOCALHOST, FAR).differences, []);
    const document = createPlaceRun({ distanceMs: 158, plan: { seed: 99, iterations: 5 } });
    assert.deepEqual(compare(LOCALHOST, { document }).differences, []);
  });

  it('names plans, transports, payloads, versions, browsers, and runs that are not valid', (t) => {
    const document = createPlaceRun({
      distanceMs: 20,
      addsMs: { ajax: 2.4, xhr: 1, sockjs: 0.4 },
      plan: { blocks: 10, payloadBytes: 100 },
      version: '2.0.0',
      userAgent: 'Firefox',
    });
    for (const trial of document.trials) if (trial.transport === 'sockjs') trial.protocol = 'xhr-streaming';
    const ending = /** @type {const} */ ({ kind: 'invalid', reason: 'The tab was hidden.' });
    const invalid = { document: createPlaceRun({ distanceMs: 30, ending }), place: { name: 'Tokyo' } };
    const { differences, warnings } = compare(LOCALHOST, { document, label: 'x' }, invalid);
    const [usual, other] = [LOCALHOST.document, document].map(({ plan }) => formatBlocks(plan));
    assert.deepEqual(
      differences.map(({ name, values }) => [name, ...values.map(({ value }) => value)]),
      [
        ['Transports', 'AJAX, SockJS', 'AJAX, XHR, SockJS', 'AJAX, SockJS'],
        ['Plan', usual, other, usual],
        ['Payload', '0 bytes', '100 bytes', '0 bytes'],
        ['Server version', '1.0.0', '2.0.0', '1.0.0'],
        ['User agent', 'Mozilla/5.0 Chrome/147', 'Firefox', 'Mozilla/5.0 Chrome/147'],
      ],
    );
    const [notValid] = warnings;
    assert.ok(notValid.startsWith('3. Tokyo ') && notValid.endsWith(` ${ending.reason}`), notValid);
    matchGolden(t, 'shootout', [...differences.map(describeDifference), ...warnings]);
  });
});

describe('places side by side', () => {
  /** @param {ReturnType<typeof compare>} comparison @param {number} index of a side */
  function deviationOf({ model, places }, index) {
    const { comparison: own, summary } = places[index];
    if (!model || !own?.speedRatio || summary.floorMs === undefined)
      return assert.fail('Expected a prediction, got none');
    return findDeviation(model, { floorMs: summary.floorMs, speedRatio: own.speedRatio });
  }

  it('have each its own figures, and the truth in them', () => {
    const comparison = compare(LOCALHOST, FAR);
    assert.deepEqual(cellsOf(comparison, 'Round-trip time, ms'), ['0.5', '158']);
    assert.deepEqual(cellsOf(comparison, 'SockJS overhead, ms'), ['0.40', '0.40']);
    const { columns, rows } = comparison.figures;
    assert.ok(rows.some((row) => columns[0].note?.(row) === 'SockJS’s p50 minus the round-trip time'));
    assert.deepEqual(cellsOf(comparison, 'Samples'), ['54 + 54', '54 + 54']);
    assert.deepEqual(cellsOf(comparison, 'Visitor’s place'), ['Frankfurt', 'San Francisco']);
    for (const { comparison: own } of comparison.places)
      assert.ok(Math.abs(Number(own?.savingMs?.estimate) - 2) < 0.001);
  });

  it('fit the first one’s prediction where only the distance differs', (t) => {
    const comparison = compare(LOCALHOST, FAR);
    const { byRatio, doOverlap, predicted } = deviationOf(comparison, 1);
    // (158 + 2.4) / (158 + 0.4)
    assert.ok(Math.abs(predicted.estimate - 1.0126) < 1e-4, String(predicted.estimate));
    assert.deepEqual([byRatio.toFixed(3), doOverlap], ['1.000', true]);
    const [first, second] = comparison.places.map(({ deviation }) => deviation);
    assert.equal(first, undefined);
    matchGolden(t, 'shootout', String(second));
  });

  it('say how far a run is from it where a transport adds more there', (t) => {
    const document = createPlaceRun({ distanceMs: 100, addsMs: { ajax: 22.4, sockjs: 0.4 } });
    const comparison = compare(LOCALHOST, { document });
    const { byRatio, doOverlap } = deviationOf(comparison, 1);
    // (100 + 22.4) / (100 + 2.4)
    assert.deepEqual([byRatio.toFixed(3), doOverlap], ['1.195', false]);
    const { deviation } = comparison.places[1];
    matchGolden(t, 'shootout', String(deviation));
  });

  it('as 2012 had them: messages per second, and the ratio to AJAX', () => {
    const { rates, places } = compare(LOCALHOST, FAR);
    const [near, far, ...published] = cellsOfTable(rates);
    // 1000 / 0.9 ms: the first message of each trial is not in it.
    assert.deepEqual([near[0], near[1], near[3]], ['1. Frankfurt', '0.5', '1111']);
    const { predicted } = places[1];
    assert.deepEqual([far[1], far[5].split(' ')[0]], ['158', `${predicted?.estimate.toFixed(2)}x`]);
    assert.deepEqual(
      published.map((cells) => cells.slice(1, 5)),
      [
        ['–', '341', '2146', '6.30x'],
        ['–', '3.79', '4.39', '1.16x'],
      ],
    );
  });

  it('take what all have, where the first has more', () => {
    const more = createPlaceRun({ distanceMs: 1, addsMs: { ajax: 5, fetch: 2, ws: 0.2, sockjs: 0.4 } });
    const node = createPlaceRun({ distanceMs: 50, addsMs: { fetch: 2, ws: 0.2 } });
    const { pair, rates } = compare({ document: more }, { document: node });
    assert.deepEqual(pair, { baseline: 'fetch', transport: 'ws' });
    // One has five transports, of which AJAX was published, too; the two that are compared were not.
    const cells = cellsOfTable(rates).map((row) => row.slice(2));
    assert.equal(cells[0].filter((cell) => /^[0-9.]+$/.test(cell)).length, 4);
    assert.deepEqual(cells[2].slice(0, 5), ['341', '–', '–', '2146', '–']);
  });

  it('say so where there is no pair that both have, and predict nothing of it', (t) => {
    const node = createPlaceRun({ distanceMs: 50, addsMs: { fetch: 2, ws: 0.2 } });
    const { pair, places, differences, warnings } = compare(LOCALHOST, { document: node });
    const sentences = differences.map(describeDifference);
    assert.equal(sentences[0], 'Baseline: AJAX (1); fetch (2).');
    assert.deepEqual(pair, { baseline: 'ajax', transport: 'sockjs' });
    assert.deepEqual([places[1].comparison, places[1].deviation], [undefined, undefined]);
    assert.equal(sentences[1], 'Transports: AJAX, SockJS (1); fetch, WebSocket (2).');
    const lacking = warnings.filter((words) => words.startsWith('2. Unknown place '));
    assert.equal(lacking.length, 1);
    assert.ok(lacking[0].endsWith(' did not measure both SockJS and AJAX.'), lacking[0]);
    matchGolden(t, 'shootout', [...sentences, ...warnings]);
  });

  it('predict nothing from a first run that is not valid', () => {
    const ending = /** @type {const} */ ({ kind: 'cancelled', reason: 'You cancelled.' });
    const { model, places, charts } = compare({ document: createPlaceRun({ distanceMs: 1, ending }) }, FAR);
    assert.deepEqual([model, places[0].comparison, places[1].predicted], [undefined, undefined, undefined]);
    assert.deepEqual(charts, []);
  });

  it('go along as Markdown, in which what visitors typed is text', (t) => {
    const label = '| <img src=x> [x](javascript:0) `';
    const markdown = formatMarkdown(
      compare(LOCALHOST, { ...FAR, label, place: { name: '**bold** | <b>' } }),
      'https://x/compare?ids=a,b',
    );
    matchGolden(t, 'shootout', markdown);
  });

  it('go along as CSV, a line for each, without a formula', () => {
    const comparison = compare(LOCALHOST, { ...FAR, label: '=1+1' });
    const [head, ...lines] = formatCsv(comparison)
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    assert.equal(lines.length, 2);
    /** @param {number} line @param {string} column */
    const cell = (line, column) => lines[line][head.indexOf(column)];
    assert.equal(cell(1, 'label'), "'=1+1");
    assert.deepEqual([cell(0, 'floor_ms'), cell(1, 'floor_ms')], ['0.5', '158']);
    assert.equal(Number(cell(0, 'saving_ms')).toFixed(3), '2.000');
    assert.equal(cell(1, 'place'), 'San Francisco');
  });

  it('say in words how each fits, and how far it is', (t) => {
    const comparison = compare(LOCALHOST, FAR);
    const { model, places, charts } = comparison;
    assert.ok(model);
    const [{ sentences = [], dots = [] }] = charts;
    const far = `2. ${places[1].name}: ${places[1].deviation}`;
    assert.deepEqual(
      dots.map(({ x, y }) => [x, y]),
      places.map(({ summary, comparison: own }) => [summary.floorMs, own?.speedRatio?.estimate]),
    );
    assert.ok(sentences[0].endsWith(`: ${describeSameDistance(model)}.`));
    assert.deepEqual(sentences.slice(1), [far]);
    matchGolden(t, 'shootout', sentences);
  });
});

describe('saved runs of the classic pages', () => {
  /** @type {[number, number][]} */
  const ajaxRuns = [
    [10, 100],
    [100, 400],
    [10, 200],
  ];
  /** @type {[number, number][]} */
  const sockjsRuns = [
    [10, 50],
    [100, 80],
  ];
  const ajax = { document: createClassicDocument({ transport: 'ajax', runs: ajaxRuns }) };
  const sockjs = { document: createClassicDocument({ transport: 'sockjs', runs: sockjsRuns }) };
  const far = { origin: 'https://fra.example.org', location: 'London' };
  const farAjax = {
    document: createClassicDocument({ transport: 'ajax', runs: [[1000, 250_000]], ...far }),
    place: { name: 'California' },
  };

  /** @param {...Parameters<typeof save>[1]} given */
  function compareClassics(...given) {
    const comparison = compareRuns(classic, save(classic, ...given));
    const [table] = comparison.tables;
    const rows = cellsOfTable(table).map((cells) => cells.slice(4));
    const places = [...new Set(cellsOfTable(table).map(([title, numbers, , of]) => `${title} ${numbers}: ${of}`))];
    return { ...comparison, rows, places };
  }

  it('put AJAX and SockJS of one way into one table, with 2012 beside it', () => {
    const { places, rows, differences } = compareClassics(ajax, farAjax, sockjs);
    assert.deepEqual(places, ['localhost 1 and 3: localhost', 'London from California 2: London from California']);
    assert.deepEqual(rows, [
      ['10', '100', '200', '2.00x', '78.1', '141', '1.80x'],
      ['10', '50.0', '–', '–', '78.1', '141', '1.80x'],
      ['100', '250', '1250', '5.00x', '299', '1408', '4.72x'],
      ['1,000', '4.00', '–', '–', '3.79', '4.39', '1.16x'],
    ]);
    assert.deepEqual(differences.map(describeDifference), ['Iterations: 10, 100, 10 (1); 1000 (2); 10, 100 (3).']);
  });

  it('neither average nor choose among two of the same kind', () => {
    const { places } = compareClassics(ajax, ajax, sockjs);
    assert.deepEqual(places, ['localhost (run 1) 1 and 3: localhost', 'localhost (run 2) 2: localhost']);
  });

  it('are not joined over two places', () => {
    const { places } = compareClassics({ ...ajax, place: { name: 'Bonn' } }, { ...sockjs, place: { name: 'Köln' } });
    assert.equal(places.length, 2);
  });

  it('say which was hidden, or did not finish', () => {
    const hidden = { document: createClassicDocument({ transport: 'sockjs', runs: sockjsRuns, wasHidden: true }) };
    const cut = createClassicDocument({ transport: 'ajax', runs: [[10, 100]] });
    for (const list of Object.values(cut.runs[0].trial.samples)) list.length = 4;
    cut.runs[0].trial.failures.push({ outcome: 'closed', message: 'Gone', iteration: 4 });
    const { rows, warnings } = compareClassics({ document: cut }, hidden);
    assert.equal(rows[0][1], '–');
    const notFinished = `1, AJAX: ${formatClassic(summarize(openPart(classic, cut)).runs[0])}`;
    assert.match(notFinished, /4 of 10 iterations: Gone$/);
    assert.ok(warnings.includes(notFinished), warnings.join('\n'));
    const hiddenRuns = warnings.filter((words) => words.includes('hidden'));
    assert.ok(hiddenRuns.every((words) => words.startsWith('2, SockJS: ')));
    assert.deepEqual(
      hiddenRuns.map((words) => / (\d+) iterations\.$/.exec(words)?.[1]),
      ['10', '100'],
    );
  });

  it('go along as Markdown and CSV', () => {
    const comparison = compareClassics(ajax, sockjs, { ...farAjax, place: { name: 'a|b' } });
    const markdown = formatMarkdown(comparison, 'https://x/compare');
    assert.ok(markdown.startsWith('### Classic test of 2012: localhost compared with London from a\\|b\n'), markdown);
    assert.ok(markdown.includes('| 100 | 250 | 1250 | 5.00x | 299 | 1408 | 4.72x |'));
    assert.deepEqual(formatCsv(comparison).split('\r\n').slice(0, 2), [
      'title,server,runs,iterations,ajax_messages_per_second,sockjs_messages_per_second,ajax_published_messages_per_second,sockjs_published_messages_per_second',
      'localhost,fra-1,1 2,10,100.000,200.000,78.125,140.845',
    ]);
  });
});
