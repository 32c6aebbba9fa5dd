/**
 * `/results/:id`: a shared run, shown as it was right after it was made. The server writes its summary; the page's script
 * draws the rest from the samples, which it gets from the API.
 */
import { Router } from 'express';
import { findExperiment } from '../../core/experiments/all.js';
import { formatMinute } from '../../core/base/format.js';
import { addBrowser, headingOf, titleOf } from '../../core/experiment/names.js';
import { visibleThroughout } from '../../core/base/foreign-text.js';
import { campaignPath } from '../saved-runs/listed-run.js';
import { findPartial, viewOf } from './pages.js';

/**
 * @import { SavedRun } from '../store/index.js'
 * @import { Parts } from '../parts.js'
 */

/** @param {Pick<Parts, 'archive' | 'originOf' | 'reads'>} parts */
export function resultPageRoutes({ archive, originOf, reads }) {
  const router = Router();

  router.get('/results/:id', reads, async (req, res) => {
    const found = await archive.find(String(req.params.id));
    if (!found) {
      res.status(404).render('error', {
        title: 'No such run',
        message: 'There is no shared run at this address. It may have been deleted.',
        link: { href: '/results', text: 'Results' },
        section: '/results',
      });
      return;
    }
    const run = visibleThroughout(found);
    const { digest } = run;
    const title = headingOf(run);
    // One that a newer version saved has its summary, but no view here.
    const experiment = findExperiment(run.experiment);
    res.set('Cache-Control', 'no-cache').render('result', {
      ...(experiment && viewOf(experiment)),
      run,
      partial: experiment && (findPartial(`experiments/${experiment.name}-result`) ?? 'report'),
      experiment: experiment?.label ?? run.experiment,
      facts: listFacts(run),
      title,
      heading: addBrowser(titleOf({ place: run.place, digest: /** @type {any} */ (digest) }), digest),
      // What other sites show beside a link.
      preview: { title, description: digest.detail || digest.headline, url: `${originOf(req)}/results/${run.id}` },
      script: experiment ? `js/result-${experiment.name}.js` : 'js/result.js',
      laterModules: experiment?.hasChart ? ['vendor/uplot.js'] : [],
    });
  });

  return router;
}

/**
 * @param {SavedRun} run
 * @returns {{ name: string, value: string, href?: string, isWarning?: boolean, isReported?: boolean }[]} `isReported`:
 *   by the visitor, so it cannot be checked
 */
function listFacts({ label, place, savedAt, isValid, digest, ...run }) {
  const { server, location, version, browser, origin, startedAt } = digest;
  // A server without a name has the name of its host.
  const name = server === new URL(origin).host ? undefined : server;
  const measured = [name, location, version && `version ${version}`, origin];
  return [
    { name: 'Label', value: label ?? '', href: label && campaignPath(label) },
    { name: 'Place', value: formatPlace(place), isReported: true },
    { name: 'Browser', value: browser ?? '', isReported: true },
    { name: 'Server', value: measured.filter(Boolean).join(', '), isReported: true },
    { name: 'Measured', value: formatTime(startedAt), isReported: true },
    { name: 'Shared', value: formatTime(savedAt) },
    { name: 'Valid', value: isValid ? 'yes' : `no: ${whyInvalid({ digest, ...run })}`, isWarning: !isValid },
  ].filter(({ value }) => value !== '');
}

/** @param {SavedRun['place']} place */
function formatPlace({ name, latitude, longitude } = {}) {
  const degrees = latitude === undefined ? undefined : `latitude ${latitude}, longitude ${longitude}`;
  return [name, degrees].filter(Boolean).join('; ');
}

/**
 * The classic tests and the count-down store no reason.
 *
 * @param {Pick<SavedRun, 'experiment' | 'digest'>} run
 */
function whyInvalid({ experiment, digest }) {
  if (experiment !== 'classic' && experiment !== 'countdown') return digest.detail || digest.headline;
  return digest.failureCount > 0 ? 'not all messages were answered' : 'the tab was hidden during the run';
}

/** @param {string} text ISO 8601 @returns {string} to the minute, in UTC */
function formatTime(text) {
  return formatMinute(new Date(text).toISOString());
}
