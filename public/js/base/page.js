/** The shared functions of the pages' scripts: their elements, the visitors' input, and painting. */
import { InvalidInputError } from '../../../core/base/foreign-text.js';
import { isCommand, splitAtFigures } from '../../../core/base/format.js';
import { rateOfLoad } from '../../../core/net/rate.js';
import { pageUrl } from '../site-url.js';
import { keep, readKept } from '../storage.js';

/** @import { Environment, KnownPath } from '../../../core/experiment/contract.js' */

/**
 * The element that a page's script cannot do without.
 * @template {Element} [T=HTMLElement]
 * @param {string} selector @param {new () => T} [type] @returns {T}
 */
export function element(selector, type = /** @type {new () => any} */ (HTMLElement)) {
  const found = document.querySelector(selector);
  if (!(found instanceof type)) throw new TypeError(`Expected a ${type.name} at ${selector}, got ${found}`);
  return found;
}

/** @type {string | undefined} */
let ownTitle;

/** Shows in the browser's tab how far a run is, or what it found. @param {string} [words] the page's own title, if absent */
export function titleTab(words) {
  ownTitle ??= document.title;
  document.title = words ? `${words} – SockShootout` : ownTitle;
}

/** @param {string} selector @returns {HTMLInputElement[]} all inputs that it finds */
export const inputs = (selector) => [
  .../** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(selector)),
];

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, string>} [attributes] @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]} on no page yet
 */
export function create(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/**
 * Creates a text whose figures do not part from their units at the end of a line, and whose commands are code, as
 * views/partials/text.ejs does.
 * @param {string} text @returns {(HTMLElement | string)[]}
 */
export const keepTogether = (text) =>
  splitAtFigures(text)
    .map((part, i) =>
      i % 2 === 0 ? part : isCommand(part) ? create('code', {}, part) : create('span', { class: 'together' }, part),
    )
    .filter((part) => part !== '');

/**
 * Creates the same as one child: the parts of a flex container's text would be items of it, and part.
 * @param {string} text @returns {HTMLElement | string}
 */
export function keepAsOne(text) {
  const parts = keepTogether(text);
  return parts.length > 1 ? create('span', {}, ...parts) : (parts[0] ?? '');
}

/** @param {readonly string[]} texts @returns {HTMLLIElement[]} an item of a list for each */
export const createItems = (texts) => texts.map((text) => create('li', {}, ...keepTogether(text)));

/** @param {string} form selector @param {() => void} submit is called in place of sending the form */
export function onSubmit(form, submit) {
  element(form).addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
}

/**
 * @template T
 * @param {() => T} read may throw an InvalidInputError
 * @param {(message: string, error?: InvalidInputError) => void} [say] is called with an empty message first, then with that
 *   of an error
 * @returns {T | undefined} absent after an error
 */
export function tryOrSay(read, say = () => {}) {
  try {
    say('');
    return read();
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    say(error.message, error);
    return undefined;
  }
}

/** @param {string} message @returns {string} sentences; empty without a message */
export const describeLinkError = (message) =>
  message && `The plan in this link is invalid: ${message}. Use the options on this page.`;

/**
 * Says what is wrong with the form, at the field that it is about; at the form's end if it is about no single one, or one that is folded.
 * @param {string} words empty where nothing is wrong @param {HTMLElement} [field]
 */
export function sayAtField(words, field) {
  const error = element('#form-error');
  const isShown = field && !field.closest('details:not([open])');
  // Boxes are wrong together.
  const own = field?.matches('[type=checkbox], [type=radio]')
    ? field.closest('fieldset.choices, ul')
    : field?.closest('label');
  const place = (isShown && own) || element('#run-form > .running');
  if (words !== '' && error.previousElementSibling !== place) place.after(error);
  error.textContent = words;
}

/** Marks a field whose value is wrong, also for screen readers. @param {HTMLElement} field @param {boolean} isWrong */
export function markField(field, isWrong) {
  if (isWrong) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}

/**
 * Marks the fields that an error is about.
 * @param {readonly HTMLInputElement[]} inputs have the names of a link's parameters
 * @param {InvalidInputError} [error] absent where nothing is wrong
 * @returns {string} its message with the labels of the inputs, empty without an error
 */
export function markFaults(inputs, error) {
  const { fields = [], reason = '' } = error ?? {};
  const wrong = inputs.filter(({ name, disabled }) => !disabled && fields.includes(name));
  for (const input of inputs) markField(input, wrong.includes(input));
  const labels = fields.map(
    (field) => wrong.find(({ name }) => name === field)?.labels?.[0]?.textContent?.trim() ?? field,
  );
  return InvalidInputError.compose(reason, labels);
}

export const now = () => performance.now();

/** @returns {Omit<Environment, 'stepMs'>} where this page measures */
export const readEnvironment = () => ({
  url: pageUrl(),
  userAgent: navigator.userAgent,
  isCrossOriginIsolated: window.crossOriginIsolated,
});

/** How the browser got this page. @returns {Partial<PerformanceNavigationTiming>} empty if it kept it */
export function readNavigation() {
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
  return navigation ?? {};
}

const PATH_RATE = 'sockshootout/path-rate/1';

/** Learns the rate of the path from this page and from those before it in this tab. @returns {number | undefined} */
function learnRate() {
  const entries = /** @type {PerformanceResourceTiming[]} */ (
    ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
  );
  const known = readKept('sessionStorage', PATH_RATE);
  const learned = rateOfLoad(entries, known > 0 ? Number(known) : undefined);
  if (learned !== known) keep('sessionStorage', PATH_RATE, learned);
  return learned;
}

/** Read before runs and tests clear what the browser keeps of requests. */
const bytesPerSecond = learnRate();

/** @returns {KnownPath} how the browser reaches the site, as far as the page knows */
export const readPath = () => ({
  ...(/^h[23]$/.test(readNavigation().nextHopProtocol ?? '') && { requestLimit: Infinity }),
  bytesPerSecond,
});

/** The time limit of painting: a hidden tab never paints. */
const PAINT_LIMIT_MS = 100;

/** Lets the browser paint changes, so that it does not while a clock runs. @returns {Promise<void>} */
export function nextPaint() {
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, PAINT_LIMIT_MS);
    requestAnimationFrame(() => {
      clearTimeout(limit);
      // A frame is painted after its callbacks.
      setTimeout(resolve);
    });
  });
}

/** Draws only when the browser has nothing else to do. @param {() => void} draw */
export function whenIdle(draw) {
  // Some browsers do not have it: https://developer.mozilla.org/docs/Web/API/Window/requestIdleCallback
  if ('requestIdleCallback' in window) requestIdleCallback(draw);
  else requestAnimationFrame(draw);
}

/** @returns {Promise<void>} when the page has all that it loads: until then the browser is busy with it */
export function whenLoaded() {
  if (document.readyState === 'complete') return Promise.resolve();
  return new Promise((resolve) => window.addEventListener('load', () => resolve(), { once: true }));
}

/** @returns {Promise<void>} as soon as this tab can be seen */
export async function whenVisible() {
  while (document.visibilityState === 'hidden') {
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
  }
}
