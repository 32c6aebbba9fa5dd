/**
 * Draws a picture of a fixed size, to paste and for the previews of links: a sentence, what it compares as two bars or as rows of
 * arrivals, and where it holds.
 */
import { node, text, toMarkup } from './svg.js';
import { dotRadiusOf, drawArrivalsAxis, drawTrack } from './arrivals.js';
import { CARD_COLOURS } from './colours.js';
import { LOGO } from './logo.js';

/**
 * @import { SvgNode } from './svg.js'
 * @import { Bar, Bars } from './bars.js'
 * @import { Arrivals, ArrivalsRow } from './arrivals.js'
 * @typedef {object} ShareCard
 * @property {string} sentence that decides
 * @property {Bars} [bars]
 * @property {Arrivals} [arrivals] in place of bars
 * @property {{ nodes: readonly SvgNode[], style: string }} [table] in place of bars, within `CARD_TABLE`
 * @property {string} [place] where it was measured, in the visitor's words
 * @property {string} [about] for whom it holds
 * @property {string} [day] when it was measured
 * @property {string} [site] its host
 */

/** The size that the sites which show previews recommend, px. */
export const SHARE_CARD = Object.freeze({ width: 1200, height: 630 });

const EDGE = 64;
const RIGHT = SHARE_CARD.width - EDGE;
/** The room of the sentence: its top, and its bottom above bars and without any. */
const SENTENCE = Object.freeze({ top: 124, aboveBars: 282, alone: 510, letterPx: [48, 42, 36, 32, 28, 24, 20] });
const LEADING = 1.3;
const BARS = Object.freeze({ top: 296, height: 88, gap: 24, maxWidth: 880 });
/** Of what has no colour of its own: what is used now, and what was compared. */
const OTHER_COLOURS = Object.freeze([CARD_COLOURS.ajax, CARD_COLOURS.sockjs]);
/** Of arrivals: where a row's parts stand, and how high all rows are together. */
const ROWS = Object.freeze({
  top: 290,
  height: 204,
  maxHeight: 48,
  axisHeight: 28,
  track: 364,
  trackWidth: 470,
  figure: 950,
});
const FOOT = Object.freeze({ top: 534, baseline: 591 });
/** The room of a table, px. */
export const CARD_TABLE = Object.freeze({ left: EDGE, right: RIGHT, top: BARS.top - 8, bottom: FOOT.top - 12 });

/** The server has these fonts; a browser draws with a similar one. */
const STYLE = `
text { font-family: 'DejaVu Sans', Verdana, sans-serif; fill: #14161a }
.strong { font-weight: bold }
.quiet { fill: #545b66 }
.on-bar { fill: #fff }
.place { font-weight: bold; fill: #14161a }
.better { font-weight: bold; fill: #14692f }
.worse { font-weight: bold; fill: #8a4300 }
.axis text { fill: #545b66; stroke: none }
.arrived text { font-weight: bold; fill: #fff; stroke: none }
.arrived circle { stroke: none }
.arrived .gap { stroke: #8a4300; stroke-width: 2.5; stroke-linecap: round; stroke-dasharray: 0 5 }
`;

