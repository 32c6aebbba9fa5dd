import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import { quantile } from '../../../core/base/statistics.js';
import { createRandom } from '../../../core/base/random.js';
import { formatUsersCsv, formatUsersJson, formatUsersMarkdown, formatUsersText } from '../../../core/field/export.js';
import { findUsers, MIN_ZONE_BROWSERS } from '../../../core/field/find.js';
import { formatLine, parseSample } from '../../../core/field/line.js';
import { describeLimit, findSameMs } from '../../../core/field/limit.js';
import { drawDistances, legendOf } from '../../../core/field/picture.js';
import { createRecordSchema, EXAMPLE_RECORD, findContradiction } from '../../../core/field/record.js';
import { MIN_ADVISED, summarizeSpeed, summarizeUsers } from '../../../core/field/sentence.js';
import { countersOf } from '../../../core/field/tally.js';
import { useGolden } from '../../support/golden.js';
import { createRecord } from '../../support/field-records.js';

/** @import { FieldRecord } from '../../../core/field/record.js' */

const matchGolden = useGolden(import.meta.url);

const MET = { browser: 'Chrome 142', day: '2026-11-28' };
const STUDY = {
  label: 'dashboard',
  origins: ['https://shop.example'],
  sample: 0.01,
  isOn: true,
  createdAt: '2026-11-14T08:00:00.000Z',
};

/** @param {readonly FieldRecord[]} records @param {(index: number) => typeof MET} [metAt] */
function find(records, metAt = () => MET) {
  /** @type {Map<string, number>} */
  const counters = new Map();
  for (const [i, record] of records.entries())
    for (const [name, amount] of countersOf(record, metAt(i))) counters.set(name, (counters.get(name) ?? 0) + amount);
  return findUsers(counters);
}

/** @param {number} count @param {Parameters<typeof createRecord>[0]} [given] */
const many = (count, given) => Array.from({ length: count }, () => createRecord(given));

describe('a record', () => {
  const schema = createRecordSchema(v);

  it('is checked: its example and a cut one pass, and whatever no script sends does not', () => {
    const cut = { ...createRecord(), ending: 'hidden', socket: undefined, stream: undefined, blocks: [] };
    for (const record of [EXAMPLE_RECORD, cut])
      assert.ok(v.safeParse(schema, JSON.parse(JSON.stringify(record))).success);
    for (const wrong of [
      { version: 2 },
      { study: '' },
      { ending: 'done' },
      { zone: '../../etc' },
      { zone: '+01:00' },
      { connection: 'carrier pigeon' },
      { blocks: Array.from({ length: 7 }, () => ({ requestMs: 1 })) },
      { blocks: [{ requestMs: 0 }] },
      { blocks: [{ requestMs: Infinity }] },
      { tookMs: -1 },
      { address: '192.0.2.1' },
    ])
      assert.ok(!v.safeParse(schema, { ...createRecord(), ...wrong }).success, JSON.stringify(wrong));
  });

  it('that contradicts itself is found', () => {
    assert.equal(findContradiction(createRecord()), undefined);
    for (const wrong of [
      { socket: undefined },
      { stream: undefined },
      { blocks: createRecord().blocks.slice(1) },
      { socket: /** @type {const} */ ('failed') },
      { tookMs: 100 },
    ])
      assert.equal(typeof findContradiction({ ...createRecord(), ...wrong }), 'string', JSON.stringify(wrong));
  });
});

