import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawLane, formatLaneTime, roundSpan } from '../../../core/picture/lanes.js';

/** @import { SvgNode } from '../../../core/picture/svg.js' */

const FRAME = { width: 1000, spanMs: 10_000, nowMs: 20_000, formatMs: (/** @type {number} */ ms) => `${ms} ms` };

/** @param {SvgNode} lane @param {string} name @returns {SvgNode[]} */
const marks = (lane, name) =>
  lane.children.flatMap((child) =>
    typeof child !== 'string' && String(child.attributes.class).split(' ')[0] === name ? [child] : [],
  );

describe('a lane', () => {
  it('leads from what begins to what ends, now at the right edge', () => {
    const lane = drawLane({ exchanges: [{ beginsMs: 12_000, endsMs: 13_000 }] }, FRAME);
    const [way] = marks(lane, 'way');
    assert.deepEqual([way.attributes.x1, way.attributes.x2], [200, 300]);
    assert.deepEqual([marks(lane, 'begins')[0].attributes.cx, marks(lane, 'ends')[0].attributes.cx], [200, 300]);
    assert.equal(lane.attributes.width, 1000);
  });

  it('has dashes where something is under way', () => {
    const exchanges = [
      { beginsMs: 18_000, endsMs: 19_999 },
      { beginsMs: 18_000, endsMs: 20_001 },
    ];
    const ways = marks(drawLane({ exchanges }, FRAME), 'way');
    assert.deepEqual(
      ways.map(({ attributes }) => attributes.class),
      ['way', 'way under'],
    );
  });

  it('is drawn as far ahead as asked, and leaves out what is over', () => {
    const exchanges = [1000, 9_999, 10_000, 25_000, 25_001].map((ms) => ({ beginsMs: ms, endsMs: ms }));
    const lane = drawLane({ exchanges }, { ...FRAME, aheadMs: 5000 });
    assert.equal(lane.attributes.width, 1500);
    assert.deepEqual(
      marks(lane, 'begins').map(({ attributes }) => attributes.cx),
      [0, 1500],
    );
  });

  it('has a tick for each poll, faint where it found nothing', () => {
    const exchanges = [{ beginsMs: 13_000, endsMs: 15_100, poll: 5 }];
    const ticks = marks(drawLane({ exchanges, poll: { periodMs: 3000 } }, FRAME), 'tick');
    assert.deepEqual(
      ticks.map(({ attributes }) => [attributes.x1, attributes.class]),
      [
        [200, 'tick idle'],
        [500, 'tick'],
        [800, 'tick idle'],
      ],
    );
  });

  it('says how long the last one took, on the side where there is room', () => {
    const takes = (/** @type {number} */ endsMs) => {
      const [text] = marks(
        drawLane(
          {
            exchanges: [
              { beginsMs: endsMs - 400, endsMs },
              { beginsMs: 19_900, endsMs: 20_100 },
            ],
          },
          FRAME,
        ),
        'last',
      );
      return [text.children[0], text.attributes['text-anchor']];
    };
    assert.deepEqual(takes(15_000), ['400 ms', 'start']);
    assert.deepEqual(takes(19_800), ['400 ms', 'end']);
  });

  it('has smaller dots where there are many, which do not touch', () => {
    const exchanges = Array.from({ length: 100 }, (_, i) => ({ beginsMs: 10_000 + 100 * i, endsMs: 10_050 + 100 * i }));
    const [{ attributes }] = marks(drawLane({ exchanges }, FRAME), 'begins');
    assert.ok(Number(attributes.r) <= 5, String(attributes.r));
  });
});

describe('exchanges that would be a comb', () => {
  /** @param {number} count @param {number} apartMs */
  const drawMany = (count, apartMs) => {
    const exchanges = Array.from({ length: count }, (_, i) => {
      const beginsMs = 20_000 - (count - i) * apartMs;
      return { beginsMs, endsMs: beginsMs + apartMs };
    });
    return drawLane({ exchanges }, { ...FRAME, noun: 'messages' });
  };

  it('are few shapes with their numbers, of which none is left out', () => {
    const lane = drawMany(1000, 10);
    assert.deepEqual([marks(lane, 'way'), marks(lane, 'begins')], [[], []]);
    const numbers = marks(lane, 'number').map(({ children }) => String(children[0]));
    assert.ok(numbers.length >= 6 && numbers.length <= 9, numbers.join());
    // There is no room for more in a part of one at an edge.
    assert.ok(
      numbers.slice(1, -1).every((one) => one.endsWith(' messages')),
      numbers.join(),
    );
    assert.equal(
      numbers.reduce((sum, one) => sum + Number.parseInt(one), 0),
      1000,
    );
    assert.equal(marks(lane, 'bundle').length, numbers.length);
  });

  it('are drawn one by one where they are further apart', () => {
    const lane = drawMany(80, 120);
    assert.deepEqual([marks(lane, 'way').length, marks(lane, 'bundle').length], [80, 0]);
  });
});

it('a span is 1, 2 or 5 times a power of ten, and not shorter', () => {
  assert.deepEqual([9, 10, 11, 43, 51, 1020].map(roundSpan), [10, 10, 20, 50, 100, 2000]);
});

it('times of an axis have their unit', () => {
  assert.deepEqual(
    [0.5, 30, 1000, 8500, 60_000, 600_000].map((ms) => formatLaneTime(ms)),
    ['0.5 ms', '30 ms', '1 s', '8.5 s', '60 s', '10 min'],
  );
});

it('times of one axis have the same unit', () => {
  assert.deepEqual(
    [0, 800, 2000].map((ms) => formatLaneTime(ms, 2000)),
    ['0 s', '0.8 s', '2 s'],
  );
});
