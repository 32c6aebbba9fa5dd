/**
 * Draws a run as lanes while it goes on, and how long each method typically took so far. What moves is moved by the browser's compositor,
 * not by scripts; scripts draw between trials, and in idle time.
 */
import { drawLane, formatLaneTime } from '../../../core/picture/lanes.js';
import { createSvg } from '../charts/svg.js';
import { create, keepTogether, now, whenIdle } from '../base/page.js';

/** @import { LiveLane, LiveLanes } from '../../../core/picture/lanes.js' */
/** @import { Picture, SoFar } from './live-view.js' */

/** @typedef {(soFar: SoFar) => LiveLanes} ReadLanes */

/** The interval of drawing between trials, which may be as short as a message. */
const LOOK_MS = 500;
/** The interval of drawing in idle time, if something moves; and for visitors who prefer reduced motion. */
const MOVE_MS = 500;
const CALM_MOVE_MS = 1000;
/** The time beyond now that is drawn: until the next drawing, with a reserve. */
const AHEAD_MS = 5000;
const STEPS_PER_SECOND = 20;
/** The interval of the text alternative, which nobody can listen to more often. */
const SAY_MS = 10_000;
const AXIS_STOPS = 5;

/**
 * Creates the lanes of a run, which move while it goes on.
 * @param {HTMLElement} place @param {ReadLanes} read @returns {Picture}
 */
export function createLanes(place, read) {
  let picture = read({ trials: [] });
  const { play } = picture;
  const figures = createFigures(picture);
  const board = createBoard(picture);
  place.replaceChildren(figures.card, board.card);
  const clock = play && createClock(play.speed);
  let drawnAtMs = -Infinity;
  let saidAtMs = -Infinity;
  const draw = () => board.draw(picture, clock);
  const mover = clock && window.setInterval(() => whenIdle(draw), isCalm() ? CALM_MOVE_MS : MOVE_MS);
  // The first report, and those of another height, change nothing.
  const observer = new ResizeObserver(() => board.isOfOtherWidth() && draw());
  observer.observe(board.track);
  return {
    show(soFar) {
      if (now() - drawnAtMs < LOOK_MS) return false;
      drawnAtMs = now();
      picture = read(soFar);
      if (soFar.trials.length > 0) clock?.agree(picture);
      figures.show(picture);
      if (!clock || !isCalm()) draw();
      if (now() - saidAtMs < SAY_MS) return true;
      if (picture.lanes.every(({ typicalMs }) => typicalMs !== undefined)) saidAtMs = now();
      board.say(describe(picture));
      return true;
    },
    destroy() {
      clearInterval(mover);
      observer.disconnect();
    },
  };
}

/**
 * @typedef {object} Clock tells the time that the lanes show
 * @property {number} speed of the shown time
 * @property {() => number} read ms of the run's shown time
 * @property {(picture: LiveLanes) => void} agree agrees with the run's own time, to a whole polling period, so that no poll jumps
 */

/** @param {number} speed @returns {Clock} */
function createClock(speed) {
  const startedAtMs = now();
  let aheadMs = 0;
  let hasAgreed = false;
  return {
    speed,
    read: () => (now() - startedAtMs) * speed - aheadMs,
    agree({ play, lanes }) {
      if (hasAgreed) return;
      hasAgreed = true;
      const periodMs = lanes.find(({ poll }) => poll)?.poll?.periodMs ?? 1;
      aheadMs = Math.floor(((now() - startedAtMs) * speed - Number(play?.endMs)) / periodMs) * periodMs;
    },
  };
}

/** @param {LiveLanes} picture */
function createFigures({ title, lanes }) {
  const rows = lanes.map(({ label, colour }) => {
    const figure = create('output', { 'aria-live': 'off' }, '–');
    const bar = create('span', { class: 'bar' });
    const row = create('div', { class: 'mean' }, create('strong', {}, label), figure, bar);
    row.style.setProperty('--lane', `var(--${colour})`);
    return { figure, bar, row };
  });
  const note = create('p', { class: 'note' });
  const card = create('div', { class: 'card live-means' }, create('p', { class: 'eyebrow' }, title));
  card.append(...rows.map(({ row }) => row), note);
  return {
    card,
    /** @param {LiveLanes} picture */
    show(picture) {
      const most = Math.max(...picture.lanes.map(({ typicalMs = 0 }) => typicalMs));
      for (const [i, { typicalMs }] of picture.lanes.entries()) {
        const { figure, bar } = rows[i];
        figure.replaceChildren(...(typicalMs === undefined ? ['–'] : keepTogether(picture.formatMs(typicalMs))));
        bar.style.inlineSize = `${most > 0 ? (100 * (typicalMs ?? 0)) / most : 0}%`;
      }
      note.replaceChildren(...keepTogether(picture.note));
    },
  };
}

