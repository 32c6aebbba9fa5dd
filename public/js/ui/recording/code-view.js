/** Shows the code that changes, with the address and the interval of the page’s poll, and before the change with its library. */
import { pathOf } from '../../../../core/recording/advice.js';
import { situationOf } from '../../../../core/recording/situation.js';
import { element } from '../../base/page.js';

/**
 * @import { Advice } from '../../../../core/recording/advice.js'
 * @import { Poll, Recording } from '../../../../core/recording/recording.js'
 */

/** Which code shows a method. @type {Readonly<Partial<Record<Advice['polls'][number]['word'], string>>>} */
const CODES = Object.freeze({ 'event-stream': 'sse', socket: 'sockjs' });
/** What the example polls, and how long it waits. */
const [EXAMPLE_PATH, EXAMPLE_PAUSE] = ['/news', '(poll, 1000)'];
/** What would end a text of the code, or begin something within it. */
const SPECIAL = /['`\\$]/g;

/** The code as served: that of another recording takes its place. @type {WeakMap<Element, string>} */
const examples = new WeakMap();

/** Shows the code that changes, for each advice that has some. @param {Recording} recording @param {Advice} advice */
export function showCode(recording, { polls }) {
  for (const [word, method] of Object.entries(CODES)) {
    const card = element(`#code-${method}`);
    const poll = polls.find((one) => one.word === word)?.poll;
    card.hidden = !poll;
    if (!poll) continue;
    showBefore(card, poll);
    for (const code of card.querySelectorAll('pre > code')) code.textContent = adapt(exampleOf(code), poll, recording);
  }
}

/** Shows the code before with the library that polls. @param {HTMLElement} card @param {Poll} poll */
function showBefore(card, { library }) {
  const befores = [.../** @type {NodeListOf<HTMLElement>} */ (card.querySelectorAll('[data-library]'))];
  const isKnown = befores.some(({ dataset }) => dataset.library === library);
  for (const before of befores) before.hidden = before.dataset.library !== (isKnown ? library : '');
}

/** @param {Element} code @returns {string} */
function exampleOf(code) {
  const example = examples.get(code) ?? code.textContent ?? '';
  examples.set(code, example);
  return example;
}

/** @param {string} example @param {Poll} poll @param {Recording} recording @returns {string} */
function adapt(example, poll, recording) {
  const path = pathOf(poll).replace(SPECIAL, (one) => `%${one.charCodeAt(0).toString(16)}`);
  const { intervalMs } = situationOf(recording, poll)?.situation ?? {};
  return example.replace(EXAMPLE_PATH, path).replace(EXAMPLE_PAUSE, `(poll, ${intervalMs})`);
}