describe('the users of a study', () => {
  it('are shares with intervals of those who said it, by the best that they got', () => {
    const { all } = find([
      ...many(978),
      ...many(20, { socket: 'failed' }),
      ...many(2, { socket: 'timeout', more: { stream: 'batched' } }),
    ]);
    assert.equal(all.count, 1000);
    assert.deepEqual(
      Object.values(all.got).map(({ count }) => count),
      [978, 20, 2, 0],
    );
    // Wilson's score for 978 of 1000.
    const { share } = all.got.opened;
    assert.deepEqual(
      [share?.estimate, Number(share?.low.toFixed(4)), Number(share?.high.toFixed(4))],
      [0.978, 0.9669, 0.9854],
    );
  });

  it('have verdicts by the rule of all tests, of those with a WebSocket alone', () => {
    const { all } = find([
      ...many(30, { ratio: 1.3 }),
      ...many(50, { ratio: 1.03 }),
      ...many(10, { ratio: 0.8 }),
      ...many(10, { socket: 'failed' }),
    ]);
    const { faster, same, slower } = all.verdicts;
    assert.deepEqual([faster.count, same.count, slower.count, faster.of], [30, 50, 10, 90]);
  });

  it('have quantiles of round-trip times within half a bin, however they are spread', () => {
    const random = createRandom(7);
    const times = Array.from({ length: 2000 }, () => 20 * Math.exp(2.5 * random()));
    const { all } = find(times.map((requestMs) => createRecord({ requestMs })));
    const sorted = times.sort((a, b) => a - b);
    for (const [name, share] of /** @type {const} */ ([
      ['p50', 0.5],
      ['p75', 0.75],
      ['p95', 0.95],
    ])) {
      const truth = Number(quantile(sorted, share));
      assert.ok(
        Math.abs(Number(all.rttMs[name]) / truth - 1) < 0.03,
        `${name}: ${all.rttMs[name]}, and it is ${truth}`,
      );
    }
  });

  it('have a row for a time zone from 20 browsers on, and nothing is said of fewer', () => {
    const inZone = (/** @type {string} */ zone, /** @type {number} */ count) => many(count, { more: { zone } });
    const few = find([...inZone('Europe/Paris', MIN_ZONE_BROWSERS), ...inZone('Asia/Tokyo', MIN_ZONE_BROWSERS - 1)]);
    assert.deepEqual(
      few.zones.map(({ name, count }) => [name, count]),
      [['Europe/Paris', MIN_ZONE_BROWSERS]],
    );
    assert.deepEqual(few.others, { zoneCount: 1, count: MIN_ZONE_BROWSERS - 1 });
    assert.ok(!formatUsersJson(STUDY, few).includes('Tokyo'));
    const more = find([...inZone('Europe/Paris', 19), ...inZone('Asia/Tokyo', 19)]);
    assert.deepEqual([more.zones.length, more.others?.zoneCount, more.others?.users?.count], [0, 2, 38]);
  });

  it('leave out programs, contradictions and runs cut short, and count them', () => {
    const { all, apart } = find([
      ...many(3),
      createRecord({ more: { isAutomated: true } }),
      createRecord({ more: { tookMs: 1 } }),
      createRecord({ more: { ending: 'busy', blocks: [] } }),
    ]);
    assert.equal(all.count, 3);
    assert.deepEqual(apart, { automated: 1, contradictory: 1, cut: 1 });
  });

  it('add up from parts in any order, as workers and days count apart', () => {
    const records = [...many(40, { ratio: 1.4 }), ...many(60, { socket: 'failed' })];
    assert.deepEqual(find(records.toReversed()), find(records));
  });
});

describe('what a study of users says', () => {
  /** @type {Record<string, Parameters<typeof find>[0]>} */
  const outcomes = {
    'nobody yet': [],
    'only one': many(1),
    'two of three': [...many(2), ...many(1, { socket: 'failed' })],
    'too few': many(MIN_ADVISED - 1),
    'all, and too few to be sure': many(150),
    all: many(2000),
    'streams for all others': [...many(1177), ...many(27, { socket: 'failed' })],
    'streams in batches for some': [
      ...many(1170),
      ...many(20, { socket: 'failed' }),
      ...many(10, { socket: 'failed', more: { stream: 'batched' } }),
    ],
    'only requests for some': [
      ...many(1150),
      ...many(40, { socket: 'timeout' }),
      ...many(14, { socket: 'timeout', more: { stream: 'failed' } }),
    ],
  };

  it('follows from rules, whose sentences are in a golden file', (t) => {
    const said = Object.entries(outcomes).map(([name, records]) => {
      const { all } = find(records);
      return `${name}: ${summarizeUsers(all)} ${summarizeSpeed(all)}`.trim();
    });
    const mixed = find(
      [
        ...many(300, { requestMs: 22, ratio: 1.25 }),
        ...many(150, { requestMs: 104, ratio: 1.04, more: { zone: 'America/New_York' } }),
        ...many(30, { requestMs: 148, socket: 'failed', more: { zone: 'Asia/Tokyo' } }),
        ...many(12, { more: { zone: 'Asia/Seoul' } }),
        createRecord({ more: { ending: 'hidden', blocks: [] } }),
      ],
      (i) => ({ browser: i % 3 ? 'Chrome 142' : 'Firefox 145', day: i % 2 ? '2026-11-14' : '2026-11-28' }),
    );
    const exports = [formatUsersText(STUDY, mixed), formatUsersMarkdown(STUDY, mixed), formatUsersCsv(mixed)];
    matchGolden(t, 'field', `${said.join('\n')}\n\n${exports.join('\n')}`);
  });

  it('says how many may need a fallback, and keeps one where they may be more than one in a hundred', () => {
    assert.match(summarizeUsers(find(outcomes['all, and too few to be sure']).all), /^(?!.*No fallback).*\bKeep\b/s);
    const { all } = find(outcomes.all);
    const most = Number((100 * (1 - Number(all.got.opened.share?.low))).toFixed(1));
    assert.match(summarizeUsers(all), new RegExp(`\\bneeded; at most ${most}% `));
    assert.match(summarizeUsers(find(many(10_000)).all), /\bneeded; under 0\.1% /);
  });

  it('never rounds a share to all or none that is not', () => {
    const { all } = find([...many(4999), createRecord({ socket: 'failed' })]);
    assert.match(summarizeUsers(all), /^over 99\.9% of 5,000 browsers/i);
  });
});

