/** Draws messages over time, a row for each method: those in time, late and lost, and flags of what its client did. */
import { formatSigned } from '../base/format.js';
import { line, node, round, text, widthOf } from './svg.js';
import {
  createFrame,
  FALL_PX,
  KEY_GAP_PX,
  LABEL_PX,
  LINE_PX,
  messageMarkOf,
  PENNANT_PX,
  POLE_PX,
} from './timeline-frame.js';

/**
 * @import { Point, SvgNode } from './svg.js'
 * @import { Flag, Frame, MessageMark, Side } from './timeline-frame.js'
 *
 * @typedef {object} Timeline messages over time, a row for each method, as data; times are in seconds, and those
 *   outside `range` are drawn at its end
 * @property {string} [heading]
 * @property {string} caption below the axis, such as 'Seconds since the connection went silent'
 * @property {{ from: number, to: number, label: string }} [band]
 * @property {readonly [from: number, to: number]} range
 * @property {readonly TimelineRow[]} rows
 *
 * @typedef {object} TimelineRow
 * @property {string} label
 * @property {string} colour the name of a custom property, without its dashes
 * @property {readonly { due: number, arrived?: number, isLate?: boolean, isOpen?: boolean }[]} messages `arrived`: absent if it is
 *   lost; `isLate`: a line leads from its due time to its arrival; `isOpen`: it may still come
 * @property {readonly { kind: 'noticed' | 'back', at: number, label: string }[]} flags `label`: with its time, such as
 *   'noticed 7.6 s'
 */

/** The height of a pole's foot above the messages. */
const FOOT_PX = 8;
const ARRIVAL_PX = 2;
const KEY_DOT_PX = 3.5;
const TICK_GAP_PX = 44;
/** The distances between ticks, in seconds. */
const STEPS = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 600];

/**
 * @param {Timeline} timeline
 * @param {{ width: number, legendOf?: readonly Timeline[] }} options `width`: in CSS pixels; the picture is as high as its rows need;
 *   `legendOf`: whose marks its legend explains, if not its own: those of several beneath each other, or none
 * @returns {SvgNode} with its text alternative
 */
export function drawTimeline(timeline, { width, legendOf = [timeline] }) {
  const frame = createFrame(timeline, { width, legendOf });
  const { height } = frame;
  return node(
    'svg',
    {
      class: 'timeline',
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: 'img',
      'aria-label': describe(timeline),
    },
    ...drawBand(timeline, frame),
    ...frame.keys.map(drawKey),
    ...timeline.rows.flatMap((row, i) => drawRow(row, frame.rows[i], frame)),
    ...drawAxis(timeline, frame),
  );
}

/** @param {Timeline} timeline @returns {string} sentences */
function describe({ heading, caption, band, rows }) {
  const said = rows.map(({ label, messages, flags }) => {
    const marks = messages.map(messageMarkOf);
    const [inTime, late, lost, open] = ['in-time', 'late', 'lost', 'open'].map(
      (name) => marks.filter((mark) => mark === name).length,
    );
    const counts = [`${inTime} in time`, `${late} late`, open > 0 ? `${open} not there yet` : `${lost} lost`];
    return `${label}: ${[...counts, ...flags.map((flag) => flag.label)].join(', ')}`;
  });
  const during = band ? [`${band.label}, from ${band.from} to ${band.to} s`] : [];
  const parts = [heading ? `Timeline, ${heading}` : 'Timeline', caption, ...during, said.join('; ')];
  return parts.map((part) => `${part}.`).join(' ');
}

/** @param {Timeline} timeline @param {Frame} frame @returns {SvgNode[]} */
function drawBand({ band }, { x, top, bottom, width, bandLines }) {
  if (!band) return [];
  const [from, to] = [x(band.from), x(band.to)];
  const size = { x: round(from), y: top, width: round(to - from), height: bottom - top };
  const firstY = top - LINE_PX * (bandLines.length - 0.5);
  return [
    node('rect', { class: 'band', ...size }),
    ...bandLines.map((words, i) => textAround(words, { x: (from + to) / 2, y: firstY + i * LINE_PX }, width)),
  ];
}

/**
 * Draws a text around a point, or as near to it as there is room.
 * @param {string} words @param {Point} at @param {number} width
 */
function textAround(words, { x, y }, width) {
  const half = Math.min(width, widthOf(words) + 2) / 2;
  return text(words, { x: Math.max(half, Math.min(width - half, x)), y }, 'middle');
}

