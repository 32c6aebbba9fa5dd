import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawTimeline } from '../../../core/picture/timeline.js';
import { rowOf, TIMELINE } from '../../fixtures/timeline.js';

/**
 * @import { SvgNode } from '../../../core/picture/svg.js'
 * @import { Timeline } from '../../../core/picture/timeline.js'
 * @typedef {{ words: string, left: number, right: number, top: number, bottom: number }} Box
 */

const WIDTHS = [256, 320, 390, 620, 900];
/** DejaVu Sans at 14 px, a wide font: its average, bold or not. */
const LETTER_PX = { name: 8.6, tick: 7.4 };
/** Half the height of its letters. */
const HALF_PX = 7;

const FIRST = { from: 0, noticed: 0.1, back: 1.2 };
/** @type {Readonly<Record<string, Timeline>>} */
const TIMELINES = {
  'five methods': TIMELINE,
  'flags at both ends, in another order, and almost at one time': {
    ...TIMELINE,
    rows: [
      rowOf('At once', 'ws', FIRST),
      rowOf('Before the band', 'ws', { from: -4, noticed: -4, back: -3.9 }),
      rowOf('Back before it was noticed', 'ws', { from: 0, noticed: 9, back: 8.9 }),
      rowOf('At the end', 'ws', { from: 0, noticed: 29.5, back: 30, isReplayed: true }),
    ],
  },
  'two cuts in a row of its own': {
    ...TIMELINE,
    rows: [
      rowOf('Calm', 'ajax', FIRST),
      {
        ...rowOf('Cut twice', 'ws', FIRST),
        flags: [FIRST, { noticed: 1.5, back: 2.5 }].flatMap(
          ({ noticed, back }) => rowOf('', 'ws', { from: 0, noticed, back }).flags,
        ),
      },
    ],
  },
  '20 messages a second for 60 s': {
    ...TIMELINE,
    range: [0, 60],
    rows: TIMELINE.rows.map((row) => ({
      ...row,
      messages: Array.from({ length: 1200 }, (_, i) => ({
        due: i / 20,
        arrived: i % 3 ? i / 20 + 5 : undefined,
        isLate: i % 3 === 1,
      })),
    })),
  },
};

/**
 * @param {SvgNode} tree
 * @param {(node: SvgNode) => boolean} has
 * @param {SvgNode[]} [found] to which those of the tree are added
 */
function find(tree, has, found = []) {
  if (has(tree)) found.push(tree);
  for (const child of tree.children) if (typeof child !== 'string') find(child, has, found);
  return found;
}

/** @param {SvgNode} tree without its legend @param {string} name @returns {number} */
function countOf(tree, name) {
  const rest = {
    ...tree,
    children: tree.children.filter((one) => typeof one === 'string' || one.attributes.class !== 'key'),
  };
  return find(rest, ({ attributes }) => String(attributes.class).split(' ').includes(name)).length;
}

/** @param {SvgNode} tree @returns {Box[]} */
const boxesIn = (tree) =>
  find(tree, ({ tag }) => tag === 'text').map(({ attributes, children }) => {
    const words = String(children[0]);
    const px = words.length * (attributes.class === 'name' ? LETTER_PX.name : LETTER_PX.tick);
    const [x, y] = [Number(attributes.x), Number(attributes.y)];
    const left = x - px * { start: 0, middle: 0.5, end: 1 }[/** @type {'start'} */ (attributes['text-anchor'])];
    return { words, left, right: left + px, top: y - HALF_PX, bottom: y + HALF_PX };
  });

/** @param {SvgNode} tree @returns {Box[]} */
const polesIn = (tree) =>
  find(tree, ({ attributes }) => attributes.class === 'pole').map(({ attributes: { x1, y1, y2 } }) => ({
    ...{ words: 'a pole', left: Number(x1), right: Number(x1) },
    ...{ top: Number(y1), bottom: Number(y2) },
  }));

/** @param {Box} a @param {Box} b */
const overlaps = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** @param {SvgNode} tree @returns {[x: number, y: number][]} the ends of all that is drawn */
const pointsIn = (tree) =>
  find(tree, () => true).flatMap(({ tag, attributes: a }) => {
    /** @param {(string | number)[]} values @returns {[number, number]} */
    const point = (...values) => [Number(values[0]), Number(values[1])];
    if (tag === 'line') return [point(a.x1, a.y1), point(a.x2, a.y2)];
    if (tag === 'polygon')
      return String(a.points)
        .split(' ')
        .map((one) => point(...one.split(',')));
    if (tag === 'rect') return [point(a.x, a.y), point(Number(a.x) + Number(a.width), Number(a.y) + Number(a.height))];
    if (tag === 'circle')
      return [-1, 1].map((sign) => point(Number(a.cx) + sign * Number(a.r), Number(a.cy) + sign * Number(a.r)));
    if (tag === 'path') return [point(...String(a.d).slice(1).split(/[ l]/))];
    return [];
  });