describe('the picture of distances', () => {
  it('has a part for each verdict of a bar, as tall as its share, and says it in words', () => {
    const { bands } = find([
      ...many(30, { requestMs: 25, ratio: 1.4 }),
      ...many(10, { requestMs: 25, socket: 'failed' }),
    ]);
    const picture = drawDistances(bands, { width: 640, height: 240 });
    const heights = picture.children.flatMap((child) =>
      typeof child !== 'string' && child.tag === 'rect' ? [[child.attributes.class, child.attributes.height]] : [],
    );
    assert.deepEqual(
      heights.map(([kind]) => kind),
      ['users-faster', 'users-none'],
    );
    assert.deepEqual(
      legendOf(bands).map(({ kind }) => kind),
      ['users-faster', 'users-none'],
    );
    assert.ok(Math.abs(Number(heights[0][1]) / Number(heights[1][1]) - 3) < 0.01);
    assert.match(String(picture.attributes['aria-label']), /20 to 40 ms: 40/);
  });
});

describe('the speed-up by distance', () => {
  it('is the geometric mean of a bar’s browsers, from five on', () => {
    const { bands } = find([
      ...many(5, { requestMs: 30, ratio: 1.2 }),
      ...many(5, { requestMs: 30, ratio: 1.5 }),
      ...many(4, { requestMs: 90, ratio: 1.05 }),
    ]);
    assert.deepEqual(
      bands.map(({ fromMs, speedUp }) => [fromMs, speedUp && Number(speedUp.toFixed(2))]),
      [
        [20, Number(Math.sqrt(1.2 * 1.5).toFixed(2))],
        [80, undefined],
      ],
    );
  });

  it('falls below 10% where a line between two means does, for the last time', () => {
    const points = [1.4, 1.05, 1.2, 1.0].map((speedUp, i) => ({ ms: 10 + 20 * i, speedUp }));
    assert.equal(Number(findSameMs(points)?.toFixed(6)), 60);
    assert.equal(findSameMs(points.slice(0, 1)), undefined);
    assert.equal(findSameMs([{ ms: 10, speedUp: 1.02 }]), undefined);
  });

  it('is said with the share of those who are farther away, or that there are none', () => {
    const near = many(30, { requestMs: 30, ratio: 1.4 });
    const far = many(10, { requestMs: 90, ratio: 1.05 });
    const limitOf = (/** @type {typeof near} */ records) => describeLimit(find(records).bands);
    assert.match(limitOf([...near, ...far]), /^About 23% of browsers are over 81 ms away; /);
    assert.match(limitOf(near), / even at the farthest distance\.$/);
    assert.match(limitOf(far), / at any distance\.$/);
    assert.equal(limitOf(near.slice(0, 4)), '');
  });
});

describe('the line of HTML', () => {
  it('names site, study and sample, and nothing in them ends it', () => {
    const line = formatLine('https://site.example/base', { label: 'a "b" <c> & d', sample: 0.005 });
    assert.equal(
      line,
      '<script type="module" src="https://site.example/base/field.js" data-study="a &quot;b&quot; &lt;c&gt; &amp; d" data-sample="0.5%"></script>',
    );
  });

  it('has a sample that is read as it is written', () => {
    assert.deepEqual(['1%', '0.01', '100%', '1', ' 0.5 % '].map(parseSample), [0.01, 0.01, 1, 1, 0.005]);
    assert.deepEqual(['', 'all', '-1%', '101%', '2', '1e3', undefined].map(parseSample), Array(7).fill(undefined));
  });
});
