/** Places the parts of a timeline, so that no label touches another at any width. */
import { widthOf } from './svg.js';

/**
 * @import { Point } from './svg.js'
 * @import { Timeline, TimelineRow } from './timeline.js'
 * @typedef {TimelineRow['flags'][number]} Flag
 * @typedef {-1 | 1} Side of its pole on which a flag and its label are: left, right
 * @typedef {'in-time' | 'late' | 'lost' | 'open' | Flag['kind']} MarkName
 * @typedef {{ mark: MarkName, words: string, widthPx: number }} Key of the legend
 * @typedef {'in-time' | 'late' | 'lost' | 'open'} MessageMark
 * @typedef {{ words: string, isName: boolean }} Words a line of the name, or of what it says besides
 * @typedef {Point & Words} Head a line of what stands before or above a row's messages
 * @typedef {{ y: number, bottom: number, heads: Head[], sides: Side[] }} FrameRow `y`: of its messages; `sides`: of its flags
 * @typedef {object} Frame of a timeline, in px
 * @property {number} width
 * @property {number} height
 * @property {number} left
 * @property {number} top
 * @property {number} bottom
 * @property {(value: number) => number} x where a time stands
 * @property {boolean} isBeside do names stand beside their rows? Else above
 * @property {(Point & Key)[]} keys of the legend
 * @property {string[]} bandLines
 * @property {string[]} captionLines
 * @property {number} dotPx the radius of a message
 * @property {FrameRow[]} rows
 */

export const LINE_PX = 20;
export const PENNANT_PX = 9;
/** The distance between a pole and its label. */
export const LABEL_PX = PENNANT_PX + 4;
/** The height of a pole's top above the messages. */
export const POLE_PX = 26;
/** The distance from messages down to the arrivals of late ones. */
export const FALL_PX = 22;
/** The distance between a symbol of the legend and its words. */
export const KEY_GAP_PX = 8;

const GAP_PX = 10;
const KEYS_APART_PX = 16;
const EDGE_PX = 5;
const DOT_PX = { min: 1.5, max: 3.5 };
/** The radius of a dot as a share of the distance between two: then they do not touch. */
const DOT_SHARE = 0.36;
/** Names stand beside their rows from this width on, if they need at most that share of it. */
const BESIDE = { minPx: 600, maxShare: 1 / 3 };
const COLUMN_GAP_PX = 24;

/** The width of letters that are not bold, as a share of those that are. */
const PLAIN_SHARE = 0.88;

/** @type {readonly Key[]} */
const KEYS = [
  { mark: 'in-time', words: 'in time', widthPx: 8 },
  { mark: 'late', words: 'late, and its arrival', widthPx: 32 },
  { mark: 'lost', words: 'lost', widthPx: 8 },
  { mark: 'open', words: 'not there yet', widthPx: 8 },
  { mark: 'noticed', words: 'noticed', widthPx: PENNANT_PX + 2 },
  { mark: 'back', words: 'back', widthPx: PENNANT_PX + 2 },
];

/** @param {string} words @returns {number} about how wide they are if they are not bold, in px */
const plainWidthOf = (words) => PLAIN_SHARE * widthOf(words);

/** Says what became of a message. @param {TimelineRow['messages'][number]} message @returns {MessageMark} */
export function messageMarkOf({ arrived, isLate, isOpen }) {
  if (arrived === undefined) return isOpen ? 'open' : 'lost';
  return isLate ? 'late' : 'in-time';
}

/**
 * Lays out a timeline: its axis, its legend, and the place of each row.
 * @param {Timeline} timeline @param {{ width: number, legendOf: readonly Timeline[] }} options @returns {Frame}
 */
export function createFrame({ caption, band, range, rows }, { width, legendOf }) {
  const marks = marksIn(rows);
  const keys = placeKeys(marksIn(legendOf.flatMap((one) => one.rows)), width);
  const columnPx = Math.max(0, ...rows.map(({ label }) => widthOf(label))) + COLUMN_GAP_PX;
  const xBeside = scaleOf(range, [columnPx, width]);
  const sidesBeside = rows.map(({ flags }) => placeFlags(flags, xBeside, width));
  const isBeside =
    width >= BESIDE.minPx && columnPx <= BESIDE.maxShare * width && sidesBeside.every((sides) => sides !== undefined);
  const left = isBeside ? columnPx : 0;
  const x = isBeside ? xBeside : scaleOf(range, [0, width]);
  const bandLines = wrap(wordsIn(band?.label ?? ''), width);
  const captionLines = wrap(wordsIn(caption), width - left);
  const heads = rows.map((row) => (isBeside ? [] : linesAbove(row, width)));
  const top = LINE_PX * (keys.lineCount + bandLines.length) + GAP_PX;
  const headPx = LINE_PX * Math.max(0, ...heads.map(({ length }) => length));
  const dotsPx = headPx + (marks.has('noticed') || marks.has('back') ? POLE_PX : 0) + GAP_PX;
  const rowPx = dotsPx + (marks.has('late') ? FALL_PX : 0) + GAP_PX;
  const bottom = top + rows.length * rowPx;
  return {
    ...{ width, left, top, bottom, height: bottom + LINE_PX * (1 + captionLines.length) + GAP_PX, x, isBeside },
    ...{ keys: keys.placed, bandLines, captionLines, dotPx: dotPxOf(rows, width - left) },
    rows: rows.map(({ label, flags }, i) => {
      const y = top + i * rowPx + dotsPx;
      return {
        y,
        bottom: top + (i + 1) * rowPx,
        heads: isBeside ? [{ words: label, isName: true, x: 0, y }] : stack(heads[i], top + i * rowPx),
        sides: (isBeside && sidesBeside[i]) || flags.map((flag) => sideInside(flag, x, width)),
      };
    }),
  };
}

