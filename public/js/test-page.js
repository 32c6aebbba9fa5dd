/**
 * The page that measures: home, one test, and the full test. A plan is a list of measurements; the pages differ in the form
 * that makes it, and in the view of what was measured.
 */
import { findingsOf } from '../../core/experiment/report/findings.js';
import { preloadLibraries } from './libraries.js';
import { lookAt, measurePlan } from './run/measure.js';
import { mountPageLife, startIfLinked } from './run/page-life.js';
import { whenLoaded, element } from './base/page.js';
import { createRunProgress } from './ui/progress.js';
import { offerInvitation } from './ui/invitation.js';
import { mountFirstAction } from './ui/first-action.js';
import { createKeptRun } from './ui/kept-run.js';
import { planPath, isDocumentOf } from '../../core/experiment/run/open-run.js';
import { drawPicture } from './draw-run.js';
import { mountExports } from './ui/export-buttons.js';

/**
 * @import { Experiment } from '../../core/experiment/contract.js'
 * @import { Report } from '../../core/experiment/report/findings.js'
 * @import { PageClient } from './clients/contract.js'
 * @import { together as Together } from './run/full-test.js'
 * @import { MeasuredServer, PartFollower, RunPlan } from './run/measure.js'
 * @import { PageLife, Press, RunOutcome } from './run/page-life.js'
 * @import { PageState } from './run/page-states.js'
 * @import { Start } from './ui/first-action.js'
 * @import { RunProgress } from './ui/progress.js'
 * @import { Sharing } from './ui/save-form.js'
 * @typedef {{ documents: readonly any[], servers?: readonly MeasuredServer[], origin?: string }} ShownRun `servers`: where
 *   each document was measured; `origin`: where the run comes from, if it was not measured here
 *
 * @typedef {object} TestForm makes the plan
 * @property {() => void} submit
 * @property {(isEnabled: boolean) => void} setEnabled
 * @property {boolean} isLinkRefused
 * @property {() => Promise<boolean>} probe measures how far away the server is; returns whether there is one to measure
 * @property {() => readonly string[]} [packages] that its plan needs, to load them before
 * @property {(plan: RunPlan, run: { signal: AbortSignal, progress: RunProgress }) => Promise<RunPlan>} [prepare] is waited for at the
 *   start of a run; returns what is measured of a plan
 * @property {() => Promise<void>} [retry] tries again, if not by another run of the last plan
 * @property {(plan: any) => Start | undefined} [startOf] measures another plan, if it is not refused
 * @property {(state: PageState) => void} [onState] shows what belongs to the state
 * @property {PartFollower} [follower] of the parts of a full test
 *
 * @typedef {object} TestView shows what was measured
 * @property {(document: any, origin?: string) => Pick<Report, 'wantedBlocks' | 'nextStep'> | void} show returns the report that it shows, if it is one
 * @property {() => void} focus moves to the answer
 * @property {() => void} [hide] is called when a run begins
 *
 * @typedef {object} FormPlace what a form may ask of its page
 * @property {(plan: RunPlan) => void} onStart
 * @property {Promise<unknown>} ready when the page is loaded, and has probed the server
 * @property {() => PageState} state
 * @property {(problem: string) => void} sayProblem
 *
 * @typedef {object} TestPage what differs between the pages
 * @property {string} name by which the tab keeps the last run
 * @property {readonly Experiment[]} experiments that describe its documents
 * @property {string} [fileName] of what is exported, if not the experiment's name
 * @property {Readonly<Record<string, PageClient>>} clients of what it measures, by name
 * @property {typeof Together} [together] how several parts are measured; absent if a plan has one
 * @property {(place: FormPlace) => TestForm} createForm
 * @property {() => TestView} createView
 * @property {() => string} [linkQuery] how the page of the shared run opens
 * @property {() => void} [change] shows the visitor what can be changed
 * @property {(onChoose: (index: number) => void) => (run: ShownRun) => void} [mountDocuments] lets the visitor choose among
 *   several documents
 * @property {(open: (run: ShownRun) => Promise<void>) => void} [mountFile] opens a run that was saved
 */

/** Opens a page that measures. @param {TestPage} page */
export async function openTestPage(page) {
  const progress = createRunProgress();
  const answer = createAnswer(page, (document, report) => markFirst(document, report));
  const ready = whenLoaded()
    // A page works without it, too.
    .then(() => life.restore().catch(reportError))
    .then(() => form.packages && preloadLibraries(form.packages()))
    .then(() => form.probe());
  const form = page.createForm({
    ready,
    onStart: (plan) => life.start(plan),
    state: () => life.state(),
    sayProblem: (problem) => life.sayProblem(problem),
  });
  /** @type {PageLife<RunPlan>} */
  const life = mountPageLife({
    progress,
    sharing: sharingOf(answer, page),
    restore: () => restoreRun(answer, page, life),
    outlives: ({ situation, parts: [{ experiment, plan }] }) =>
      !situation && Boolean(experiment.watchFaults(plan).outlives),
    onState(state) {
      if (state === 'running') answer.clear();
      form.onState?.(state);
      form.setEnabled(state !== 'running');
    },
    measure: (/** @type {RunPlan} */ asked, press) =>
      measureAsked(asked, { ...press, progress }, { page, form, answer }),
    retry: form.retry,
    focusAnswer: answer.focus,
  });
  mountResultActions({
    described: answer.described,
    shown: answer.document,
    fileName: page.fileName,
    again: () => life.again(form.submit),
    change: () => life.change(page.change ?? openOptions),
  });
  const markFirst = mountFirstAction(life.again, (plan) => form.startOf?.(plan));
  page.mountFile?.(async (opened) => {
    if (life.state() === 'running') return;
    life.showAnswer();
    await answer.keepAndShow(opened);
    life.offer();
    answer.focus();
  });

  const isThere = await ready;
  // The visitor may have pressed while the page was loading.
  const startOnce = () => life.state() === 'asking' && form.submit();
  if (isThere && !form.isLinkRefused) await startIfLinked(startOnce);
}

