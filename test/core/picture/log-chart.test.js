import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '../../../core/base/random.js';
import { widthOf } from '../../../core/picture/svg.js';
import { drawLogChart } from '../../../core/picture/log-chart.js';

/** Half the height of the letters of a line, which is less than that of the line. */
const HALF_PX = 6;

const LABELS = [
  'Polling every 250 ms',
  'Polling every 100 ms',
  'Long polling',
  'EventSource',
  'One WebSocket per user',
  'One SockJS connection per user',
];

const PICTURES = 20;

/** @param {any} svg @param {string} name */
const withClass = (svg, name) => svg.children.filter((/** @type {any} */ { attributes }) => attributes.class === name);

/** @param {any} text @returns {{ words: string, left: number, right: number, top: number, bottom: number }[]} of its lines */
function boxesOf({ attributes: whole, children }) {
  const lines = children[0].attributes ? children : [{ attributes: whole, children }];
  return lines.map((/** @type {any} */ { attributes: { x, y }, children: [words] }) => {
    const left = { start: x, end: x - widthOf(words), middle: x - widthOf(words) / 2 }[String(whole['text-anchor'])];
    return { words, left, right: left + widthOf(words), top: y - HALF_PX, bottom: y + HALF_PX };
  });
}

/** @param {any} a @param {any} b */
const cross = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

describe('the names of a picture', () => {
  it('cover neither each other nor a dot or its interval, from the smallest phone to a desktop', () => {
    const random = createRandom(7);
    for (const width of [254, 326, 640, 1080]) {
      for (let i = 0; i < PICTURES; i++) {
        const dots = LABELS.map((label) => {
          const y = 10 ** (2.5 * random());
          return {
            label,
            colour: 'ajax',
            x: 10 ** random(),
            y,
            interval: { estimate: y, low: y * 0.7, high: y * 1.4 },
          };
        });
        const axis = { title: 'ms', logBase: /** @type {const} */ (10) };
        const svg = drawLogChart(
          { x: axis, y: axis, values: [], lines: [], dots },
          { width, height: Math.max(340, Math.min(400, width)) },
        );
        const names = withClass(svg, 'name');
        // Those for which there is no room stand beneath the picture.
        assert.equal(names.length, dots.length);
        const boxes = names.map(boxesOf);
        const marks = [
          ...svg.children.flatMap((/** @type {any} */ { tag, attributes: { cx, cy, r } }) =>
            tag === 'circle' ? [{ words: 'dot', left: cx - r, right: cx + r, top: cy - r, bottom: cy + r }] : [],
          ),
          ...withClass(svg, 'whisker').map((/** @type {any} */ { attributes: { x1, y1, y2 } }) => ({
            ...{ words: 'interval', left: x1 - 1, right: x1 + 1, top: Math.min(y1, y2), bottom: Math.max(y1, y2) },
          })),
          ...withClass(svg, 'tick').flatMap(boxesOf),
        ];
        boxes.forEach((/** @type {any[]} */ lines, /** @type {number} */ at) => {
          for (const one of lines) {
            assert.ok(one.left >= 0 && one.right <= width, `${width}: ${one.words} is cut off`);
            for (const other of [...boxes.slice(at + 1).flat(), ...marks])
              assert.ok(!cross(one, other), `${width}, picture ${i}: ${one.words} covers ${other.words}`);
          }
        });
      }
    }
  });
});
