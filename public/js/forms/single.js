/** The form of one test: the fields of the experiment make its plan. */
import { packagesFor } from '../../../core/experiment/plan/packages.js';
import { ExchangeError } from '../../../core/net/exchange-error.js';
import { probe } from '../../../core/net/echo/probe.js';
import { now, readNavigation, readPath } from '../base/page.js';
import { createTransports } from '../libraries.js';
import { createExperimentForm } from '../ui/experiment-form.js';

/** @import { Planned } from '../../../core/experiment/contract.js' */
/** @import { FormPlace, TestForm } from '../test-page.js' */
/** @import { OwnForm } from '../ui/experiment-form.js' */

/**
 * Creates the form of a page that makes one test.
 * @param {Planned} experiment @param {(() => Partial<OwnForm>) | undefined} createOwn what its form has beside the fields
 * @param {FormPlace} place @returns {TestForm}
 */
export function createSingleForm(experiment, createOwn, { onStart, ready }) {
  const { prepare, ...ownForm } = createOwn?.() ?? {};
  let roundTripMs = estimateRoundTrip();
  const form = createExperimentForm({
    secondsOf: (plan) => roundTripMs && experiment.fullTest?.secondsOf(plan, roundTripMs, readPath()),
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
