/**
 * The speed at a round-trip time: what a run can speak about, what it measures or predicts there, its words and its pictures.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatRange, formatRatio, formatRtt } from '../../../../core/base/format.js';
import { nameBrowser } from '../../../../core/experiment/run/names.js';
import { drawCurves } from '../../../../core/experiments/shootout/curves.js';
import { createIntervalBars } from '../../../../core/experiments/shootout/interval-bars.js';
import { describeSpeed, describeMeasured } from '../../../../core/experiments/shootout/speed-words.js';
import {
  speedAt,
  modelOf,
  modelsOf,
  predictSpeedRatio,
  slowDown,
} from '../../../../core/experiments/shootout/distance-model.js';
import { findSameDistance } from '../../../../core/experiments/shootout/same-distance.js';
import { parseRtt, rttRange, rttStops } from '../../../../core/experiments/shootout/round-trip-times.js';
import { labelOf } from '../../../../core/experiment/answer/labels.js';
import { placeLabel, widthOf, logTicks, node, toMarkup } from '../../../../core/picture/svg.js';
import { scopeOf } from '../../../../core/experiment/run/scope.js';
import { summarize } from '../../../../core/experiments/shootout/summary.js';
import { useGolden } from '../../../support/golden.js';
import { createResult, createTrial } from '../../../support/results.js';

/**
 * @import { SvgNode } from '../../../../core/picture/svg.js'
 * @import { Summary } from '../../../../core/experiments/shootout/summary.js'
 * @import { Result } from '../../../../core/experiments/shootout/index.js'
 */

const matchGolden = useGolden(import.meta.url);

const PLAN = { ...createResult().plan, transports: ['ajax', 'xhr', 'ws', 'sockjs'] };
/** What each adds to the distance, in ms. */
const OVERHEAD_MS = { ajax: 5, xhr: 4, ws: 0.5, sockjs: 1 };

/**
 * @param {number} distanceMs
 * @param {Partial<Result>} [others]
 */
function reportAt(distanceMs, others) {
  const trials = Array.from({ length: PLAN.blocks }, (_, block) =>
    Object.entries(OVERHEAD_MS).map(([name, ms]) =>
      createTrial(name, block, [distanceMs, ...Array(19).fill(distanceMs + ms + (block % 3) / 20)]),
    ),
  ).flat();
  return summarize(createResult({ trials, plan: PLAN, ...others }));
}

/** @param {Summary} report */
const knownModelOf = (report) => modelOf(report) ?? assert.fail('no model');

describe('what a run can speak about', () => {
  for (const [url, floorMs, scope] of /** @type {const} */ ([
    ['http://localhost:8000/', 0.3, 'machine'],
    ['http://127.0.0.1/', undefined, 'machine'],
    ['http://[::1]:8000/', 12, 'machine'],
    // A tunnel.
    ['http://localhost:8000/', 90, 'path'],
    ['http://192.168.1.4/', 2, 'network'],
    ['https://172.31.0.9/', 4.9, 'network'],
    ['https://[fd00::1]/', 1, 'network'],
    ['http://printer.local/', 3, 'network'],
    ['http://build-server/', 1, 'network'],
    ['http://10.0.0.1/', 30, 'path'],
    ['http://192.168.1.4/', undefined, 'path'],
    ['http://172.32.0.9/', 1, 'path'],
    ['https://example.org/', 1, 'path'],
    ['u', 1, 'path'],
  ])) {
    it(`${url} at ${floorMs} ms: ${scope}`, () => assert.equal(scopeOf({ url, floorMs }), scope));
  }
});

