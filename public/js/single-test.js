/** The page of one test: its plan is one measurement. */
import { element } from './base/page.js';
import { createSingleForm } from './forms/single.js';
import { openTestPage } from './test-page.js';
import { createReportView } from './ui/report-view.js';

/** @import { Planned } from '../../core/experiment/contract.js' */
/** @import { PageClient } from './clients/contract.js' */
/** @import { OwnForm } from './ui/experiment-form.js' */
/** @import { TestView } from './test-page.js' */

/**
 * Opens the page that makes one test.
 * @param {Planned} experiment @param {PageClient} [client] @param {() => Partial<OwnForm>} [createOwn] what its form has beside the fields
 */
export const openSingleTest = (experiment, client = {}, createOwn) =>
  openTestPage({
    name: experiment.name,
    experiments: [experiment],
    clients: { [experiment.name]: client },
    createForm: (place) => createSingleForm(experiment, createOwn, place),
    createView: () => createView(experiment, client),
  });

/** @param {Planned} experiment @param {PageClient} client @returns {TestView} */
function createView(experiment, client) {
  const view = createReportView(experiment);
  const details = client.createDetails?.();
  return {
    show(document) {
      const report = view.show(document);
      details?.show(document);
      return report;
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