describe('a timeline', () => {
  for (const width of WIDTHS) {
    it(`has a mark for each message and flag, at ${width} px`, () => {
      const tree = drawTimeline(TIMELINE, { width });
      const marks = ['in-time', 'late', 'delay', 'arrival', 'lost', 'noticed', 'back'].map((name) =>
        countOf(tree, name),
      );
      const late = 46 + 17 + 46;
      assert.deepEqual(marks, [340 - late - 42 - 17, late, late, late, 42 + 17, 5, 5]);
    });

    for (const [title, timeline] of Object.entries(TIMELINES)) {
      it(`has no two labels that overlap, no pole through one, and nothing outside, at ${width} px: ${title}`, () => {
        const tree = drawTimeline(timeline, { width });
        const height = Number(tree.attributes.height);
        const [labels, poles] = [boxesIn(tree), polesIn(tree)];
        const overlapping = labels.flatMap((label, i) =>
          [...labels.slice(i + 1), ...poles].filter((other) => overlaps(label, other)).map((other) => [label, other]),
        );
        assert.deepEqual(overlapping, []);
        const outside = labels.filter(
          ({ left, right, top, bottom }) => left < 0 || right > width || top < 0 || bottom > height,
        );
        assert.deepEqual(outside, []);
        assert.deepEqual(
          pointsIn(tree).filter(([x, y]) => !(x >= 0 && x <= width && y >= 0 && y <= height)),
          [],
        );
      });
    }
  }

  it('names its rows beside them where there is room, else above', () => {
    const [wide, narrow] = [900, 390].map((width) => {
      const tree = drawTimeline(TIMELINE, { width });
      const name = boxesIn(tree).find(({ words }) => words === 'EventSource');
      const [dot] = find(tree, ({ attributes }) => attributes.class === 'late').slice(-1);
      return Number(dot.attributes.cy) - Number(name?.bottom) + HALF_PX;
    });
    assert.equal(wide, 0);
    assert.ok(narrow > 2 * HALF_PX);
  });

  const keysOf = (/** @type {Timeline} */ timeline, legendOf = [timeline]) =>
    find(drawTimeline(timeline, { width: 900, legendOf }), ({ attributes }) => attributes.class === 'key').map(
      (key) => boxesIn(key)[0].words,
    );

  it('explains only the marks that occur', () => {
    const [, sockjs] = TIMELINE.rows;
    const calm = { ...sockjs, messages: [{ due: 1, arrived: 1.1 }], flags: [] };
    assert.deepEqual(keysOf(TIMELINE), ['in time', 'late, and its arrival', 'lost', 'noticed', 'back']);
    assert.deepEqual(keysOf({ ...TIMELINE, rows: [sockjs] }), ['in time', 'lost', 'noticed', 'back']);
    assert.deepEqual(keysOf({ ...TIMELINE, rows: [calm] }), ['in time']);
    assert.deepEqual(keysOf({ ...TIMELINE, rows: [] }), []);
  });

  it('explains those of several once', () => {
    const [, sockjs] = TIMELINE.rows;
    const one = { ...TIMELINE, rows: [sockjs] };
    assert.deepEqual(keysOf(one, [one, TIMELINE]), keysOf(TIMELINE));
    assert.deepEqual(keysOf(TIMELINE, []), []);
  });

  it('says in words what each row shows', () => {
    const { role, 'aria-label': label } = drawTimeline(TIMELINE, { width: 320 }).attributes;
    assert.equal(role, 'img');
    const facts = [
      'Seconds since the connection went silent',
      'from 0 to 20 s',
      'Polling every 2 s: 22 in time, 46 late, 0 lost, noticed 20.0 s, back 22.1 s',
      'SockJS: 26 in time, 0 late, 42 lost, noticed 20.0 s, back 21.1 s',
      'SockJS + 5 s ping: 51 in time, 0 late, 17 lost, noticed 7.6 s, back 8.7 s',
      'WebSocket + ping + replay: 51 in time, 17 late, 0 lost, noticed 7.6 s, back 8.7 s',
      'EventSource: 22 in time, 46 late, 0 lost, noticed 20.0 s, back 23.2 s',
    ];
    assert.deepEqual(
      facts.filter((fact) => !String(label).includes(fact)),
      [],
    );
  });
});
