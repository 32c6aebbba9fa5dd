/** Measures an experiment on the page, with what its client brings. */
import { packagesFor } from '../../../core/experiment/packages.js';
import { measureDocument } from '../../../core/experiment/run.js';
import { reachServer } from '../../../core/net/http.js';
import { createTransports, loadLibraries } from '../libraries.js';
import { at } from '../site-url.js';
import { createLiveView } from '../ui/live-view.js';
import { nextPaint, now, readEnvironment } from '../base/page.js';
import { followTrials } from '../ui/progress.js';

/** @import { Planned } from '../../../core/experiment/contract.js' */
/** @import { PageClient, PageRun } from '../clients/contract.js' */
/** @import { Press } from './page-life.js' */
/** @import { UPlot } from '../charts/chart.js' */

const STATUS = at('/status');

/**
 * @param {Planned} experiment @param {PageClient} client
 * @param {Pick<PageRun, 'plan' | 'signal' | 'progress'> & Pick<Press, 'noticed'>} options
 * @returns {Promise<{ uPlot: UPlot, document: any }>} @throws {ExchangeError} if the server cannot be reached
 */
export async function measureOnPage(experiment, { prepareRun }, { plan, signal, progress, noticed }) {
  await reachServer(fetch, STATUS, signal);
  const { uPlot, libraries } = await loadLibraries(packagesFor(experiment, plan), signal);
  const transports = createTransports(libraries);
  const { close, ...means } = (await prepareRun?.({ plan, transports, libraries, now, signal, progress })) ?? {};
  const followed = { ...followTrials(experiment, { plan, progress }), ...means };
  const live = createLiveView(experiment, { plan, uPlot });
  try {
    const document = await measureDocument(experiment, {
      ...followed,
      async onTrialEnd(/** @type {{ trials: any[] }} */ run) {
        await followed.onTrialEnd?.(run);
        // It is painted now, so that it is not while a clock runs.
        if (live?.show(run.trials)) await nextPaint();
      },
      transports,
      plan,
      now,
      environment: readEnvironment(),
      statusUrl: STATUS,
      signal,
      noticed,
    });
    return { uPlot, document };
  } finally {
    progress.stop();
    live?.destroy();
    close?.();
  }
}
