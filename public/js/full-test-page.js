/** The page of the full test: the visitor chooses among all experiments, which are measured one after the other. */
import { createSeed } from '../../core/base/random.js';
import { formatSeconds } from '../../core/base/format.js';
import { formatFields } from '../../core/experiment/fields.js';
import { SITUATION_FIELDS } from '../../core/experiment/situation.js';
import { createFullTest } from '../../core/full-test/index.js';
import { isDefault, linkOf, membersOf, parseFullTest, secondsOf } from '../../core/full-test/plan.js';
import { loadLibraries } from './libraries.js';
import { measureFullTest, outcomeOf } from './run/full-test.js';
import { mountPageLife, startIfLinked } from './run/page-life.js';
import { mountExports } from './ui/export-buttons.js';
import { probeServers } from './ui/home/servers.js';
import { mountSituation } from './ui/home/situation-form.js';
import { linkQuery } from './ui/home/result-view.js';
import { element, inputs, onSubmit, tryOrSay, whenLoaded } from './ui/page.js';
import { createRunProgress } from './ui/progress.js';
import { createFullTestView } from './ui/saved-full-test.js';
import { createTestList } from './ui/test-list.js';

/** @import { Experiment } from '../../core/experiment/contract.js' */
/** @import { FullTestPlan, Member } from '../../core/full-test/plan.js' */
/** @import { FullTestDocument } from '../../core/full-test/schema.js' */
/** @import { PageClient } from './clients/contract.js' */
/** @import { Press } from './run/page-life.js' */

/** @param {readonly { experiment: Experiment, client: PageClient }[]} all the experiments that can be a part */
export async function openFullTestPage(all) {
  const experiments = all.map(({ experiment }) => experiment);
  const fullTest = createFullTest(experiments);
  const progress = createRunProgress();
  const view = createFullTestView(fullTest, experiments);
  const list = createTestList();
  let roundTripMs = 0;
  /** @type {FullTestDocument} */
  let shown;

  /** @param {FullTestDocument} document */
  const show = async (document) => {
    shown = document;
    const { uPlot } = await loadLibraries([]);
    element('#after').hidden = false;
    view.show(uPlot, document);
  };
  const form = mountForm(membersOf(experiments), {
    list,
    roundTripMs: () => roundTripMs,
    onStart: (plan) => life.start(plan),
  });
  const life = mountPageLife({
    progress,
    sharing: { documentsOf: () => [shown], linkQuery },
    setRunning(isRunning) {
      form.setEnabled(!isRunning);
      element('.running').hidden = !isRunning;
      if (isRunning) element('#after').hidden = true;
    },
    async measure(/** @type {FullTestPlan} */ plan, /** @type {Press} */ press) {
      list.begin(plan.parts.map(({ experiment }) => experiment.name));
      const clientOf = (/** @type {string} */ name) =>
        all.find(({ experiment }) => experiment.name === name)?.client ?? {};
      const document = await measureFullTest(plan, {
        press,
        progress,
        roundTripMs,
        clientOf,
        onStart: list.start,
        onEnd: list.end,
      });
      return outcomeOf(document, press.signal, show);
    },
    focusAnswer() {
      element('#result').scrollIntoView({ block: 'start', behavior: 'instant' });
      element('#verdict-headline').focus({ preventScroll: true });
    },
  });
  mountExports(
    () => fullTest,
    () => shown,
  );
  for (const id of ['#again', '#change'])
    element(id).addEventListener('click', () => {
      element('#ask').scrollIntoView({ block: 'start', behavior: 'instant' });
      if (id === '#again') form.submit();
      else inputs('[name=test]')[0].focus();
    });

  await whenLoaded();
  const { roundTripsMs, problems } = await probeServers(
    [{ name: '', origin: location.origin }],
    0,
    new AbortController().signal,
  );
  if (problems.length > 0) {
    life.sayProblem(problems[0].reason);
    return;
  }
  [roundTripMs] = roundTripsMs;
  form.setEnabled(true);
  if (form.show() && !life.isRunning()) await startIfLinked(form.submit);
}

/**
 * Mounts the form that makes the plan, or shows a linked one.
 * @param {readonly Member[]} members
 * @param {{ list: ReturnType<typeof createTestList>, roundTripMs: () => number, onStart: (plan: FullTestPlan) => void }} options
 */
function mountForm(members, { list, roundTripMs, onStart }) {
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
    return parseFullTest(query, members, { roundTripMs: roundTripMs(), seed });
  };
  const show = () => {
    say('');
    plan = tryOrSay(choose, say);
    if (!plan) return false;
    list.show(plan.parts, roundTripMs());
    element('#start').textContent = `Measure, about ${formatSeconds(secondsOf(plan.parts, roundTripMs()))}`;
    const link = element('#plan-link', HTMLAnchorElement);
    link.hidden = false;
    link.href = linkOf(plan).replace(/^\/\?/, '/all?');
    return true;
  };
  const submit = () => {
    if (!show() || !plan) return;
    history.replaceState(history.state, '', new URL(element('#plan-link', HTMLAnchorElement).href));
    const started = plan;
    seed = createSeed();
    onStart(started);
  };

  const linkError = readLink(linked, members, situation, list);
  element('#run-form').addEventListener('input', ({ target }) => {
    if (/** @type {HTMLInputElement} */ (target).name === 'test') isChosen = true;
    else for (const { name } of members) linked.delete(name);
    show();
  });
  onSubmit('#run-form', submit);
  return {
    submit,
    show: () => {
      const isShown = show();
      if (linkError) say(linkError);
      return isShown && !linkError;
    },
    setEnabled: (/** @type {boolean} */ isEnabled) => (controls.disabled = !isEnabled),
  };
}

/**
 * Shows what a link asks for.
 * @param {URLSearchParams} query @param {readonly Member[]} members @param {ReturnType<typeof mountSituation>} situation
 * @param {ReturnType<typeof createTestList>} list @returns {string} why it is refused; empty if it is not
 */
function readLink(query, members, situation, list) {
  let problem = '';
  const plan = tryOrSay(
    () => parseFullTest(query, members, { roundTripMs: 0, seed: 0 }),
    (message) => (problem = message && `The plan in this link is invalid: ${message}. Use the options on this page.`),
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
