import { formatCount } from '../../../core/base/format.js';
import { SEED } from '../../../core/experiment/plan/fields.js';
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
import { nameStart } from './start-name.js';

/** @import { InvalidInputError } from '../../../core/base/foreign-text.js' */
/** @import { Planned } from '../../../core/experiment/contract.js' */
/** @import { Start } from './first-action.js' */
/** @import { RunProgress } from './progress.js' */

/**
 * @typedef {object} OwnForm
 * @property {() => void} arrange is called before the form is read, and updates what depends on the choice
 * @property {(plan: any) => any} fitPlan returns the feasible part of a plan; throws an InvalidInputError if there is
 *   none
 * @property {(plan: any) => string | undefined} describeDuration such as 'about 5 min'; absent if it is not known yet
 * @property {(plan: any) => string} [formatBytesOf] what it transfers, if that is much
 * @property {(plan: any, run: { signal: AbortSignal, progress: RunProgress }) => Promise<any>} prepare is waited for at the start
 *   of a run; returns the part of a plan to run
 */

/**
 * Mounts the form of an experiment's plan. Its fields have the names of the link's parameters, so that both are parsed
 * by the same rules; a linked plan fills it in. A field beside boxes of its name adds to their choices. A field that is
 * disabled itself is not a part of the plan.
 * @param {{ experiment: Planned } & Partial<Omit<OwnForm, 'prepare'>> &
 *   Pick<OwnForm, 'describeDuration'> & { ready: Promise<unknown>, onStart(plan: any): void }} options `ready` is waited for
 *   before a start; `onStart` is called only with a valid plan
 */
export function createExperimentForm({ experiment, describeDuration, onStart, ready, ...options }) {
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
    showCost(plan, { describeDuration, ...options });
    showLink(link, plan && `?${formatPlan(experiment, plan)}`);
  };

  const markPresets = mountPresets((query) => {
    fill(query);
    show();
  });
  tryOrSay(() => fill(new URLSearchParams(location.search)), showProblem);
  /** It holds until the visitor changes something. */
  let linkError = wrong?.message ?? '';
  show();
  if (linkError) sayAtField(describeLinkError(linkError));

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
    startOf: (/** @type {any} */ other) => startOf(other, { experiment, describeDuration, fill, submit }),
    /** @returns {any} absent if the choice is not a plan */
    plan: () => plan,
  };
}

/** @param {HTMLAnchorElement} link @param {string} [href] absent if there is no plan */
function showLink(link, href) {
  link.hidden = !href;
  if (href) link.href = href;
  else link.removeAttribute('href');
}

/**
 * Shows what a plan takes, on the button and beside it.
 * @param {any} plan absent if the choice is not one @param {Pick<OwnForm, 'describeDuration'> & Partial<OwnForm>} cost
 */
function showCost(plan, { describeDuration, formatBytesOf }) {
  element('#start').textContent = nameStart(plan && describeDuration(plan));
  element('#bytes').textContent = (plan && formatBytesOf?.(plan)) ?? '';
}

/**
 * @param {any} plan that is not the form's
 * @param {Pick<OwnForm, 'describeDuration'> & { experiment: Planned, fill(query: URLSearchParams): void, submit(): void }} form
 * @returns {Start | undefined} of its run, with a seed of its own; absent if the form would refuse it
 */
function startOf(plan, { experiment, describeDuration, fill, submit }) {
  const query = new URLSearchParams(formatPlan(experiment, plan));
  query.delete(SEED.parameter);
  if (!tryOrSay(() => parsePlan(experiment, query, { seed: 0 }))) return undefined;
  return {
    name: nameStart(describeDuration(plan), `Measure ${formatCount(plan.blocks, 'block')}`),
    submit() {
      fill(query);
      submit();
    },
  };
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
