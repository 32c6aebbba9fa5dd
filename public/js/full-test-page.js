/** The page of the full test: the visitor chooses among all experiments, which are measured one after the other. */
import { membersOf } from '../../core/full-test/plan.js';
import { fullTest, MEMBERS } from './full-test-members.js';
import { loadLibraries } from './libraries.js';
import { measureFullTest, outcomeOf } from './run/full-test.js';
import { mountPageLife, startIfLinked } from './run/page-life.js';
import { probeServers } from './ui/home/servers.js';
import { linkQuery } from './ui/home/result-view.js';
import { element, inputs, whenLoaded } from './base/page.js';
import { createRunProgress } from './ui/progress.js';
import { mountResultActions } from './ui/result-actions.js';
import { mountFullTestForm } from './ui/full-test-form.js';
import { createKeptRun, readKeptDocument } from './ui/kept-run.js';
import { createFullTestView } from './ui/full-test-view.js';
import { createTestList } from './ui/test-list.js';
import { siteUrl } from './site-url.js';

/** @import { FullTestPlan } from '../../core/full-test/plan.js' */
/** @import { FullTestDocument } from '../../core/full-test/schema.js' */
/** @import { PageClient } from './clients/contract.js' */
/** @import { Press } from './run/page-life.js' */

/** @param {Readonly<Record<string, PageClient>>} clients of members that have one, by name */
export async function openFullTestPage(clients) {
  const progress = createRunProgress();
  const view = createFullTestView(fullTest, MEMBERS);
  const list = createTestList();
  let roundTripMs = 0;
  /** @type {FullTestDocument} */
  let shown;
  const kept = createKeptRun(fullTest.name);

  /** @param {FullTestDocument} document */
  const show = async (document) => {
    shown = document;
    const { uPlot } = await loadLibraries([]);
    view.show(uPlot, document);
  };
  const form = mountFullTestForm(membersOf(MEMBERS), {
    list,
    roundTripMs: () => roundTripMs,
    onStart: (plan) => life.start(plan),
  });
  const restore = async () => {
    const last = shown ?? readKeptDocument(kept, fullTest);
    if (!last || life.state() === 'running') return false;
    life.showAnswer();
    if (last === shown) return true;
    await show(last);
    life.offer(kept.readShared());
    return true;
  };
  const life = mountPageLife({
    progress,
    sharing: { documentsOf: () => [shown], onShared: kept.keepShared, linkQuery },
    restore,
    onState: (state) => form.setEnabled(state !== 'running'),
    async measure(/** @type {FullTestPlan} */ plan, /** @type {Press} */ press) {
      list.begin(plan.parts.map(({ experiment }) => experiment.name));
      const document = await measureFullTest(plan, {
        press,
        progress,
        roundTripMs,
        clientOf: (name) => clients[name] ?? {},
        onStart: list.start,
        onEnd: list.end,
      });
      return outcomeOf(document, press.signal, (made) => {
        kept.keep(made);
        return show(made);
      });
    },
    // A server that did not answer is probed again first.
    retry: async () => (await probe()) && form.submit(),
    focusAnswer,
  });
  mountResultActions({
    described: () => fullTest,
    shown: () => shown,
    again: () => life.again(form.submit),
    change: () => life.change(() => inputs('[name=test]')[0].focus()),
  });

  /** @returns {Promise<boolean>} whether the server answers */
  const probe = async () => {
    const own = [{ name: '', url: siteUrl }];
    const { roundTripsMs, problems } = await probeServers(own, 0, new AbortController().signal);
    life.sayProblem(problems[0]?.reason ?? '');
    [roundTripMs = 0] = roundTripsMs;
    form.setEnabled(problems.length === 0);
    return problems.length === 0;
  };

  await whenLoaded();
  // The page works without it, too.
  await life.restore().catch(reportError);
  if ((await probe()) && form.show() && life.state() === 'asking') await startIfLinked(form.submit);
}

function focusAnswer() {
  element('#result').scrollIntoView({ block: 'start', behavior: 'instant' });
  element('#verdict-headline').focus({ preventScroll: true });
}
