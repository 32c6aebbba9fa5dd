/** The list of a full test's tests: which are chosen and how long each takes; during a run, what became of each. */
import { nameRange } from '../../../core/experiment/run/duration.js';
import { MISSING } from '../../../core/full-test/score.js';
import { element, inputs, readPath } from '../base/page.js';

/** @import { PlannedPart } from '../../../core/full-test/plan.js' */
/** @import { Part } from '../../../core/full-test/schema.js' */

const WAITING = 'Waiting';

/** @typedef {ReturnType<typeof createTestList>} TestList */

export function createTestList() {
  const rows = inputs('[name=test]').map(rowOf);
  const find = (/** @type {string} */ name) => rows.find((row) => row.name === name);
  /** @type {readonly string[]} the tests of the run */
  let running = [];

  return {
    chosen: () => rows.filter(({ box }) => box.checked).map(({ name }) => name),
    /** @param {readonly string[]} names */
    choose(names) {
      for (const { name, box } of rows) box.checked = names.includes(name);
    },
    /** Shows how long each test takes. @param {(roundTripMs: number) => readonly PlannedPart[]} partsAt of all */
    show(partsAt) {
      for (const { name, say } of rows)
        say(nameRange((rttMs) => partsAt(rttMs).filter(({ experiment }) => experiment.name === name), readPath()));
    },
    /** @param {readonly string[]} names in the order of the run */
    begin(names) {
      running = names;
      for (const name of names) find(name)?.say(WAITING);
    },
    /** @param {number} index @param {() => void} onSkip */
    start(index, onSkip) {
      find(running[index])?.say('Measuring');
      element('#skip').onclick = onSkip;
    },
    /** @param {number} index @param {Part} part */
    end(index, { missing, document }) {
      find(running[index])?.say(missing ? MISSING[missing.kind] : document.ending ? 'Ended early' : 'Measured');
    },
  };
}

/** @param {HTMLInputElement} box */
function rowOf(box) {
  const item = /** @type {HTMLElement} */ (box.closest('li'));
  const state = /** @type {HTMLElement} */ (item.querySelector('.state'));
  return { name: box.value, box, say: (/** @type {string} */ words) => (state.textContent = words) };
}
