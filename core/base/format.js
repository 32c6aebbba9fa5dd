/** Formats numbers, in the same form on pages and in exports. @import { Interval, Spread } from './statistics.js' */

export const DASH = '–';
const MAX_DECIMALS = 4;
/** To round a number before it is shown. */
const MAX_PLACES = 20;

/** @param {number | undefined} value @param {number} decimals @returns {string} a dash where there is no value */
export const formatNumber = (value, decimals) => (value === undefined ? DASH : value.toFixed(decimals));

/** @param {number} ms @returns {string} with about three digits, like '0.31', '62.1', '7153' */
export const formatMs = (ms) => ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0);

/** @param {number} ms of a round trip @returns {string} like '0.3', '45', '231' */
export const formatRtt = (ms) => (ms < 10 ? String(Number(ms.toPrecision(2))) : ms.toFixed(0));

/** @param {number} ms @returns {boolean} does it round to a second or more? */
export const isSeconds = (ms) => Math.round(ms) >= 1000;

/** @param {number} ms of a message @returns {string} like '0.3 ms', '45 ms' or '1.2 s' */
export const formatLatency = (ms) => (isSeconds(ms) ? formatSpan(ms) : `${formatRtt(ms)} ms`);

/** @param {number} ms @returns {string} as above, but with two digits, as the bar beside it has: '1.0 ms', not '1 ms' */
export const formatBarTime = (ms) => (ms > 0 && ms < 10 ? `${ms.toPrecision(2)} ms` : formatLatency(ms));

/** The largest first. */
const BYTE_UNITS = Object.freeze(
  /** @type {const} */ ([
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
    ['B', 1],
  ]),
);

/** @param {number} bytes @returns {string} with two digits or as a whole number, like '118 B', '2 kB', '77 kB', '1.6 MB' or '1,200 GB' */
export function formatBytes(bytes) {
  // What rounds to 1,000 of a unit is 1 of the next.
  const [unit, size] = BYTE_UNITS.find(([, one]) => bytes >= one - one / 2000) ?? ['B', 1];
  const value = bytes / size;
  const isWhole = size === 1 || value >= 9.95;
  return `${isWhole ? Math.round(value).toLocaleString('en') : Number(value.toFixed(1))} ${unit}`;
}

/** A figure with its unit or with what it counts, the level of an interval in its brackets, a day, or a command. */
const FIGURE =
  /(\d[\d.,–-]* (?:ms|s|min|h|B|kB|MB|GB|KiB|MiB|lost|times|(?:block|byte|failure|message|request|sample|test)s?)\b|\(?\d+% CI\)?|\d{4}-\d\d-\d\d|(?:sudo )?npx [\w -]+)/;

/**
 * Splits a text where its lines may break otherwise between a figure and its unit, or within a day; and at a command, which may break.
 * @param {string} text @returns {string[]} every second part is such a one, from the second on
 */
export const splitAtFigures = (text) => text.split(FIGURE);

/** @param {string} part of such a text @returns {boolean} */
export const isCommand = (part) => part.includes('npx ');

/** @param {string} sentence @returns {string} without its full stop, as a part of another or of a title */
export const asClause = (sentence) => sentence.replace(/\.$/, '');

/** @param {string} text @returns {string} as the beginning of a sentence */
export const capitalize = (text) => text[0].toUpperCase() + text.slice(1);

/**
 * Writes a sentence or a label to follow other words: its first word is small unless it is a name such as 'EventSource'.
 * @param {string} text @returns {string}
 */
export const uncapitalize = (text) => text.replace(/^[A-Z](?=[a-z]*( |$))/, (letter) => letter.toLowerCase());