/** The widths of letters in bold type, as parts of its size: those named, and all others. */
const LETTERS = Object.freeze([
  { letters: /[ .,:;'’|!ijl()I]/, width: 0.4 },
  { letters: /[mwMW%–…]/, width: 1.05 },
  { letters: /[A-Z]/, width: 0.8 },
  // Those of Chinese, Japanese and Korean, and symbols.
  { letters: /[\u2000-\uFFFF]/, width: 1.05 },
]);
const OTHER_WIDTH = 0.69;

/** @param {string} words @param {number} size px @returns {number} px, rather too many than too few */
function widthOf(words, size) {
  const widths = [...words].map((letter) => LETTERS.find(({ letters }) => letters.test(letter))?.width ?? OTHER_WIDTH);
  return size * widths.reduce((sum, width) => sum + width, 0);
}

/** Draws a picture to share. @param {ShareCard} card @returns {string} an SVG file */
export function drawShareCard({ sentence, bars, arrivals, table, day, ...foot }) {
  const { width, height } = SHARE_CARD;
  const root = { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}` };
  return toMarkup(
    node(
      'svg',
      root,
      node('style', {}, STYLE + (table?.style ?? '')),
      node('rect', { width, height, fill: '#fff' }),
      ...drawHead(day),
      ...drawSentence(sentence, bars || arrivals || table ? SENTENCE.aboveBars : SENTENCE.alone),
      ...(arrivals ? drawRows(arrivals) : bars ? drawBars(bars) : []),
      ...(table?.nodes ?? []),
      ...drawFoot(foot),
    ),
  );
}

/** The logo, the site's name and the day. @param {string} [day] @returns {SvgNode[]} */
function drawHead(day = '') {
  return [
    node('g', { transform: `translate(${EDGE} 48) scale(1.75)` }, ...LOGO),
    write('SockShootout', { x: EDGE + 72, y: 87, size: 30 }),
    text(day, { x: RIGHT, y: 84 }, 'end', { class: 'quiet', 'font-size': '24' }),
  ];
}

/**
 * Writes a line of words.
 * @param {string} words @param {{ x: number, y: number, size: number, style?: string }} at @returns {SvgNode}
 */
export const write = (words, { size, style = 'strong', ...at }) =>
  text(words, at, 'start', { class: style, 'font-size': String(size) });

/**
 * As large as it fits; one that does not fit is cut.
 * @param {string} sentence @param {number} bottom px @returns {SvgNode[]}
 */
function drawSentence(sentence, bottom) {
  const fitted = SENTENCE.letterPx.map((size) => {
    return { size, lines: wrap(sentence, size), most: Math.floor((bottom - SENTENCE.top) / (size * LEADING)) };
  });
  const { size, lines, most } = fitted.find((one) => one.lines.length <= one.most) ?? fitted[fitted.length - 1];
  const shown = lines.length > most ? [...lines.slice(0, most - 1), `${lines[most - 1].slice(0, -1)}…`] : lines;
  return shown.map((line, i) => write(line, { x: EDGE, y: SENTENCE.top + size * (1 + i * LEADING), size }));
}

/** @param {string} words @param {number} size px @returns {string[]} lines that fit between the edges */
function wrap(words, size) {
  /** @type {string[]} */
  const lines = [];
  for (const word of words.split(' ').flatMap((one) => breakUp(one, size))) {
    const longer = lines.length > 0 ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length > 0 && widthOf(longer, size) <= RIGHT - EDGE) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** @param {string} word @param {number} size px @returns {string[]} the parts of one that is wider than a line */
function breakUp(word, size) {
  if (widthOf(word, size) <= RIGHT - EDGE) return [word];
  const letters = [...word];
  const half = Math.ceil(letters.length / 2);
  return [letters.slice(0, half), letters.slice(half)].flatMap((part) => breakUp(part.join(''), size));
}

/** They begin at the left edge, as the logo does. @param {readonly Bar[]} bars @returns {SvgNode[]} */
function drawBars(bars) {
  const longest = Math.max(...bars.map(({ value }) => value));
  return bars.flatMap(({ name, value, figure, colour = '' }, i) => {
    const top = BARS.top + i * (BARS.height + BARS.gap);
    const width = Math.max(4, (BARS.maxWidth * value) / longest);
    const y = top + BARS.height / 2 + 15;
    const nameWidth = widthOf(name, 40);
    const isWithin = width >= EDGE + nameWidth + 24;
    const figureX = width + 24 + (isWithin ? 0 : nameWidth + 24);
    return [
      node('rect', {
        x: -8,
        y: top,
        width: width + 8,
        height: BARS.height,
        rx: 8,
        fill: CARD_COLOURS[colour] ?? OTHER_COLOURS[i],
      }),
      write(name, { x: isWithin ? EDGE : width + 24, y, size: 40, style: isWithin ? 'strong on-bar' : 'strong' }),
      write(figure, { x: figureX, y: y + 4, size: 54 }),
    ];
  });
}

/** A row for each method, as pages have them. @param {Arrivals} arrivals @returns {SvgNode[]} */
function drawRows(arrivals) {
  const { range, rows, columns } = arrivals;
  const { top, axisHeight, track: x, trackWidth: width, figure } = ROWS;
  const height = Math.min(ROWS.maxHeight, ROWS.height / rows.length);
  const dotPx = dotRadiusOf(arrivals, width);
  const bottom = top + height * rows.length;
  const axis = drawArrivalsAxis({ range }, { width, height: axisHeight });
  return [
    text(columns[0].toLowerCase(), { x: figure, y: top - 6 }, 'end', { class: 'quiet', 'font-size': '18' }),
    ...rows.flatMap((row, i) => drawRow(row, { range, dotPx, y: top + i * height, height })),
    { ...axis, attributes: { ...axis.attributes, x, y: bottom, 'font-size': 16, stroke: '#545b66' } },
  ];
}

/** @param {ArrivalsRow} row @param {{ range: Arrivals['range'], dotPx: number, y: number, height: number }} place @returns {SvgNode[]} */
function drawRow(row, { range, dotPx, y, height }) {
  const look = { colourOf: (/** @type {string} */ name) => CARD_COLOURS[name] ?? OTHER_COLOURS[0], paper: '#fff' };
  const drawn = drawTrack(row, { range, dotPx }, { width: ROWS.trackWidth, height }, look);
  const size = Math.min(24, height - 6);
  const baseline = y + height / 2 + size / 3;
  const style = (/** @type {string} */ name) => ({ class: name, 'font-size': String(size) });
  const { word = '' } = row;
  return [
    text(fit(row.label, ROWS.track - EDGE - 10, size), { x: EDGE, y: baseline }, 'start', {
      ...style('strong'),
      style: `fill: ${look.colourOf(row.colour)}`,
    }),
    { ...drawn, attributes: { ...drawn.attributes, x: ROWS.track, y, stroke: '#c8ced8' } },
    text(row.figures[0], { x: ROWS.figure, y: baseline }, 'end', style('strong')),
    text(word, { x: ROWS.figure + 32, y: baseline }, 'start', style(row.mark === 'worse' ? 'worse' : 'better')),
  ];
}

/** @param {{ place?: string, about?: string, site?: string }} card @returns {SvgNode[]} */
function drawFoot({ place = '', about = '', site = '' }) {
  const at = { x: EDGE, y: FOOT.baseline };
  const style = { class: 'strong', 'font-size': '24' };
  const after = [place && about && ', ', about].join('');
  const named = node('tspan', { class: 'place' }, fit(place, 480));
  return [
    node('rect', { y: FOOT.top, width: SHARE_CARD.width, height: SHARE_CARD.height - FOOT.top, fill: '#f6f7f9' }),
    node('rect', { y: FOOT.top, width: SHARE_CARD.width, height: 1, fill: '#dcdfe4' }),
    { ...text('', at, 'start', { class: 'quiet', 'font-size': '24' }), children: [named, after] },
    text(fit(site, 360), { x: RIGHT, y: FOOT.baseline }, 'end', style),
  ];
}

/** @param {string} words @param {number} px @param {number} [size] of letters, px @returns {string} cut where they are wider */
export function fit(words, px, size = 24) {
  if (widthOf(words, size) <= px) return words;
  const letters = [...words];
  while (letters.length > 0 && widthOf(`${letters.join('')}…`, size) > px) letters.pop();
  return `${letters.join('')}…`;
}
