/** The page of one test: its plan is one measurement, which the fields of the experiment make. */
import { element, now, readNavigation, requestLimit } from './base/page.js';
import { openTestPage } from './test-page.js';
import { createReportView } from './ui/report-view.js';
import { packagesFor } from '../../core/experiment/packages.js';
import { ExchangeError } from '../../core/net/exchange-error.js';
import { probe } from '../../core/net/echo/probe.js';
import { createTransports } from './libraries.js';
import { createExperimentForm } from './ui/experiment-form.js';

/**
 * @import { Planned } from '../../core/experiment/contract.js'
 * @import { PageClient } from './clients/contract.js'
 * @import { TestView, FormPlace, TestForm } from './test-page.js'
 */

/** @param {Planned} experiment @param {PageClient} [client] */
export const openSingleTest = (experiment, client = {}) =>
  openTestPage({
    name: experiment.name,
    experiments: [experiment],
    clients: { [experiment.name]: client },
    createForm: (place) => createSingleForm(experiment, client, place),
    createView: () => createView(experiment, client),
  });

/** @param {Planned} experiment @param {PageClient} client @returns {TestView} */
function createView(experiment, client) {
  const view = createReportView(experiment);
  const details = client.createDetails?.();
  return {
    show(document) {
      view.show(document);
      details?.show(document);
    },
    focus() {
      const headline = element('#result-headline');
      // The page scrolls without animation, which some visitors switch off; focus alone would leave the headline at the
      // bottom of the window.
      headline.scrollIntoView({ block: 'start', behavior: 'instant' });
      headline.focus({ preventScroll: true });
    },
  };
}

/** @param {Planned} experiment @param {PageClient} client @param {FormPlace} place @returns {TestForm} */
function createSingleForm(experiment, client, { onStart, ready }) {
  const { prepare, ...ownForm } = client.createForm?.() ?? {};
  let roundTripMs = estimateRoundTrip();
  const form = createExperimentForm({
    secondsOf: (plan) => roundTripMs && experiment.fullTest?.secondsOf(plan, roundTripMs, requestLimit()),
    experiment,
    ...ownForm,
    ready,
    onStart: (plan) => onStart({ parts: [{ experiment, plan }] }),
  });
  return {
    ...form,
    packages: () => packagesFor(experiment, form.plan()),
    async probe() {
      roundTripMs = await measureRoundTrip();
      form.refresh();
      // A run says if there is none.
      return true;
    },
    prepare: async (plan, run) =>
      prepare ? { parts: [{ experiment, plan: await prepare(plan.parts[0].plan, run) }] } : plan,
  };
}

/** @returns {number | undefined} ms, about: that of this page, until it is measured; absent if the browser kept the page */
function estimateRoundTrip() {
  const { requestStart = 0, responseStart = 0 } = readNavigation();
  return Math.max(0, responseStart - requestStart) || undefined;
}

/** @returns {Promise<number | undefined>} ms over HTTP; absent if the server does not answer, which a run says */
async function measureRoundTrip() {
  try {
    return await probe(createTransports({}).xhr, now, { payloadBytes: 0 });
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    return undefined;
  }
}