/** @param {readonly string[]} texts @returns {Map<string, number>} how often each occurs */
function countsOf(texts) {
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** Counts texts, the most frequent first: [['b', 2], ['a', 1]]. @param {readonly string[]} texts */
export const byFrequency = (texts) => [...countsOf(texts)].sort(([, a], [, b]) => b - a);

/**
 * Formats the number of failures of each kind: '2 timeout, 1 closed', or '0'.
 * @param {readonly { outcome: string }[]} failures
 */
export function formatFailures(failures) {
  const counts = countsOf(failures.map(({ outcome }) => outcome));
  return [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ') || '0';
}

/**
 * Returns the number of decimals, 0 to 4, for an interval of that width: its ends differ in two digits. It is higher if
 * rounding would move an end to the other side of the pivot, or onto it or 0.
 * @param {{ low: number, high: number }} interval @param {number} [pivot] 0 for a difference, 1 for a ratio
 */
export const decimalsOf = (interval, pivot) => Math.max(0, placesOf(interval, pivot));

/**
 * As above, but below 0 where even whole numbers say more than the interval: −1 for tens.
 * @param {{ low: number, high: number }} interval @param {number} [pivot]
 */
function placesOf({ low, high }, pivot) {
  const width = high - low;
  // An interval without an end has no width to go by.
  const usual = width > 0 && Number.isFinite(width) ? Math.min(3, twoDigitsOf(width)) : 3;
  // To be rounded is to be moved: by less than a tenth of the estimate's error.
  const places = usual < 0 ? Math.min(0, twoDigitsOf(width / 2)) : usual;
  return Math.max(...[low, high].map((end) => placesBeside(end, places, pivot)));
}

/**
 * @param {number} value @param {number} places that it should have @param {number} [pivot]
 * @returns {number} as many, or more if rounding would move it to the other side of the pivot, or onto it or 0
 */
function placesBeside(value, places, pivot = 0) {
  const keepsSide = () =>
    [pivot, 0].every((point) => Math.sign(roundTo(value, places) - point) === Math.sign(value - point));
  while (places < MAX_DECIMALS && !keepsSide()) places++;
  return places;
}

/**
 * Formats the ends, as in '1.4 to 2.5'.
 * @param {Interval} interval @param {number} [pivot] as above @param {number} [maxDecimals]
 */
export function formatInterval(interval, pivot, maxDecimals = MAX_DECIMALS) {
  const decimals = Math.min(maxDecimals, decimalsOf(interval, pivot));
  return `${formatNotAsZero(interval.low, decimals)} to ${formatNotAsZero(interval.high, decimals)}`;
}

/** @param {number} value @param {number} decimals below 0: to tens, hundreds and so on @returns {number} */
const roundTo = (value, decimals) =>
  decimals < 0 ? Math.round(value * 10 ** decimals) * 10 ** -decimals : Number(value.toFixed(decimals));

/** Formats a number with a real minus sign, and 0 without a sign. @param {number} value @param {number} decimals */
export function formatSigned(value, decimals) {
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/**
 * Formats it as above, but what is not 0 does not look so, nor lose its sign.
 * @param {number} value @param {number} decimals @returns {string} such as '−0.04' for 1 decimal
 */
export function formatNotAsZero(value, decimals) {
  if (value === 0 || Number(value.toFixed(decimals)) !== 0) return formatSigned(value, decimals);
  const size = Math.max(1 / 10 ** MAX_DECIMALS, Number(Math.abs(value).toPrecision(1)));
  return `${value < 0 ? '−' : ''}${size}`;
}

/**
 * Says between which limits a difference is, as in '0.0 to 9.8 ms faster'; with 0 between them the larger first, as an interval is
 * rarely symmetric: '27 ms slower to 3 ms faster'. The side of a limit is that of its value before it is rounded.
 * @param {{ low: number, high: number }} interval
 * @param {{ gain: string, loss: string, format: (size: number) => string }} words `gain`: what it is above 0
 * @returns {string}
 */
export function formatLimits({ low, high }, { gain, loss, format }) {
  const ends = [low, high].map((end) => ({ size: Math.abs(end), side: end < 0 ? loss : gain }));
  if (low < 0 && high > 0) {
    const [first, last] = ends.sort((a, b) => b.size - a.size).map(({ size, side }) => `${format(size)} ${side}`);
    return `${first} to ${last}`;
  }
  const [least, most] = ends
    .map(({ size }) => size)
    .sort((a, b) => a - b)
    .map(format);
  const unit = / \S+$/.exec(most)?.[0] ?? '';
  return `${least.endsWith(unit) ? least.slice(0, least.length - unit.length) : least} to ${most} ${low < 0 ? loss : gain}`;
}

/**
 * Formats an estimate with its interval, as in '1.9 (1.4 to 2.5)', or '770 (very wide)'; a dash for none.
 * @param {Interval | undefined} interval @param {number} [pivot]
 */
export function formatWithInterval(interval, pivot) {
  if (!interval) return DASH;
  const [figure, low, high] = [interval.estimate, interval.low, interval.high].map((value) =>
    formatIn(interval, value, { pivot }),
  );
  return `${figure} (${isVeryWide(interval) ? 'very wide' : `${low} to ${high}`})`;
}

/** Formats a rate as above, without its interval, with three digits at most. @param {Interval} rate @returns {string} such as '3,000' */
export const formatSupported = (rate) =>
  separateThousands(formatIn(rate, rate.estimate, { maxPlaces: 1 + twoDigitsOf(rate.estimate) }));

/** @param {string} text @returns {string} with separators in its numbers from 1,000 on */
const separateThousands = (text) =>
  text.replace(/(^|[^\d.])(\d{4,})/g, (_, before, digits) => before + Number(digits).toLocaleString('en'));

/** Ends that differ by this factor have two digits each: with as many decimals, one would have too many. */
const WIDE_RATIO = 3;

/** @param {{ low: number, high: number }} interval */
const isWide = ({ low, high }) => low > 0 && high > WIDE_RATIO * low;

/**
 * @param {{ low: number, high: number }} interval @param {number} value in it @param {{ pivot?: number, maxPlaces?: number }} options
 * @returns {string} with the digits that the interval supports
 */
function formatIn(interval, value, { pivot, maxPlaces = Infinity }) {
  const own = isWide(interval)
    ? placesBeside(value, twoDigitsOf(Number(value.toPrecision(2))), pivot)
    : placesOf(interval, pivot);
  const places = Math.min(own, maxPlaces);
  return formatSigned(roundTo(value, places), Math.min(MAX_DECIMALS, Math.max(0, places)));
}

/** @param {number} value from 0 on @returns {number} its places with two digits, no more than can be shown */
const twoDigitsOf = (value) => Math.min(MAX_PLACES, 1 - Math.floor(Math.log10(value)));

/** So many times as large is the high end of an interval whose digits would say nothing, such as one of two blocks. */
const VERY_WIDE = 10_000;

/** @param {{ low: number, high: number }} interval of what is above 0 @returns {boolean} do its ends say no more than that? */
export const isVeryWide = ({ low, high }) => low > 0 && high / low > VERY_WIDE;

/**
 * Formats an estimate that is never negative, as in '1.9 (1.4–2.5)', or '770 (very wide)'.
 * @param {Interval | undefined} interval @param {number} [pivot]
 */
export const formatWithRange = (interval, pivot) => formatWithInterval(interval, pivot).replace(' to ', '–');

/** Formats a rate, as in '3,000 (2,700–3,300)', or '770 (very wide)'. @param {Interval | undefined} rate @returns {string} a dash for none */
export const formatRateWithRange = (rate) => separateThousands(formatWithRange(rate));

/**
 * Formats a median, with its interval if there is one, as in '85.1 (83.0–87.2)'; a dash for none.
 * @param {Spread | undefined} spread @param {(value: number) => string} format
 */
export function formatSpread(spread, format) {
  if (!spread) return DASH;
  const { median, interval } = spread;
  if (!interval) return format(median);
  const ends = [interval.low, interval.high].map(format);
  // A dash beside a minus or a word would be hard to read.
  const separator = interval.low < 0 || ends.some(hasWord) ? ' to ' : '–';
  return `${format(median)} (${ends.join(separator)})`;
}

/** Formats a ratio with as many digits as its interval supports. @param {Interval} ratio @returns {string} like '7.8x', or 'over 1.00x' */
export const formatRatio = (ratio) => `${formatBesideOne(ratio, ratio.estimate)}x`;

/** @param {number} value @param {number} decimals @returns {boolean} */
const roundsToOne = (value, decimals) => Number(value.toFixed(decimals)) === 1;

/** @param {Interval} ratio @returns {boolean} would its low end be 0 with two decimals, or close to that? */
const isNearZero = ({ low }) => low < 0.01;

/** @param {Interval} ratio @param {number} value in it @returns {string} with two digits where the ends are far apart, as in tables */
const formatInRatio = (ratio, value) =>
  (isWide(ratio) || isNearZero(ratio)) && !roundsToOne(value, 2)
    ? formatIn(ratio, value, { pivot: 1 })
    : value.toFixed(ratioDecimals(ratio));

/** @param {Interval} ratio @param {number} value in it @returns {string} what is not 1 does not look so: 'over 1.00' */
function formatBesideOne(ratio, value) {
  const text = formatInRatio(ratio, value);
  return isBesideOne(ratio) && Number(text) === 1 ? `${value > 1 ? 'over' : 'under'} ${text}` : text;
}

/** @param {Interval} ratio @returns {string} its ends, like '6.5–9.3' or 'over 1.00 to 1.06', or 'very wide' */
export function formatRange(ratio) {
  if (isVeryWide(ratio)) return 'very wide';
  const ends = endsOfRatio(ratio);
  return ends.join(ends.some(hasWord) ? ' to ' : '–');
}

/** @param {Interval} ratio @returns {string} its ends where they stand for the ratio, like '0.51x to 3.6x' */
export const formatRatioLimits = (ratio) =>
  endsOfRatio(ratio)
    .map((end) => `${end}x`)
    .join(' to ');

/** @param {string} end @returns {boolean} */
const hasWord = (end) => end.includes(' ');

/** @param {Interval} ratio @returns {string[]} 'over 1.00' may be both */
function endsOfRatio(ratio) {
  const ends = [ratio.low, ratio.high].map((end) => formatBesideOne(ratio, end));
  return ends.every(hasWord) ? ends.slice(1) : ends;
}

/**
 * Formats a ratio with its interval, as in '7.8x (6.5–9.3)' or '1.00x (over 1.00)': it begins with its number; a dash for none.
 * @param {Interval | undefined} ratio
 */
export const formatRatioWithRange = (ratio) =>
  ratio ? `${formatInRatio(ratio, ratio.estimate)}x (${formatRange(ratio)})` : DASH;

/** @param {Interval} ratio @returns {boolean} does it show which is faster? */
const isBesideOne = ({ low, high }) => low > 1 || high < 1;

/** @param {Interval} ratio @returns {1 | 2} one only if that does not move an end onto 1 */
function ratioDecimals(ratio) {
  const { low, high } = ratio;
  const isMoved = isBesideOne(ratio) && [low, high].some((end) => roundsToOne(end, 1));
  return high - low >= 0.5 && !isMoved ? 1 : 2;
}

/** @param {string} iso ISO 8601, in UTC @returns {string} to the minute, like '2026-11-21 07:00 UTC' */
export const formatMinute = (iso) => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

/** @param {string} iso ISO 8601 @returns {string} the day in UTC, like '21 November 2026' */
export const formatDay = (iso) =>
  new Date(iso).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** @param {number} ms @returns {string} like '300 ms', '2.5 s' or '63 s' */
export const formatSpan = (ms) =>
  isSeconds(ms) ? `${Number((ms / 1000).toFixed(ms < 10_000 ? 1 : 0))} s` : `${Number(ms.toFixed(0))} ms`;

/** @param {number} seconds */
const decimalsOfSeconds = (seconds) => (Math.abs(seconds) < 10 ? 2 : 1);

/** @param {number} ms of a delay, or of a difference of two @returns {string} like '2 ms', '0.55 s' or '12.3 s' */
export const formatDelay = (ms) =>
  ms !== 0 && Math.abs(ms) < 5
    ? `${ms < 0 ? '−' : ''}${Number(formatNotAsZero(Math.abs(ms), 1))} ms`
    : `${formatSigned(ms / 1000, decimalsOfSeconds(ms / 1000))} s`;

/**
 * Formats an estimate and its ends in seconds, as in { figure: '0.55 s', range: '0.53–0.57' }.
 * @param {Interval} ms of times
 */
export function formatInSeconds(ms) {
  const [estimate, low, high] = [ms.estimate, ms.low, ms.high].map((one) => one / 1000);
  let decimals = decimalsOfSeconds(estimate);
  const isSame = () => low.toFixed(decimals) === high.toFixed(decimals);
  const hasZero = () =>
    [estimate, low, high].some((seconds) => seconds !== 0 && Number(seconds.toFixed(decimals)) === 0);
  // A small figure needs more digits where its interval is narrow or near 0. Others have as many as those above and below them.
  const isShort = () => (decimals < 3 && isSame()) || (decimals < MAX_DECIMALS && hasZero());
  while (Math.abs(estimate) < 0.1 && isShort()) decimals++;
  const limits = isSame() ? roundOutward({ low, high }, decimals) : [low, high];
  const ends = limits.map((seconds) => formatNotAsZero(seconds, decimals));
  // A minus sign is hard to read next to a dash.
  const range = ends.join(ends.some((end) => end.startsWith('−')) ? ' to ' : '–');
  return { figure: `${formatNotAsZero(estimate, decimals)} s`, range };
}

/** @param {{ low: number, high: number }} interval @param {number} decimals @returns {number[]} its ends, which lie within them */
function roundOutward({ low, high }, decimals) {
  const scale = 10 ** decimals;
  // What is whole but for the last bits of its product is whole.
  const slack = 1e-6;
  return [Math.floor(low * scale + slack) / scale, Math.ceil(high * scale - slack) / scale];
}

/**
 * Formats how much less something needs, such as '93%' for 14.2.
 * @param {number} ratio of the other to it, above 1
 */
export function percentLess(ratio) {
  const percent = 100 * (1 - 1 / ratio);
  return `${percent > 99 ? Math.floor(10 * percent) / 10 : Math.round(percent)}%`;
}

/** Is it too short to be shown in tenths of a second? @param {number} ms */
export const isUnderTenth = (ms) => ms < 50;

/** Formats a delay that people notice. @param {number} ms @returns {string} such as '8.4 s', or 'under 0.1 s' for what is not 0 */
export const formatTenths = (ms) => (ms > 0 && isUnderTenth(ms) ? 'under 0.1 s' : `${(ms / 1000).toFixed(1)} s`);

/** The steps in which minutes are shown, s: a time that is not long is rounded by at most a quarter of a minute. @param {number} seconds */
const stepOf = (seconds) => (seconds < 180 ? 30 : 60);

/** Rounds to those steps. @param {number} seconds from 60 on @returns {number} */
export const roundSeconds = (seconds) => Math.round(seconds / stepOf(seconds)) * stepOf(seconds);

/** @param {number} seconds a whole number @returns {string} like '13 s'; from 60 s on, like '1.5 min', or '4 min' */
export const formatSeconds = (seconds) => (seconds < 60 ? `${seconds} s` : `${roundSeconds(seconds) / 60} min`);

/** @param {number} seconds that something takes at most @returns {string} as above, rounded up */
export const formatMostSeconds = (seconds) =>
  formatSeconds(seconds < 60 ? Math.ceil(seconds) : stepOf(seconds) * Math.ceil(seconds / stepOf(seconds)));

/** @param {number} count @param {string} noun of one @returns {string} like '1 request' or '1,640 requests' */
export const formatCount = (count, noun) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/**
 * @param {readonly string[]} names at least one @param {string} [separator]
 * @returns {string} like 'AJAX, fetch and SockJS'
 */
export function listOf(names, separator = ', ') {
  const last = names[names.length - 1];
  return names.length > 1 ? `${names.slice(0, -1).join(separator)} and ${last}` : last;
}

/**
 * Compares lengths in characters, not in UTF-16 code units.
 * @param {string} text @param {number} max @returns {boolean}
 */
export const isWithin = (text, max) => text.length <= max || (text.length <= 2 * max && [...text].length <= max);

/** @param {string} text @param {number} max characters, with the mark of the cut */
export const cut = (text, max) =>
  isWithin(text, max) ? text : `${[...text.slice(0, 2 * max)].slice(0, max - 1).join('')}…`;
