/** Draws the answers of each poll over time: hollow where nothing was new. */
import { line, node, text } from '../../../../core/picture/svg.js';
import { withHost } from '../../../../core/recording/sites.js';

/**
 * @import { SvgNode } from '../../../../core/picture/svg.js'
 * @import { Poll } from '../../../../core/recording/recording.js'
 */

const WIDE_PX = 640;
const LABEL_PX = 180;
/** The letters of an address, as wide as each other. */
const LETTER_PX = 8.5;
const ROW_PX = 33;
/** Where an address stands above its row. */
const TALL_ROW_PX = 48;
const AXIS_PX = 26;
const [DOT_PX, NEWS_PX] = [5, 7];
/** From one dot to the next, so that the eye separates them. */
const GAP_PX = 2 * DOT_PX + 3;
/** How much is shown, in seconds: the longest whose dots the eye separates. */
const SPANS = [12, 20, 40, 60, 120, 300, 600, 1800, 3600];
const TICKS = 4;
/** Of more polls, the most frequent are drawn. */
const MAX_ROWS = 8;

/** @param {number} widthPx */
const startOf = (widthPx) => (widthPx >= WIDE_PX ? LABEL_PX : 0) + NEWS_PX + 1;

/**
 * Chooses how much of a recording is drawn.
 * @param {readonly Poll[]} polls @param {{ seconds: number, widthPx: number }} options `seconds`: of the recording @returns {number}
 *   seconds
 */
export function spanOf(polls, { seconds, widthPx }) {
  const dots = (widthPx - startOf(widthPx) - NEWS_PX) / GAP_PX;
  const fits = (dots * Math.min(...polls.map(({ periodMs }) => periodMs))) / 1000;
  const enough = SPANS.find((span) => span >= seconds) ?? SPANS[SPANS.length - 1];
  return Math.min(enough, SPANS.findLast((span) => span <= fits) ?? SPANS[0]);
}

/**
 * @param {readonly Poll[]} polls @param {{ span: number, widthPx: number }} options `span`: of {@link spanOf}
 * @returns {SvgNode} as high as its rows need, with its text alternative
 */
export function drawDots(polls, { span, widthPx }) {
  const isWide = widthPx >= WIDE_PX;
  const rowPx = isWide ? ROW_PX : TALL_ROW_PX;
  const [left, right] = [startOf(widthPx), widthPx - NEWS_PX - 1];
  const x = (/** @type {number} */ ms) => left + ((right - left) * ms) / (1000 * span);
  const rows = polls.slice(0, MAX_ROWS);
  const height = rows.length * rowPx + AXIS_PX;
  const letters = Math.floor((isWide ? LABEL_PX : widthPx) / LETTER_PX) - 1;
  return node(
    'svg',
    {
      ...{ class: 'dots', viewBox: `0 0 ${widthPx} ${height}`, width: widthPx, height },
      ...{ role: 'img', 'aria-label': describeDots(rows, span) },
    },
    ...rows.flatMap((poll, i) => {
      const y = (i + 1) * rowPx - ROW_PX / 2;
      const label = { x: 0, y: isWide ? y + 5 : y - ROW_PX / 2 - 2 };
      return [
        text(shorten(withHost(poll), letters), label, 'start', { class: 'address' }),
        line('track', { x: left, y }, { x: right, y }),
        ...shownOf(poll, span).map(({ atMs, isNew }) =>
          node('circle', {
            class: isNew ? 'dot news' : 'dot',
            cx: x(atMs).toFixed(1),
            cy: y,
            r: isNew ? NEWS_PX : DOT_PX,
          }),
        ),
      ];
    }),
    ...drawAxis({ x, span, y: height - 6 }),
  );
}

/** @param {{ x: (ms: number) => number, span: number, y: number }} axis */
function drawAxis({ x, span, y }) {
  return Array.from({ length: TICKS + 1 }, (_, i) => {
    const anchor = i === 0 ? 'start' : i === TICKS ? 'end' : 'middle';
    const at = (i * span) / TICKS;
    return text(formatClock(at), { x: x(1000 * at), y }, anchor);
  });
}

/** @param {Poll} poll @param {number} span */
const shownOf = ({ dots }, span) => dots.filter(({ atMs }) => atMs <= 1000 * span);

/** @param {readonly Poll[]} polls @param {number} span @returns {string} sentences */
function describeDots(polls, span) {
  const rows = polls.map((poll) => {
    const shown = shownOf(poll, span);
    const news = shown.filter(({ isNew }) => isNew).map(({ atMs }) => formatClock(Math.round(atMs / 1000)));
    const found = news.length > 0 ? `${news.length} with news, at ${news.join(', ')}` : 'none with news';
    return `${withHost(poll)}: ${shown.length} answers, ${found}.`;
  });
  return [`Timeline of the ${describeSpan(span)}.`, ...rows].join(' ');
}

/** @param {number} span seconds @returns {string} such as 'first 40 seconds' */
export const describeSpan = (span) => `first ${span < 120 ? `${span} seconds` : `${span / 60} minutes`}`;

/** @param {number} seconds @returns {string} such as '1:30' */
const formatClock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/**
 * What does not fit is left out where addresses of one page are most alike: its query, then its beginning; of one with a
 * host, which tells it from others, its middle.
 * @param {string} address @param {number} letters @returns {string}
 */
function shorten(address, letters) {
  if (address.length <= letters) return address;
  const [path] = address.split('?');
  if (path.length <= letters) return path;
  const kept = path.startsWith('/') ? 0 : Math.floor(letters / 2);
  return `${path.slice(0, kept)}…${path.slice(1 + kept - letters)}`;
}
