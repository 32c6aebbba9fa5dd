/** The axes of a plot: where each value stands, and the round numbers beside it. */
import { widthOf } from './svg.js';

/**
 * @import { Axis } from './plot.js'
 * @typedef {{ at: number, words: string }} Tick
 * @typedef {{ place: (value: number) => number, ticks: readonly Tick[] }} Scale values outside it stand at its end
 * @typedef {{ low: number, high: number }} Domain
 */

/** The ticks within a factor of 10: the first list for which there is room is used. */
const STEPS = [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 5], [1, 2, 5], [1, 3], [1]];
/** The distance between the words of two ticks that an axis names. */
const WORDS_APART_PX = 8;
/** The ticks of a linear axis are a multiple of one of these, times a power of 10. */
const NICE = [1, 2, 2.5, 5, 10];

/** The factor between the values of a logarithmic axis and its ends. */
const ROOM = 1.1;

/**
 * @param {Axis} axis @param {readonly (number | null)[]} values on it
 * @param {{ from: number, to: number, gapPx: number, isX: boolean }} options `from`, `to`: its ends in the picture; `gapPx`:
 *   the minimum between two ticks
 * @returns {Scale}
 */
export function createScale(axis, values, { from, to, gapPx, isX }) {
  const { logBase, range, ticks: given, isCount = false, format = formatTick } = axis;
  const known = values.filter((value) => value !== null && (!logBase || value > 0)).map(Number);
  // An axis with ticks of its own ends with its values.
  const ends = range ?? (given && known.length > 1 && [Math.min(...known), Math.max(...known)]);
  const domain = ends ? { low: ends[0], high: ends[1] } : domainOf(known, { logBase, isX });
  const [low, high] = logBase ? [Math.log(domain.low), Math.log(domain.high)] : [domain.low, domain.high];
  const place = (/** @type {number} */ value) => {
    const share = ((logBase ? Math.log(Math.max(value, domain.low)) : value) - low) / (high - low);
    return from + (to - from) * Math.min(1, Math.max(0, share));
  };
  const lists = given
    ? given.map((list) => list.filter((value) => value >= domain.low && value <= domain.high))
    : logBase
      ? listLogTicks(domain, logBase)
      : listTicks(domain).filter((list) => !isCount || list.every(Number.isInteger));
  const ticks = lists.find((list) => hasRoom(list.map(place), given ? gapBetween(list.map(format)) : gapPx)) ?? [];
  return { place, ticks: ticks.map((value) => ({ at: place(value), words: format(value) })) };
}

/** @param {readonly string[]} words beneath ticks @returns {number} px */
const gapBetween = (words) => Math.max(...words.map(widthOf)) + WORDS_APART_PX;

/** @param {number} value */
const formatTick = (value) => value.toLocaleString('en', { maximumSignificantDigits: 6 });

/** @param {readonly number[]} places @param {number} gapPx */
const hasRoom = (places, gapPx) => places.every((at, i) => i === 0 || Math.abs(at - places[i - 1]) >= gapPx);

/** @param {readonly number[]} known @param {{ logBase?: number, isX: boolean }} options @returns {Domain} */
function domainOf(known, { logBase, isX }) {
  const [least, most] = known.reduce(
    ([a, b], value) => [Math.min(a, value), Math.max(b, value)],
    [Infinity, -Infinity],
  );
  if (least > most) return logBase ? { low: 1, high: logBase } : { low: 0, high: 1 };
  if (!logBase) {
    if (isX) return { low: least, high: most > least ? most : least + 1 };
    // A quantity is seen in proportion, and its line not at the edge.
    return { low: Math.min(0, least * 1.05), high: Math.max(0, most * 1.05) || 1 };
  }
  const isWhole = isX || logBase === 2;
  // What ends at the edge of the picture would look cut off.
  const room = isWhole ? 1 : ROOM;
  const low = roundOut(least / room, { logBase, isWhole, round: Math.floor });
  const high = roundOut(most * room, { logBase, isWhole, round: Math.ceil });
  return { low, high: high > low ? high : low * logBase };
}

/** @param {number} value @param {{ logBase: number, isWhole: boolean, round: (value: number) => number }} options */
function roundOut(value, { logBase, isWhole, round }) {
  const power = Math.log(value) / Math.log(logBase);
  // A logarithm of 1000 is a little less than 3.
  const near = Math.abs(power - Math.round(power)) < 1e-9 ? Math.round(power) : power;
  if (isWhole) return logBase ** round(near);
  const unit = logBase ** Math.floor(near);
  return round(Number((value / unit).toPrecision(9))) * unit;
}

/** Lists ticks, the most first. @param {Domain} domain @param {number} logBase @returns {number[][]} */
function listLogTicks({ low, high }, logBase) {
  const powerOf = (/** @type {number} */ value) => Math.floor(Math.log(value) / Math.log(logBase) + 1e-9);
  const [first, last] = [powerOf(low), powerOf(high)];
  const powers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const isWithin = (/** @type {number} */ value) => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9);
  const within = (logBase === 10 ? STEPS : [[1]]).map((steps) =>
    powers.flatMap((power) => steps.map((step) => Number((step * logBase ** power).toPrecision(9)))).filter(isWithin),
  );
  const apart = powers.map((every) => every - first + 2);
  return [
    ...within,
    ...apart.map((every) => powers.filter((power) => power % every === 0).map((power) => logBase ** power)),
  ];
}

/** Lists ticks, the most first. @param {Domain} domain @returns {number[][]} */
function listTicks({ low, high }) {
  const unit = 10 ** (Math.floor(Math.log10(high - low)) - 1);
  const steps = [unit, 10 * unit].flatMap((one) => NICE.map((nice) => nice * one));
  return steps.map((step) => {
    const first = Math.ceil(low / step - 1e-9);
    const count = Math.floor(high / step + 1e-9) - first + 1;
    return Array.from({ length: Math.max(0, count) }, (_, i) => Number(((first + i) * step).toPrecision(9)));
  });
}

/** Two stops with this factor between them differ in two digits. */
const STEP = 1.07;

/**
 * Lays out the stops of a slider that is the logarithmic axis of a chart: evenly spaced there, and those that must be exact in place
 * of the nearest ones.
 * @param {{ low: number, high: number }} range above 0
 * @param {{ exact?: readonly number[], format: (value: number) => string }} options `exact`: within the range, are kept;
 *   `format`: two stops of the same text would look like one
 * @returns {number[]} rising
 */
export function logStops({ low, high }, { exact = [], format }) {
  const count = Math.ceil(Math.log(high / low) / Math.log(STEP));
  const even = Array.from({ length: count + 1 }, (_, i) => low * (high / low) ** (i / count));
  const isNear = (/** @type {number} */ value) =>
    exact.some((one) => Math.abs(Math.log(value / one)) < Math.log(high / low) / count / 2);
  const byText = new Map(exact.map((value) => [format(value), value]));
  for (const value of even.filter((one) => !isNear(one)).map((one) => Number(one.toPrecision(3)))) {
    const text = format(value);
    if (!byText.has(text)) byText.set(text, value);
  }
  return [...byText.values()].sort((a, b) => a - b);
}