/** @param {Frame['keys'][number]} key */
function drawKey({ mark, words, widthPx, x, y }) {
  const label = text(words, { x: x + widthPx + KEY_GAP_PX, y }, 'start');
  if (mark === 'noticed' || mark === 'back') {
    const side = mark === 'noticed' ? -1 : 1;
    const foot = { x: side < 0 ? x + widthPx - 1 : x + 1, y: y + (POLE_PX + FOOT_PX) / 2 };
    return node('g', { class: 'key' }, ...drawFlag(mark, foot, side), label);
  }
  const from = { x: x + KEY_DOT_PX + 0.5, y: mark === 'late' ? y - 3 : y };
  const to = { x: x + widthPx - ARRIVAL_PX, y: y + 5 };
  return node('g', { class: 'key' }, ...drawMessage(mark, { from, to, dotPx: KEY_DOT_PX }), label);
}

/** @param {TimelineRow} row @param {Frame['rows'][number]} place @param {Frame} frame @returns {SvgNode[]} */
function drawRow({ colour, messages, flags }, { y, bottom, heads, sides }, { x, width, dotPx, isBeside }) {
  const name = { class: 'name', fill: `var(--${colour})` };
  const marks = messages.flatMap((message) => {
    const to = { x: x(message.arrived ?? message.due), y: y + FALL_PX };
    return drawMessage(messageMarkOf(message), { from: { x: x(message.due), y }, to, dotPx });
  });
  const isLine = (/** @type {SvgNode} */ { tag }) => tag === 'line';
  return [
    line('row-end', { x: 0, y: bottom }, { x: width, y: bottom }),
    ...heads.map(({ words, isName, ...at }) => text(words, at, 'start', isName ? name : undefined)),
    // No line crosses a message.
    node('g', { color: `var(--${colour})` }, ...marks.filter(isLine), ...marks.filter((mark) => !isLine(mark))),
    ...flags.flatMap(({ kind, at, label }, i) => {
      const foot = { x: x(at), y };
      return [...drawFlag(kind, foot, sides[i]), ...(isBeside ? [drawFlagLabel(label, foot, sides[i])] : [])];
    }),
  ];
}

/**
 * @param {MessageMark} mark @param {{ from: Point, to: Point, dotPx: number }} place `to`: of its arrival,
 *   if it is late
 * @returns {SvgNode[]}
 */
function drawMessage(mark, { from, to, dotPx: r }) {
  const [x, y] = [round(from.x), round(from.y)];
  if (mark === 'lost')
    return [node('path', { class: mark, d: `M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}` })];
  const dot = node('circle', { class: mark, cx: x, cy: y, r: round(r) });
  if (mark === 'in-time' || mark === 'open') return [dot];
  return [
    line('delay', from, to),
    dot,
    node('circle', { class: 'arrival', cx: round(to.x), cy: round(to.y), r: ARRIVAL_PX }),
  ];
}

/** @param {Flag['kind']} kind @param {Point} at of the messages below it @param {Side} side @returns {SvgNode[]} */
function drawFlag(kind, { x, y }, side) {
  const top = y - POLE_PX;
  const corners = [
    `${round(x)},${round(top)}`,
    `${round(x + side * PENNANT_PX)},${round(top + 5)}`,
    `${round(x)},${round(top + 10)}`,
  ];
  return [
    line('pole', { x, y: top }, { x, y: y - FOOT_PX }),
    node('polygon', { class: `flag ${kind}`, points: corners.join(' ') }),
  ];
}

/** @param {string} words @param {Point} at of the messages below it @param {Side} side */
const drawFlagLabel = (words, { x, y }, side) =>
  text(words, { x: x + side * LABEL_PX, y: y - POLE_PX + 5 }, side < 0 ? 'end' : 'start');

/** @param {Timeline} timeline @param {Frame} frame @returns {SvgNode[]} */
function drawAxis({ range }, { x, left, width, bottom, captionLines }) {
  return [
    line('axis', { x: left, y: bottom }, { x: width, y: bottom }),
    ...ticksIn(range, width - left).flatMap((tick) => [
      line('axis', { x: x(tick), y: bottom }, { x: x(tick), y: bottom + 5 }),
      textAround(formatSigned(tick, Number.isInteger(tick) ? 0 : 1), { x: x(tick), y: bottom + 16 }, width),
    ]),
    ...captionLines.map((words, i) =>
      textAround(words, { x: (left + width) / 2, y: bottom + 16 + LINE_PX * (i + 1) }, width),
    ),
  ];
}

/** @param {Timeline['range']} range @param {number} px its length @returns {number[]} */
function ticksIn([low, high], px) {
  const step = STEPS.find((one) => (one * px) / (high - low) >= TICK_GAP_PX) ?? STEPS[STEPS.length - 1];
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => Number(((first + i) * step).toFixed(1)));
}