/**
 * Measures what the form asks for, and says how that ended.
 * @param {RunPlan} asked @param {Press & { progress: RunProgress }} run
 * @param {{ page: TestPage, form: TestForm, answer: PageAnswer }} parts @returns {Promise<RunOutcome>}
 */
async function measureAsked(asked, run, { page: { clients, together }, form, answer }) {
  const { signal, progress } = run;
  const plan = (await form.prepare?.(asked, { signal, progress })) ?? asked;
  const documents = await measurePlan(plan, { ...run, clients, together, follower: form.follower });
  const { isWhole, problem, hasAnswers } = lookAt(plan, documents, { signal, together });
  // A run that the visitor stopped is shown without answers, too, but not as a decision.
  if (!hasAnswers && (problem || together)) return { words: 'Failed', problem };
  const show = () => answer.keepAndShow({ documents, servers: plan.servers });
  return { words: isWhole ? 'Finished' : 'Ended early', problem, show };
}

/**
 * Shows the last run of this tab again.
 * @param {PageAnswer} answer @param {TestPage} page @param {PageLife<RunPlan>} life @returns {Promise<boolean>} whether there is one
 */
async function restoreRun(answer, { experiments }, life) {
  const { kept } = answer;
  const last = answer.run() ?? readRun(kept.read(), experiments);
  if (!last || life.state() === 'running') return false;
  life.showAnswer();
  if (last === answer.run()) return true;
  await answer.show(last);
  life.offer(kept.readShared());
  return true;
}

/** What may be shared: the run on the page. @param {PageAnswer} answer @param {TestPage} page @returns {Sharing} */
const sharingOf = ({ run, kept, described, document }, { linkQuery }) => ({
  documentsOf: () => run()?.documents ?? [],
  onShared: kept.keepShared,
  linkQuery,
  shown: {
    drawPicture: (place) => drawPicture(described(), document(), place),
    describeUsers: () => findingsOf(described(), document()).report.about,
    planPath: () => planPath(described(), document()),
  },
});

/** @typedef {ReturnType<typeof createAnswer>} PageAnswer */

/**
 * Creates what holds the run on the page.
 * @param {TestPage} page
 * @param {(document: any, report?: Pick<Report, 'wantedBlocks' | 'nextStep'>) => void} onShow is called with what is shown, and with its report
 */
function createAnswer(page, onShow) {
  const { experiments, name, mountDocuments } = page;
  const view = page.createView();
  const kept = createKeptRun(name);
  /** @type {ShownRun | undefined} */
  let run;
  /** @type {any} one of its documents */
  let shown;
  const described = () => /** @type {Experiment} */ (experiments.find((one) => isDocumentOf(one, shown)));
  /** @param {any} document @param {string} [origin] */
  const showDocument = (document, origin) => {
    shown = document;
    const report = view.show(document, origin) || undefined;
    onShow(document, report);
    offerInvitation(planPath(described(), document));
  };
  const showDocuments = mountDocuments?.((index) => showDocument(run?.documents[index]));
  /** @param {ShownRun} next */
  const show = (next) => {
    run = next;
    showDocuments?.(next);
    return showDocument(next.documents[0], next.origin);
  };
  return {
    kept,
    run: () => run,
    document: () => shown,
    /** What describes that document. */
    described,
    show,
    /** @param {ShownRun} measured */
    keepAndShow(measured) {
      kept.keep(measured);
      return show(measured);
    },
    clear() {
      run = undefined;
      view.hide?.();
    },
    focus: view.focus,
  };
}

/**
 * @param {ShownRun | undefined} kept what the tab has kept, not checked @param {readonly Experiment[]} experiments
 * @returns {ShownRun | undefined} absent if the page cannot show it
 */
function readRun(kept, experiments) {
  const { documents } = kept ?? {};
  const isKnown = (/** @type {any} */ document) => experiments.some((one) => isDocumentOf(one, document));
  return Array.isArray(documents) && documents.length > 0 && documents.every(isKnown) ? kept : undefined;
}

/**
 * Mounts the row of actions beneath a result: exports, another run, another plan.
 * @param {object} row
 * @param {() => Experiment} row.described what describes the document
 * @param {() => any} row.shown the document on the page
 * @param {string} [row.fileName] if not the experiment's name
 * @param {() => void} row.again @param {() => void} row.change
 */
function mountResultActions({ again, change, ...exported }) {
  mountExports(exported);
  element('#again').addEventListener('click', again);
  element('#change').addEventListener('click', change);
}

/** Shows the form's options. The page scrolls without animation, which some visitors switch off. */
function openOptions() {
  element('#ask').scrollIntoView({ block: 'start', behavior: 'instant' });
  element('#options', HTMLDetailsElement).open = true;
  element('#options > summary').focus({ preventScroll: true });
}
