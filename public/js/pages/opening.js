/**
 * Makes a page usable before its program is there, which takes several round trips: a press until then waits for it. It
 * imports nothing, so that it comes with the first bytes.
 */

const ask = document.querySelector('#ask');
const controls = document.querySelector('#start-controls');
const running = document.querySelector('.running');
const words = document.querySelector('#progress-text');
const program = document.querySelector('#program');

/** The button that starts a run; others do something that is seen only when the program is there. */
const START = '[type="submit"]';
const opening = new AbortController();
const { signal } = opening;
/** @type {HTMLElement[]} in the order of the presses */
let pressed = [];

/** @param {boolean} isWaiting @param {string} text */
function show(isWaiting, text) {
  if (ask instanceof HTMLElement) ask.dataset.state = isWaiting ? 'running' : 'asking';
  if (controls instanceof HTMLFieldSetElement) controls.disabled = isWaiting;
  if (running instanceof HTMLElement && isWaiting) running.hidden = false;
  if (words) words.textContent = text;
}

/** @param {Element | null | undefined} button */
function hold(button) {
  if (!(button instanceof HTMLElement)) return;
  pressed.push(button);
  if (button.matches(START)) show(true, 'Connecting');
}

ask?.addEventListener(
  'submit',
  (event) => {
    event.preventDefault();
    hold(/** @type {SubmitEvent} */ (event).submitter);
  },
  { signal },
);
ask?.addEventListener(
  'click',
  (event) => {
    const { target, detail } = /** @type {MouseEvent} */ (event);
    const button = target instanceof Element ? target.closest('button[type="button"]') : undefined;
    if (button?.id !== 'cancel') return hold(button);
    // Stop stands where Measure was: the second press of a double-click is none of Stop.
    if (detail > 1) return;
    pressed = [];
    show(false, 'Stopped');
  },
  { signal },
);
// The page's program is there, and its listeners are when it has run.
ask?.addEventListener(
  'mounted',
  () => {
    opening.abort();
    setTimeout(() => pressed.forEach((button) => button.click()));
  },
  { signal },
);

if (controls instanceof HTMLFieldSetElement) controls.disabled = false;
import(/** @type {HTMLLinkElement} */ (program).href).catch((error) => {
  // One that is there reports its own errors.
  if (!signal.aborted) {
    show(false, 'Failed');
    const problem = document.querySelector('#run-problem');
    const retry = document.querySelector('#retry');
    if (problem instanceof HTMLElement) problem.hidden = false;
    const text = document.querySelector('#run-problem-text');
    if (text) text.textContent = 'The page could not be loaded completely. Check your network, then retry.';
    retry?.addEventListener('click', () => location.reload());
  }
  reportError(error);
});