/** @param {LiveLanes} picture */
function createBoard({ words, lanes, spanMs, play }) {
  const heading = create('h2');
  const keys = [
    ['begins', words.begins],
    ['ends', words.ends],
    ['poll', words.poll],
  ].flatMap(([mark, text]) => (text ? [create('li', {}, create('i', { class: `sign ${mark}` }), text)] : []));
  const rows = lanes.map(createRow);
  const axis = create('div', { class: 'axis' });
  const tracks = create('div', { class: 'tracks', role: 'img', 'aria-label': headingOf({ spanMs, play }) });
  tracks.append(...rows.map(({ row }) => row), axis);
  const head = create('div', { class: 'head' }, heading, create('ul', {}, ...keys));
  const card = create('div', { class: 'card live-lanes' }, head, tracks);
  let shownSpanMs = 0;
  let drawnPx = 0;
  return {
    card,
    track: rows[0].track,
    isOfOtherWidth: () => rows[0].track.clientWidth !== drawnPx,
    say: (/** @type {string} */ text) => tracks.setAttribute('aria-label', text),
    /** @param {LiveLanes} picture @param {Clock} [clock] */
    draw(picture, clock) {
      const width = rows[0].track.clientWidth;
      drawnPx = width;
      if (width === 0) return;
      if (picture.spanMs !== shownSpanMs) {
        shownSpanMs = picture.spanMs;
        heading.replaceChildren(...keepTogether(headingOf(picture)));
        axis.replaceChildren(...axisOf(picture));
      }
      const aheadMs = clock ? AHEAD_MS * clock.speed : 0;
      const { formatMs } = picture;
      const frame = { width, spanMs: shownSpanMs, nowMs: clock?.read() ?? 0, aheadMs, formatMs, noun: words.many };
      for (const [i, lane] of picture.lanes.entries()) {
        const drawn = createSvg(drawLane(lane, frame));
        rows[i].track.replaceChildren(drawn);
        if (clock && !isCalm()) move(drawn, (width * aheadMs) / shownSpanMs);
      }
    },
  };
}

/** @returns {boolean} whether lanes advance only when they are drawn again */
const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Moves what lies ahead into the present. @param {SVGElement} drawn @param {number} px */
function move(drawn, px) {
  drawn.animate([{ transform: 'none' }, { transform: `translateX(${-px}px)` }], {
    duration: AHEAD_MS,
    // Fewer steps than the screen has frames, as each costs time.
    easing: `steps(${(AHEAD_MS / 1000) * STEPS_PER_SECOND})`,
    fill: 'forwards',
  });
}

/** @param {LiveLane} lane */
function createRow({ label, about = '', colour }) {
  const track = create('div', { class: 'track' });
  const name = create('div', { class: 'name' }, create('strong', {}, label), create('small', {}, about));
  const row = create('div', { class: 'lane-row' }, name, track);
  row.style.setProperty('--lane', `var(--${colour})`);
  return { row, track };
}

/** @param {number} speed 1: as it was @returns {string} */
function describeSpeed(speed) {
  if (speed === 1) return '';
  if (speed === 0.5) return ', at half speed';
  return speed > 1 ? `, sped up ${speed} times` : `, at ${Math.round(100 * speed)}% of the speed`;
}

/** @param {{ spanMs: number, play?: LiveLanes['play'] }} picture */
function headingOf({ spanMs, play }) {
  const { speed = 1 } = play ?? {};
  return `The last ${formatLaneTime(spanMs)}${describeSpeed(speed)}`;
}

/** @param {LiveLanes} picture */
function axisOf({ spanMs, play }) {
  const stops = Array.from({ length: AXIS_STOPS }, (_, i) => spanMs * (1 - i / AXIS_STOPS));
  const end = create('strong', {}, play ? 'now' : formatLaneTime(0, spanMs));
  return [...stops.map((ms) => create('span', {}, formatLaneTime(ms, spanMs))), end];
}

/** @param {LiveLanes} picture @returns {string} */
function describe(picture) {
  const figures = picture.lanes.map(({ label, about, typicalMs }) => {
    const name = about ? `${label} (${about})` : label;
    return `${name}: ${typicalMs === undefined ? 'nothing yet' : picture.formatMs(typicalMs)}`;
  });
  return `${picture.title}: ${figures.join('; ')}. ${picture.note}`;
}
