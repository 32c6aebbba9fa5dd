/** Mounts the form of the full test: the visitor's situation, the tests, and how long they take. */
import { createSeed } from '../../../core/base/random.js';
import { formatFields } from '../../../core/experiment/plan/fields.js';
import { describeNeeds, SITUATION_FIELDS } from '../../../core/experiment/plan/situation.js';
import { describeRange } from '../../../core/experiment/run/duration.js';
import { isDefault, linkOf, parseFullTest } from '../../../core/full-test/plan.js';
import { mountSituation } from '../ui/situation-form.js';
import {
  describeLinkError,
  element,
  inputs,
  keepTogether,
  onSubmit,
  readPath,
  sayAtField,
  tryOrSay,
} from '../base/page.js';
import { createTestList } from '../ui/test-list.js';
import { probeServers } from '../ui/home/servers.js';
import { at, siteUrl } from '../site-url.js';

/** @import { FullTestPlan, Member } from '../../../core/full-test/plan.js' */
/** @import { FormPlace, TestForm } from '../test-page.js' */
/** @import { SituationForm } from '../ui/situation-form.js' */
/** @import { TestList } from '../ui/test-list.js' */

/**
 * Mounts the form that makes the plan, or shows a linked one.
 * @param {readonly Member[]} members @param {FormPlace} place @returns {TestForm}
 */
export function createFullTestForm(members, { onStart, sayProblem }) {
  const list = createTestList();
  let roundTripMs = 0;
  const controls = element('#start-controls', HTMLFieldSetElement);
  const situation = mountSituation();
  const tests = inputs('[name=test]');
  const linked = new URLSearchParams(location.search);
  let seed = createSeed();
  /** The visitor's own choice of tests; before it the situation decides. */
  let isChosen = linked.has('tests');
  /** @type {FullTestPlan | undefined} */
  let plan;

  const all = members.map(({ name }) => name);
  /** @param {number} rttMs @param {readonly string[]} [names] of tests @param {readonly string[]} [asked] by a link that holds */
  const chooseAt = (rttMs, names = isChosen ? list.chosen() : undefined, asked = names ?? all) =>
    parseFullTest(queryOf(situation.read(), { names, linked, asked }), members, { roundTripMs: rttMs, seed });
  const show = () => {
    sayAtField('');
    // Of what is chosen here, only the list of tests can be empty.
    plan = tryOrSay(
      () => chooseAt(roundTripMs),
      (words) => sayAtField(words, tests[0]),
    );
    if (!plan) return false;
    const chosen = plan.parts.map(({ experiment }) => experiment.name);
    list.choose(chosen);
    list.show((rttMs) => chooseAt(rttMs, all, chosen).parts);
    element('#start').textContent = `Measure, ${describeRange((rttMs) => chooseAt(rttMs).parts, readPath())}`;
    const href = at(linkOf(plan).replace(/^\/\?/, '/all?'));
    Object.assign(element('#plan-link'), { hidden: false, href });
    return true;
  };
  const submit = () => {
    if (!show() || !plan) {
      tests[0]?.focus();
      return;
    }
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
    const { roundTripsMs, problems } = await probeOwn();
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
      if (isThere && linkError) sayAtField(linkError);
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

const probeOwn = () => probeServers([{ name: '', url: siteUrl }], 0, new AbortController().signal);

/**
 * What a link asks of a part holds as long as the situation is the link's.
 * @param {ReturnType<SituationForm['read']>} situation
 * @param {{ names?: readonly string[], linked: URLSearchParams, asked: readonly string[] }} chosen
 * @returns {URLSearchParams}
 */
function queryOf(situation, { names, linked, asked }) {
  const query = new URLSearchParams(formatFields(situation, SITUATION_FIELDS));
  if (names) query.set('tests', names.join(','));
  for (const name of asked) if (linked.has(name)) query.set(name, String(linked.get(name)));
  return query;
}

/** Says what is folded. @param {SituationForm} situation */
function mountNeeds(situation) {
  const show = () => element('#needs-summary').replaceChildren(...keepTogether(describeNeeds(situation.read())));
  element('#run-form').addEventListener('input', show);
  show();
  // As a link has other values.
  const chosen = document.querySelectorAll('#needs :checked');
  element('#needs', HTMLDetailsElement).open = [...chosen].some(
    (one) =>
      !(one instanceof HTMLInputElement ? one.defaultChecked : /** @type {HTMLOptionElement} */ (one).defaultSelected),
  );
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
  mountNeeds(situation);
  return problem;
}
