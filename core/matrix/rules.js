/**
 * The sentence that sums up a study by place: of each topic, the first rule that holds says it. No rule says more than the
 * cells, and none speaks of one's own machine or network.
 */
import { formatInSeconds, formatRtt } from '../base/format.js';
import { listOf, SAME_PERCENT, VERDICT_LABELS, withoutLimit } from '../experiment/compare.js';

/**
 * @import { Answer } from '../experiment/answer.js'
 * @typedef {{ name: string, rttMs?: number, mark: Answer['mark'], word: string, value?: number }} At what a place says of a
 *   topic; `value`: its figure
 * @typedef {{ places: readonly At[], placeCount?: number, subject: string }} Said in the order of round-trip times; `placeCount`: with
 *   those that did not answer; `subject`: a noun
 * @typedef {(said: Said) => string | undefined} Rule absent if it does not hold
 */

/** More names than that are hard to read. */
const MAX_NAMES = 3;

/** The verdicts that have the mark of the same, and another word. */
const LITTLE = /** @type {const} */ (['little-faster', 'little-slower']);
/** @typedef {Answer['mark'] | typeof LITTLE[number]} Kind */

/** @param {At} place @returns {Kind} */
const kindOf = ({ mark, word }) => LITTLE.find((name) => word.toLowerCase().includes(VERDICT_LABELS[name])) ?? mark;
/** @param {readonly At[]} places @param {Kind} kind */
const marked = (places, kind) => places.filter((one) => kindOf(one) === kind);
/** The word for all places of a kind: that of the largest difference. @param {Said} said @param {typeof LITTLE[number]} kind */
const wordFor = ({ places }, kind) =>
  `${marked(places, kind).some(({ word }) => word.startsWith('At least')) ? 'at least ' : ''}${VERDICT_LABELS[kind]}`;
/** @param {readonly At[]} places @param {Kind} mark */
const areAll = (places, mark) => places.length > 0 && marked(places, mark).length === places.length;

/** @param {readonly At[]} places @param {Said} said of these and others */
function nameAll(places, { places: all, placeCount = all.length }) {
  if (places.length === 1 && all.length === 1) return withRtt(places[0]);
  if (places.length === placeCount) return 'every place';
  const names = places.map(({ name }) => name);
  return places.length > MAX_NAMES ? `${places.length} of ${placeCount} places` : listOf(names);
}

/** @param {Said} said @returns {string} behind 'place' */
const whichAnswered = ({ places, placeCount = places.length }) =>
  places.length < placeCount ? ' that measured it' : '';

/** @param {At} place */
const withRtt = ({ name, rttMs }) => (rttMs === undefined ? name : `${name} (${formatRtt(rttMs)} ms)`);

/** @param {readonly At[]} places @returns {string} such as '0.51 to 0.64 s' */
function spanOf(places) {
  const values = places.flatMap(({ value }) => (value === undefined ? [] : [Math.abs(value)]));
  const ends = [Math.min(...values), Math.max(...values)].map(
    (ms) => formatInSeconds({ estimate: ms, low: ms - 10, high: ms + 10 }).figure,
  );
  return ends[0] === ends[1] ? ends[0] : `${ends[0].replace(' s', '')} to ${ends[1]}`;
}

/** How many of the nearest places have a mark that no other has. @param {readonly At[]} places @param {Answer['mark']} mark */
function prefixOf(places, mark) {
  const { length } = marked(places, mark);
  const isPrefix = length > 0 && length < places.length && areAll(places.slice(0, length), mark);
  return isPrefix && areAll(places.slice(length), 'same') ? length : 0;
}

/** @param {Said} said @param {readonly (readonly [kind: Kind, words: string])[]} words */
const listByMark = (said, words) =>
  words
    .flatMap(([mark, text]) => {
      const own = marked(said.places, mark);
      return own.length > 0 ? [`${text} ${nameAll(own, said)}`] : [];
    })
    .join('; ');

/** @type {Readonly<Record<'news' | 'sending' | 'other', Readonly<Record<string, Rule>>>>} */
export const RULES = Object.freeze({
  news: {
    'sooner from all': (said) =>
      areAll(said.places, 'better')
        ? `From ${nameAll(said.places, said)}, news arrives ${spanOf(said.places)} sooner.`
        : undefined,
    'later from all': (said) =>
      areAll(said.places, 'worse')
        ? `From ${nameAll(said.places, said)}, news arrives ${spanOf(said.places)} later.`
        : undefined,
    'clear from none': (said) =>
      marked(said.places, 'better').length + marked(said.places, 'worse').length === 0
        ? `No place${whichAnswered(said)} shows a clear difference in when news arrives.`
        : undefined,
    'by place': (said) =>
      `${listByMark(said, [
        ['better', `News arrives ${spanOf(marked(said.places, 'better'))} sooner from`],
        ['worse', marked(said.places, 'better').length > 0 ? 'later from' : 'News arrives later from'],
        ['same', 'as soon from'],
        ['unclear', 'no clear difference from'],
      ])}.`,
  },
  sending: {
    'faster from all': (said) =>
      areAll(said.places, 'better') ? `Sending is faster from ${nameAll(said.places, said)}.` : undefined,
    'the same from all': (said) =>
      areAll(said.places, 'same')
        ? `Sending is the same within ${SAME_PERCENT}% from ${nameAll(said.places, said)}.`
        : undefined,
    'slower from all': (said) =>
      areAll(said.places, 'worse') ? `Sending is slower from ${nameAll(said.places, said)}.` : undefined,
    'clear from none': (said) =>
      areAll(said.places, 'unclear')
        ? `Sending shows no clear difference from any place${whichAnswered(said)}.`
        : undefined,
    'faster up to a distance': ({ places }) => {
      const length = prefixOf(places, 'better');
      return length > 0 ? `Sending is faster only up to ${withRtt(places[length - 1])}.` : undefined;
    },
    'faster from a distance on': ({ places }) => {
      const length = prefixOf(places.toReversed(), 'better');
      return length > 0 ? `Sending is faster only from ${withRtt(places[places.length - length])} on.` : undefined;
    },
    'by place': (said) => {
      const listed = listByMark(said, [
        ['better', 'faster from'],
        ['little-faster', `${wordFor(said, 'little-faster')} from`],
        ['same', `the same within ${SAME_PERCENT}% from`],
        ['little-slower', `${wordFor(said, 'little-slower')} from`],
        ['worse', 'slower from'],
        ['unclear', 'no clear difference from'],
      ]);
      return `Sending is ${listed}.`.replace('is no clear', 'shows no clear');
    },
  },
  other: {
    'by word': (said) => {
      const { places, subject } = said;
      const words = [...new Set(places.map(({ word }) => withoutLimit(word)))];
      const parts = words.map((word) => {
        const own = places.filter((one) => withoutLimit(one.word) === word);
        return `${word.toLowerCase()} from ${nameAll(own, said)}`;
      });
      return `${subject}: ${parts.join('; ')}.`;
    },
  },
});

/** @param {keyof typeof RULES} topic @param {Said} said of at least one place @returns {string} a sentence */
export function sayOf(topic, said) {
  for (const rule of Object.values(RULES[topic])) {
    const sentence = rule(said);
    if (sentence) return sentence;
  }
  throw new RangeError(`rules: expected one of ${topic} that holds, got none`);
}
