/** The form of one test: the fields of the experiment make its plan. */
import { packagesFor } from '../../../core/experiment/plan/packages.js';
import { describeRange } from '../../../core/experiment/run/duration.js';
import { readPath } from '../base/page.js';
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
  const { fullTest } = experiment;
  const form = createExperimentForm({
    experiment,
    // One that is no part of a full test does not say how long it takes.
    describeDuration: (plan) => fullTest && describeRange(() => [{ experiment: { fullTest }, plan }], readPath()),
    ...ownForm,
    ready,
    onStart: (plan) => onStart({ parts: [{ experiment, plan }] }),
  });
  return {
    ...form,
    packages: () => packagesFor(experiment, form.plan()),
    // A run says if there is no server.
    probe: async () => true,
    prepare: async (plan, run) =>
      prepare ? { parts: [{ experiment, plan: await prepare(plan.parts[0].plan, run) }] } : plan,
  };
}
