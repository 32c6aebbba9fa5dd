/** Mounts the form of the full test: the visitor's situation, the tests, and how long they take. */
import { createSeed } from '../../../core/base/random.js';
import { formatFields } from '../../../core/experiment/fields.js';
import { SITUATION_FIELDS } from '../../../core/experiment/situation.js';
import { isDefault, linkOf, parseFullTest, describeDuration } from '../../../core/full-test/plan.js';
import { mountSituation } from '../ui/situation-form.js';
import { describeLinkError, element, onSubmit, requestLimit, tryOrSay, inputs } from '../base/page.js';
import { probeServers } from '../ui/home/servers.js';
import { at, siteUrl } from '../site-url.js';
import { formatSeconds } from '../../../core/base/format.js';
import { MISSING } from '../../../core/full-test/score.js';

/**
 * @import { FullTestPlan, Member, PlannedPart } from '../../../core/full-test/plan.js'
 * @import { FormPlace, TestForm } from '../test-page.js'
 * @import { SituationForm } from '../ui/situation-form.js'
 * @import { Part } from '../../../core/full-test/schema.js'
 */

/**
 * Mounts the form that makes the plan, or shows a linked one.
 * @param {readonly Member[]} members @param {FormPlace} place @returns {TestForm}
 */
export function createFullTestForm(members, { onStart, sayProblem }) {
  const list = createTestList();
  let roundTripMs = 0;
  const controls = element('#start-controls', HTMLFieldSetElement);
  const situation = mountSituation();
  const linked = new URLSearchParams(location.search);
  let seed = createSeed();
  /** The visitor's own choice of tests; before it the situation decides. */
  let isChosen = linked.has('tests');
  /** @type {FullTestPlan | undefined} */
  let plan;

  const choose = () => {
    const query = new URLSearchParams(formatFields(situation.read(), SITUATION_FIELDS));
    if (isChosen) query.set('tests', list.chosen().join(','));
    // What a link asks of a part holds as long as the situation is the link's.
    for (const { name } of members) if (linked.has(name)) query.set(name, String(linked.get(name)));
    return parseFullTest(query, members, { roundTripMs, seed });
  };
  const show = () => {
    say('');
    plan = tryOrSay(choose, say);
    if (!plan) return false;
    list.show(plan.parts, roundTripMs);
    element('#start').textContent = `Measure, ${describeDuration(plan.parts, roundTripMs, requestLimit())}`;
    const link = element('#plan-link', HTMLAnchorElement);
    link.hidden = false;
    link.href = at(linkOf(plan).replace(/^\/\?/, '/all?'));
    return true;
  };
  const submit = () => {
    if (!show() || !plan) return;
    history.replaceState(history.state, '', new URL(element('#plan-link', HTMLAnchorElement).href));
    const started = plan;
    seed = createSeed();
    onStart({ ...started, roundTripMs });
  };

  const linkError = readLink(linked, members, { situation, list });
  element('#run-form').addEventListener('input', ({ target }) => {
    if (/** @type {HTMLInputElement} */ (target).name === 'test') isChosen = true;
    else for (const { name } of members) linked.delete(name);
    show();
  });
  onSubmit('#run-form', submit);
  const setEnabled = (/** @type {boolean} */ isEnabled) => (controls.disabled = !isEnabled);
  const probe = async () => {
    const own = [{ name: '', url: siteUrl }];
    const { roundTripsMs, problems } = await probeServers(own, 0, new AbortController().signal);
    sayProblem(problems[0]?.reason ?? '');
    [roundTripMs = 0] = roundTripsMs;
    setEnabled(problems.length === 0);
    return problems.length === 0;
  };
  return {
    submit,
    setEnabled,
    isLinkRefused: linkError !== '',
    async probe() {
      const isThere = await probe();
      if (isThere) show();
      if (isThere && linkError) say(linkError);
      return isThere;
    },
    // A server that did not answer is probed again first.
    async retry() {
      if (await probe()) submit();
    },
    async prepare(started) {
      list.begin(started.parts.map(({ experiment }) => experiment.name));
      return started;
    },
    follower: { onStart: list.start, onEnd: list.end },
  };
}

/**
 * Shows what a link asks for.
 * @param {URLSearchParams} query @param {readonly Member[]} members
 * @param {{ situation: SituationForm, list: TestList }} form
 * @returns {string} why it is refused; empty if it is not
 */
function readLink(query, members, { situation, list }) {
  let problem = '';
  const plan = tryOrSay(
    () => parseFullTest(query, members, { roundTripMs: 0, seed: 0 }),
    (message) => (problem = describeLinkError(message)),
  );
  if (plan) {
    situation.show(plan.situation);
    for (const [id, value] of [
      ['#baseline', plan.situation.uses],
      ['#candidate', plan.situation.considers],
    ])
      element(id, HTMLSelectElement).value = value;
    list.choose(plan.parts.map(({ experiment }) => experiment.name));
  } else list.choose(members.filter((member) => isDefault(member, situation.read())).map(({ name }) => name));
  return problem;
}

/** @param {string} words */
function say(words) {
  element('#form-error').textContent = words;
}

const WAITING = 'Waiting';

/** @typedef {ReturnType<typeof createTestList>} TestList */

function createTestList() {
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
    /** Shows a plan. @param {readonly PlannedPart[]} parts @param {number} roundTripMs */
    show(parts, roundTripMs) {
      for (const { name, box, say } of rows) {
        const part = parts.find(({ experiment }) => experiment.name === name);
        box.checked = part !== undefined;
        say(part ? formatSeconds(part.experiment.fullTest.secondsOf(part.plan, roundTripMs, requestLimit())) : '');
      }
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