/** @param {readonly TimelineRow[]} rows @returns {Set<MarkName>} those that occur */
const marksIn = (rows) =>
  new Set(rows.flatMap(({ messages, flags }) => [...messages.map(messageMarkOf), ...flags.map(({ kind }) => kind)]));

/**
 * Creates a linear scale. Values outside the domain are placed at its end.
 * @param {Timeline['range']} domain @param {[number, number]} range with room for half a mark at each end
 * @returns {(value: number) => number}
 */
function scaleOf([low, high], [from, to]) {
  const perUnit = (to - from - 2 * EDGE_PX) / (high - low);
  return (value) => from + EDGE_PX + perUnit * (Math.min(high, Math.max(low, value)) - low);
}

/** @param {readonly TimelineRow[]} rows @param {number} width @returns {number} */
function dotPxOf(rows, width) {
  const apartPx = width / Math.max(1, ...rows.map(({ messages }) => messages.length));
  return Math.max(DOT_PX.min, Math.min(DOT_PX.max, DOT_SHARE * apartPx));
}

/** @param {string} words @returns {string[]} a number stays with its unit */
const wordsIn = (words) => words.split(/(?<!\d) /).filter(Boolean);

/**
 * @param {readonly string[]} parts @param {number} width @param {(words: string) => number} [pxOf]
 * @returns {string[]} lines
 */
function wrap(parts, width, pxOf = plainWidthOf) {
  /** @type {string[]} */
  const lines = [];
  for (const part of parts) {
    const longer = `${lines.at(-1)} ${part}`;
    if (lines.length > 0 && pxOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

/** @param {TimelineRow} row @param {number} width @returns {Words[]} */
function linesAbove({ label, flags }, width) {
  const said = flags.map((flag, i) => (i < flags.length - 1 ? `${flag.label},` : flag.label));
  return [
    ...wrap(wordsIn(label), width, widthOf).map((words) => ({ words, isName: true })),
    ...wrap(said, width).map((words) => ({ words, isName: false })),
  ];
}

/** @param {readonly Words[]} lines @param {number} top @returns {Head[]} */
const stack = (lines, top) => lines.map((one, i) => ({ ...one, x: 0, y: top + LINE_PX * (i + 0.5) + 4 }));

/**
 * Chooses the side of each flag, so that all labels fit on one line, with no pole through them.
 * @param {readonly Flag[]} flags @param {(value: number) => number} x @param {number} width
 * @returns {Side[] | undefined} absent if there is no room
 */
function placeFlags(flags, x, width) {
  const poles = flags.map(({ at }) => x(at));
  /** @type {{ from: number, to: number }[]} */
  const taken = [];
  const sides = flags.flatMap(({ kind, label }, i) => {
    const px = LABEL_PX + plainWidthOf(label);
    /** @param {Side} side */
    const spanOn = (side) => (side < 0 ? { from: poles[i] - px, to: poles[i] } : { from: poles[i], to: poles[i] + px });
    const free = sidesOf(kind).find((side) => {
      const { from, to } = spanOn(side);
      const isApart = taken.every((other) => other.to <= from || other.from >= to);
      return from >= 0 && to <= width && isApart && poles.every((pole) => pole <= from || pole >= to);
    });
    if (free) taken.push(spanOn(free));
    return free ?? [];
  });
  return sides.length === flags.length ? sides : undefined;
}

/** @param {Flag['kind']} kind @returns {Side[]} best first */
const sidesOf = (kind) => (kind === 'noticed' ? [-1, 1] : [1, -1]);

/** @param {Flag} flag @param {(value: number) => number} x @param {number} width @returns {Side} of one without a label */
function sideInside({ kind, at }, x, width) {
  const [first, second] = sidesOf(kind);
  const tip = x(at) + first * PENNANT_PX;
  return tip >= 0 && tip <= width ? first : second;
}

/** Places the legend in lines. @param {ReadonlySet<MarkName>} marks @param {number} width */
function placeKeys(marks, width) {
  let [x, lineIndex] = [0, 0];
  const placed = KEYS.filter(({ mark }) => marks.has(mark)).map((key) => {
    const px = key.widthPx + KEY_GAP_PX + plainWidthOf(key.words);
    if (x > 0 && x + px > width) [x, lineIndex] = [0, lineIndex + 1];
    const at = { x, y: LINE_PX * (lineIndex + 0.5) + 2 };
    x += px + KEYS_APART_PX;
    return { ...key, ...at };
  });
  return { placed, lineCount: placed.length > 0 ? lineIndex + 1 : 0 };
}