describe('the round-trip time that is asked about', () => {
  it('is read from a link, and refused with what was expected', () => {
    assert.equal(parseRtt(null), undefined);
    assert.equal(parseRtt('231.4'), 231.4);
    for (const wrong of ['', '0', '-1', '1e3', '10001', 'far'])
      assert.throws(() => parseRtt(wrong), /^InvalidInputError: rtt: expected milliseconds from 0\.01 to 10000, got “/);
  });

  it('goes from a machine’s own to another continent’s, and has room for the run', () => {
    assert.deepEqual(rttRange([30]), { low: 0.2, high: 400 });
    assert.deepEqual(rttRange([0.15, 600]), { low: 0.15 / 1.5, high: 900 });
    assert.deepEqual([0.345, 4.56, 45.6, 231.4].map(formatRtt), ['0.34', '4.6', '46', '231']);
  });

  it('reads otherwise at each stop, whatever the run’s own', () => {
    for (let floorMs = 0.01; floorMs < 9000; floorMs *= 1.0173) {
      const stops = rttStops([100, floorMs], floorMs);
      assert.ok(stops.includes(floorMs), `${floorMs}`);
      assert.equal(new Set(stops.map(formatRtt)).size, stops.length, `${floorMs}`);
      for (const [index, ms] of stops.slice(1).entries())
        assert.ok(ms > stops[index] && ms < stops[index] * 1.2, `${stops[index]} and ${ms} beside ${floorMs}`);
    }
    // A link may ask for a time beyond the scale: the stops go on until there.
    for (const linkedMs of [0.01, 10_000]) {
      const stops = rttStops([100, linkedMs], 30);
      assert.equal(stops.at(linkedMs < 1 ? 0 : -1), linkedMs);
      assert.ok(stops.every((ms, i) => i === 0 || ms / stops[i - 1] < 1.5));
    }
    assert.equal(rttStops([99.8, 100.2], 99.8).includes(100.2), true, 'the last of two that read the same');
  });
});

