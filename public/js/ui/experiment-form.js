import { formatMostSeconds, formatSeconds } from '../../../core/base/format.js';
import { formatPlan, parsePlan } from '../../../core/experiment/plan/plan-link.js';
import { createSeed } from '../../../core/base/random.js';
import { describeLinkError, element, keepTogether, onSubmit, sayAtField, tryOrSay } from '../base/page.js';
import {
  fillControls,
  findControls,
  findWrong,
  fitAmong,
  markWrong,
  readControls,
  showWrong,
} from './plan-controls.js';

/** @import { InvalidInputError } from '../../../core/base/foreign-text.js' */
/** @import { Planned } from '../../../core/experiment/contract.js' */
/** @import { RunProgress } from './progress.js' */

/**
 * @typedef {object} OwnForm
 * @property {() => void} arrange is called before the form is read, and updates what depends on the choice
 * @property {(plan: any) => any} fitPlan returns the feasible part of a plan; throws an InvalidInputError if there is
 *   none
 * @property {(plan: any) => number | undefined} secondsOf how long a plan takes, about, if it is known yet
 * @property {(plan: any) => number | undefined} [maxSecondsOf] the limit of its time, for as long as that is not known
 * @property {(plan: any) => string} [formatBytesOf] what it transfers, if that is much
 * @property {(plan: any, run: { signal: AbortSignal, progress: RunProgress }) => Promise<any>} prepare is waited for at the start
 *   of a run; returns the part of a plan to run
 */

/**
 * Mounts the form of an experiment's plan. Its fields have the names of the link's parameters, so that both are parsed
 * by the same rules; a linked plan fills it in. A field beside boxes of its name adds to their choices. A field that is
 * disabled itself is not a part of the plan. `refresh` is to be called when something else has changed that the plan is
 * fitted to.
 * @param {{ experiment: Planned } & Partial<Omit<OwnForm, 'prepare'>> &
 *   { ready: Promise<unknown>, onStart(plan: any): void, secondsOf(plan: any): number | undefined }} options `ready` is
 *   waited for before a start; `onStart` is called only with a valid plan; `secondsOf`: how long it takes, about, if it
 *   is known yet
 */
export function createExperimentForm({ experiment, secondsOf, onStart, ready, ...options }) {
  const { arrange = () => {}, fitPlan = (plan) => plan } = options;
  const start = element('#start-controls', HTMLFieldSetElement);
  const link = element('#plan-link', HTMLAnchorElement);
  const controls = findControls(experiment.fields);
  let seed = createSeed();
  /** @type {any} absent if the choice is not a plan */
  let plan;
  /** @type {InvalidInputError | undefined} the last one */
  let wrong;

  /** @param {string} _ @param {InvalidInputError} [error] */
  const showProblem = (_, error) => {
    wrong = error ?? wrong;
    sayAtField(markWrong(controls, error), error && findWrong(controls, error));
  };
  /** Fills in the plan of a query, if it has one. @param {URLSearchParams} linked */
  const fill = (linked) => {
    const chosen = parsePlan(experiment, linked, { seed });
    if (!chosen) return;
    fillControls(controls, new URLSearchParams(formatPlan(experiment, chosen)));
    seed = chosen.seed ?? seed;
  };
  const readForm = () => {
    arrange();
    const read = parsePlan(experiment, readControls(fitAmong(controls, experiment.fields)), { seed });
    const query = formatPlan(experiment, read);
    markPresets((preset) => formatPlan(experiment, parsePlan(experiment, preset, { seed })) === query);
    return read && fitPlan(read);
  };
  const show = () => {
    plan = tryOrSay(readForm, showProblem);
    element('#plan').replaceChildren(...keepTogether(plan ? experiment.describePlan(plan) : ''));
    showCost(plan, { secondsOf, ...options });
    link.hidden = !plan;
    if (plan) link.href = `?${formatPlan(experiment, plan)}`;
    else link.removeAttribute('href');
  };

  const markPresets = mountPresets((query) => {
    fill(query);
    show();
  });
  tryOrSay(() => fill(new URLSearchParams(location.search)), showProblem);
  /** It holds until the visitor changes something. */
  let linkError = wrong?.message ?? '';
  const refresh = () => {
    show();
    if (linkError) sayAtField(describeLinkError(linkError));
  };
  refresh();

  const submit = async () => {
    start.disabled = true;
    await ready;
    start.disabled = false;
    show();
    if (!plan) return showWrong(controls, wrong);
    history.replaceState(history.state, '', link.href);
    onStart(plan);
    // The next press is a run of its own.
    seed = createSeed();
    show();
  };

  element('#run-form').addEventListener('input', () => {
    linkError = '';
    show();
  });
  onSubmit('#run-form', submit);

  return {
    isLinkRefused: linkError !== '',
    setEnabled: (/** @type {boolean} */ isEnabled) => (start.disabled = !isEnabled),
    submit,
    refresh,
    /** @returns {any} absent if the choice is not a plan */
    plan: () => plan,
  };
}

/**
 * Shows what a plan takes, on the button and beside it.
 * @param {any} plan absent if the choice is not one @param {Pick<OwnForm, 'secondsOf' | 'maxSecondsOf' | 'formatBytesOf'>} cost
 */
function showCost(plan, { secondsOf, maxSecondsOf, formatBytesOf }) {
  element('#start').textContent = nameStart(plan && secondsOf(plan), plan && maxSecondsOf?.(plan));
  element('#bytes').textContent = (plan && formatBytesOf?.(plan)) ?? '';
}

/**
 * @param {number} [seconds] unknown before the connection is tested @param {number} [maxSeconds] if there is a limit
 * @returns {string} the button's name
 */
function nameStart(seconds, maxSeconds) {
  if (seconds) return `Measure, about ${formatSeconds(Math.ceil(seconds))}`;
  return maxSeconds ? `Measure, up to ${formatMostSeconds(maxSeconds)}` : 'Measure';
}

/**
 * @param {(query: URLSearchParams) => void} onPress gets the query of a preset's link
 * @returns {(isChosen: (query: URLSearchParams) => boolean) => void} shows which of them are chosen
 */
function mountPresets(onPress) {
  const found = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#run-form [data-plan]'));
  const presets = [...found].map((button) => ({ button, query: new URLSearchParams(button.dataset.plan) }));
  for (const { button, query } of presets) button.addEventListener('click', () => onPress(query));
  return (isChosen) => {
    for (const { button, query } of presets) button.setAttribute('aria-pressed', String(isChosen(query)));
  };
}