describe('the speed at a round-trip time', () => {
  it('is measured at the run’s own round-trip time, and predicted at any other, with its interval', () => {
    const report = reportAt(48);
    const model = knownModelOf(report);
    const here = speedAt(model, 48);
    assert.deepEqual([here.isMeasured, here.speedRatio, here.verdict], [true, model.speedRatio, 'same']);
    const near = speedAt(model, 1);
    assert.deepEqual([near.isMeasured, near.speedRatio], [false, predictSpeedRatio(model, 1)]);
    assert.equal(near.verdict, 'faster');
  });

  it('has the measured difference in ms, and elsewhere a wider interval around it', () => {
    const report = reportAt(48);
    const model = knownModelOf(report);
    const measured = report.rows.find(({ transport }) => transport === model.transport)?.comparison?.savingMs;
    const [here, far] = [speedAt(model, 48).savingMs, speedAt(model, 230).savingMs];
    assert.ok(measured);
    for (const end of /** @type {const} */ (['estimate', 'low', 'high']))
      assert.ok(Math.abs(here[end] - measured[end]) < 1e-9);
    assert.ok(Math.abs(far.estimate - measured.estimate) < 0.001);
    // The overheads are 5 and 1 ms, and differ by 30% from run to run.
    const reachMs = Math.hypot((here.high - here.low) / 2, 1.96 * 0.3 * Math.hypot(5, 1));
    assert.ok(Math.abs((far.high - far.low) / 2 - reachMs) < 0.1, `${far.low} to ${far.high}, not ±${reachMs}`);
  });

  it('is predicted for a slower device, at its own round-trip time, too, with larger overheads and a wider interval', () => {
    const model = knownModelOf(reportAt(48));
    const [here, slower, slowest] = [1, 4, 6].map((slowness) => speedAt(slowDown(model, slowness), 48));
    assert.deepEqual(
      [here, slower, slowest].map(({ isMeasured }) => isMeasured),
      [true, false, false],
    );
    const extraMs = [here, slower, slowest].map(({ baselineMs, messageMs }) => [baselineMs - 48, messageMs - 48]);
    for (const side of [0, 1]) {
      const [ofThis, ofSlower, ofSlowest] = extraMs.map((both) => both[side]);
      assert.ok(ofThis < ofSlower && ofSlower < 4 * ofThis && ofSlower < ofSlowest && ofSlowest < 6 * ofThis);
    }
    assert.ok(here.speedRatio.estimate < slower.speedRatio.estimate);
    // It includes that all of the overhead is the device's: 30 and 6 ms of 5 and 1 ms.
    assert.ok(slowest.speedRatio.high > 78 / 54);
    assert.match(describeSpeed(slower).headline, / \(predicted\)\.$/);
  });

  it('is the same within 10% from the end of the interval on that it names', () => {
    const model = knownModelOf(reportAt(1));
    const { lowMs, estimateMs, highMs } = findSameDistance(model);
    assert.ok(lowMs < estimateMs && estimateMs < highMs, [lowMs, estimateMs, highMs].join());
    assert.equal(speedAt(model, highMs * 1.001).verdict, 'same');
    assert.notEqual(speedAt(model, highMs * 0.999).verdict, 'same');
    const ratioAt = (/** @type {number} */ ms) => speedAt(model, ms).speedRatio;
    assert.ok(Math.abs(ratioAt(estimateMs).estimate - 1.1) < 1e-9);
    assert.ok(Math.abs(ratioAt(lowMs).low - 1.1) < 1e-9);
  });

  it('has no factor where there is no clear difference', () => {
    const trials = [1, 3, 1, 3, 1, 3].flatMap((ms, block) => [
      createTrial('ajax', block, [0.5, ...Array(19).fill(2)]),
      createTrial('sockjs', block, [0.5, ...Array(19).fill(ms)]),
    ]);
    const report = summarize(createResult({ trials }));
    const speed = speedAt(knownModelOf(report), 1);
    assert.equal(speed.verdict, 'unclear');
    const { headline } = describeSpeed(speed);
    assert.equal(headline, 'SockJS and AJAX show no clear difference at 1 ms round-trip time (predicted).');
    assert.match(describeMeasured(report, speed), /: SockJS showed no clear difference \(95% CI /);
    assert.doesNotMatch(describeMeasured(report, speed), /\dx/);
  });

  it('is none of a run that ended early, or whose payload is part of its round trips', () => {
    assert.equal(modelOf(reportAt(1, { ending: { kind: 'cancelled', reason: 'x' } })), undefined);
    assert.equal(modelOf(reportAt(1, { plan: { ...PLAN, payloadBytes: 10 } })), undefined);
  });

  it('calls a prediction one, and names place, browser, samples and failures of what was measured', (t) => {
    const environment = {
      url: 'http://localhost:8000/',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
      stepMs: 0.005,
      isCrossOriginIsolated: true,
    };
    const local = reportAt(0.3, { environment });
    const speed = speedAt(knownModelOf(local), 100);
    const predicted = describeSpeed(speed);
    const measuredHere = describeMeasured(local, speed);
    for (const fact of ['0.3 ms', 'Firefox 145', '120 messages', '6 blocks of 20', '0 failures'])
      assert.ok(measuredHere.includes(fact), `${fact}: ${measuredHere}`);

    const far = reportAt(231, { environment: { ...environment, url: 'https://example.org/' } });
    const farSpeed = speedAt(knownModelOf(far), 231);
    const measured = describeSpeed(farSpeed);
    const measuredThere = describeMeasured(far, farSpeed);
    // Of users elsewhere no run on one machine says anything.
    const all = [local, far].map(({ verdict }) => [verdict.headline, verdict.detail, verdict.advice]);
    assert.doesNotMatch(all.flat().join(), /\bpays\b|faster for your users/i);
    matchGolden(t, 'shootout', [...Object.values(predicted), measuredHere, ...Object.values(measured), measuredThere]);
  });

  it('has two decimals at most, and says where an end is not 1, but rounds to it', () => {
    const texts = [
      { estimate: 7.83, low: 6.54, high: 9.31 },
      { estimate: 1.042, low: 1.039, high: 1.045 },
      { estimate: 1.09, low: 1.004, high: 1.18 },
      { estimate: 0.97, low: 0.94, high: 0.9999 },
      { estimate: 1.001, low: 1.0005, high: 1.002 },
      { estimate: 1.8, low: 1.0003, high: 3.5 },
      { estimate: 12.6, low: 11, high: 14.4 },
      { estimate: 1.0487, low: 0.9996, high: 1.0977 },
    ].map((ratio) => `${formatRatio(ratio)} ${formatRange(ratio)}`);
    assert.deepEqual(texts, [
      '7.8x 6.5–9.3',
      '1.04x 1.04–1.04',
      '1.09x over 1.00 to 1.18',
      '0.97x 0.94 to under 1.00',
      'over 1.00x over 1.00',
      '1.8x over 1.00 to 3.5',
      '12.6x 11.0–14.4',
      '1.05x 1.00–1.10',
    ]);
  });
});

/** @param {SvgNode} tree @param {(one: any) => boolean} is @returns {any[]} */
const all = (tree, is) => tree.children.filter((child) => typeof child !== 'string' && is(child));

/** The words of a text, which may have two lines. @param {any} text */
const wordsOf = ({ children }) =>
  children.map((/** @type {any} */ child) => (typeof child === 'string' ? child : child.children[0])).join(' ');

describe('the picture of it', () => {
  const report = reportAt(20);
  const model = knownModelOf(report);
  const models = modelsOf(report, model);
  const picture = drawCurves({ models, rttMs: 100, width: 500, height: 340 });

  it('has a line for each of SockJS and WebSocket, a band, the run as a dot, and where the two are the same', () => {
    assert.deepEqual(
      models.map(({ transport }) => transport),
      ['sockjs', 'ws'],
    );
    assert.equal(all(picture, ({ tag }) => tag === 'polyline').length, 2);
    assert.equal(all(picture, ({ tag }) => tag === 'polygon').length, 1);
    assert.equal(all(picture, ({ tag }) => tag === 'circle').length, 1);
    for (const name of ['same', 'same-from', 'asked'])
      assert.equal(all(picture, ({ attributes }) => attributes.class === name).length, 1, name);
  });

  it('has all that it draws inside itself, on the smallest phone, too', () => {
    /** Of a run that was stored before there was a WebSocket without SockJS’s library. */
    const stored = /** @type {const} */ ([model, { ...models[1], transport: 'websocket' }]);
    for (const [width, drawn] of /** @type {const} */ ([
      [500, models],
      [248, models],
      [248, stored],
    ])) {
      const texts = all(drawCurves({ models: drawn, rttMs: 100, width, height: 340 }), ({ tag }) => tag === 'text');
      for (const { transport } of drawn)
        assert.ok(
          texts.some((one) => wordsOf(one) === labelOf(transport)),
          `${width}: ${transport}`,
        );
      for (const { attributes: whole, children } of texts) {
        const lines = children[0].attributes ? children : [{ attributes: whole, children }];
        for (const {
          attributes,
          children: [words],
        } of lines) {
          const left = whole['text-anchor'] === 'start' ? attributes.x : attributes.x - widthOf(words) / 2;
          const isTick = whole['text-anchor'] === 'end';
          assert.ok(isTick || (left >= 0 && left + widthOf(words) <= width), words);
          assert.ok(attributes.y > 0 && attributes.y < 340, words);
        }
      }
    }
  });

  it('has labels that do not lie upon each other, on a phone neither', () => {
    for (const width of [500, 326]) {
      const names = all(
        drawCurves({ models, rttMs: 100, width, height: width }),
        ({ attributes }) => attributes.class === 'name',
      );
      assert.deepEqual(
        names.map(({ children }) => children[0]),
        ['measured', 'SockJS', 'WebSocket'],
      );
      for (const [index, one] of names.entries()) {
        for (const other of names.slice(index + 1)) {
          const isApart =
            Math.abs(one.attributes.y - other.attributes.y) >= 14 ||
            one.attributes.x + widthOf(one.children[0]) < other.attributes.x ||
            other.attributes.x + widthOf(other.children[0]) < one.attributes.x;
          assert.ok(isApart, `${width}: ${one.children[0]} and ${other.children[0]}`);
        }
      }
    }
  });

  it('has labels that do not touch, however close their dots are', () => {
    for (const width of [500, 326]) {
      const dots = Array.from({ length: 10 }, (_, i) => ({
        name: `${i + 1}. Frankfurt from Bonn`,
        floorMs: 20 + i / 10,
        speedRatio: model.speedRatio,
      }));
      const labels = all(
        drawCurves({ models: [model], dots, width, height: width }),
        ({ attributes }) => attributes.class === 'name',
      );
      // On a phone there is hardly room for so many.
      assert.ok(labels.length >= (width === 500 ? 11 : 10), `${labels.length}`);
      const lines = labels.flatMap(({ attributes, children }) =>
        children[0].attributes
          ? children.map((/** @type {any} */ line) => ({ ...line.attributes, words: line.children[0] }))
          : [{ ...attributes, words: children[0] }],
      );
      for (const [index, one] of lines.entries()) {
        for (const other of lines.slice(index + 1)) {
          const [a, b] = [one, other].map(({ x, words }) => ({ x, right: x + widthOf(words) }));
          const isApart = Math.abs(one.y - other.y) >= 14 || a.right < b.x || b.right < a.x;
          assert.ok(isApart, JSON.stringify([width, one, other]));
        }
      }
    }
  });

  it('has room for a long name at either edge', () => {
    for (const floorMs of [0.2, 400]) {
      const dots = [{ name: 'W'.repeat(27), floorMs, speedRatio: model.speedRatio }];
      const picture = drawCurves({ models: [model], dots, width: 326, height: 326 });
      assert.equal(all(picture, ({ attributes }) => attributes.class === 'name').length, 2);
    }
  });

  it('writes what somebody typed as text', () => {
    const dots = [{ name: '<b onload="x">&', floorMs: 20, speedRatio: model.speedRatio }];
    const markup = toMarkup(drawCurves({ models: [model], dots, width: 500, height: 340 }));
    assert.doesNotMatch(markup, /<b/);
    assert.ok(markup.includes('&#60;b onload=&#34;x&#34;&#62;&#38;'));
    assert.equal(toMarkup(node('a', { b: '"' }, node('c'))), '<a b="&#34;"><c></c></a>');
    // What XML forbids would make the whole picture unreadable.
    assert.equal(toMarkup(node('a', {}, 'x\uFFFE\uFFFF\u0001\uD800😀\t')), '<a>x\uFFFD\uFFFD\uFFFD\uFFFD😀\t</a>');
  });

  it('puts a label where fewest things are', () => {
    const candidates = [0, 50, 100].map((y) => ({ x: 0, y, width: 26, half: 9 }));
    const obstacles = [
      { x: 5, y: 1 },
      { x: 9, y: 52 },
      { x: 9, y: 48 },
    ];
    assert.deepEqual(placeLabel({ candidates, obstacles }), { ...candidates[2], cost: 0 });
    assert.deepEqual(placeLabel({ candidates: candidates.slice(0, 2), obstacles }), { ...candidates[0], cost: 1 });
    // Marks and other labels are never covered.
    const marks = [{ x: 5, y: 101 }];
    assert.equal(placeLabel({ candidates, obstacles, marks })?.y, 0);
    // Nor does a leader cross another label.
    const leaderOf = () => [{ x: 5, y: 50 }];
    assert.equal(placeLabel({ candidates, obstacles, taken: [candidates[1]], leaderOf }), undefined);
    assert.equal(placeLabel({ candidates, obstacles, marks, taken: candidates.slice(0, 2) }), undefined);
    assert.equal(placeLabel({ candidates, obstacles, taken: candidates }), undefined);
  });
});

describe('the interval bars', () => {
  it('are one for each but the baseline, on one axis with 1 in the middle', () => {
    const { bars, axis } = createIntervalBars(reportAt(1).rows);
    assert.deepEqual(
      bars.map(({ transport }) => transport),
      ['xhr', 'ws', 'sockjs'],
    );
    const one = all(axis, ({ children }) => children[0] === '1x')[0];
    assert.equal(one.attributes.x, '50.00%');
    for (const { words } of bars) assert.match(words, /^faster: [\d.]+x \([\d.]+–[\d.]+\)$/);
    for (const { picture } of bars) {
      const [line] = all(picture ?? assert.fail(), ({ attributes }) => attributes.class === 'interval');
      const [low, high] = [line.attributes.x1, line.attributes.x2].map(parseFloat);
      assert.ok(low > 50 && low < high && high <= 100, `${low} ${high}`);
    }
  });

  for (const [high, words] of /** @type {const} */ ([
    [9.7, ['1x', '0.2x', '0.5x', '2x', '5x']],
    [95, ['1x', '0.1x', '10x']],
  ])) {
    it(`have at least three ticks where their axis ends just beyond a power of 10: ${high}`, () => {
      const [first] = reportAt(1).rows.filter(({ comparison }) => comparison);
      const speedRatio = { low: 2.7, estimate: 5.1, high };
      const { axis } = createIntervalBars(/** @type {any} */ ([{ ...first, comparison: { speedRatio } }]));
      const ticks = all(axis, ({ attributes }) => attributes.class === 'tick');
      assert.deepEqual(
        ticks.map(({ children }) => children[0]),
        words,
      );
    });
  }

  it('count failures, and say where nothing was measured', () => {
    const failures = [{ outcome: /** @type {const} */ ('closed'), message: 'x' }];
    const rows = reportAt(1).rows.map((row) =>
      row.transport === 'ws' ? { ...row, failures, comparison: { ...row.comparison, speedRatio: undefined } } : row,
    );
    const bar = createIntervalBars(/** @type {any} */ (rows)).bars[1];
    assert.deepEqual([bar.picture, bar.words], [undefined, 'not enough samples; failures: 1 closed']);
  });
});

describe('logTicks', () => {
  it('gives as few as are enough', () => {
    assert.deepEqual(logTicks({ low: 0.9, high: 12 }), [1, 2, 5, 10]);
    assert.deepEqual(logTicks({ low: 0.8, high: 1.35 }), [0.8, 0.9, 1, 1.1, 1.2, 1.3]);
  });
});

describe('nameBrowser', () => {
  for (const [name, userAgent] of [
    [
      'Chrome 156',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36',
    ],
    [
      'Edge 140',
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    ],
    ['Firefox 145', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
    [
      'Safari 18',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    ],
    ['Node.js 20', 'Node.js v20.19.0'],
    ['Unknown browser', 'curl/8'],
  ]) {
    it(name, () => assert.equal(nameBrowser(userAgent), name));
  }
});
