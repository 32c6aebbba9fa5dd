/**
 * `/results/:id`: a saved run, shown as it was right after it was made. What is said of it here is the server's; the
 * samples, and all that is drawn of them, the page's script asks the API for.
 */
import { Router } from 'express';
import { findExperiment } from '../../core/experiments/all.js';
import { formatMinute } from '../../core/base/format.js';
import { headingOf } from '../../core/experiment/places/run-title.js';
import { visibleThroughout } from '../../core/base/visible.js';
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
        message: 'There is no saved run at this address. It may have been deleted.',
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
 * @returns {{ name: string, value: string, isWarning?: boolean, isReported?: boolean }[]} what the visitor and the server
 *   say of it; `isReported`: by the visitor, and nobody can check it
 */
function listFacts({ place, savedAt, isValid, digest, ...run }) {
  const { server, location, version, origin, startedAt } = digest;
  // One that did not say its name is called by its host.
  const name = server === new URL(origin).host ? undefined : server;
  const measured = [name, location, version && `version ${version}`, origin];
  return [
    { name: 'Place', value: formatPlace(place), isReported: true },
    { name: 'Server', value: measured.filter(Boolean).join(', '), isReported: true },
    { name: 'Measured', value: formatTime(startedAt), isReported: true },
    { name: 'Saved', value: formatTime(savedAt) },
    { name: 'Valid', value: isValid ? 'yes' : `no: ${whyInvalid({ digest, ...run })}`, isWarning: !isValid },
  ].filter(({ value }) => value !== '');
}

/** @param {SavedRun['place']} place */
function formatPlace({ name, latitude, longitude } = {}) {
  const degrees = latitude === undefined ? undefined : `latitude ${latitude}, longitude ${longitude}`;
  return [name, degrees].filter(Boolean).join('; ');
}

/**
 * The old experiments have no word for it: their tests stand by themselves.
 *
 * @param {Pick<SavedRun, 'experiment' | 'digest'>} run
 */
function whyInvalid({ experiment, digest }) {
  if (experiment !== 'classic' && experiment !== 'countdown') return digest.detail || digest.headline;
  return digest.failureCount > 0 ? 'not all of it was finished' : 'the tab was hidden meanwhile';
}

/** @param {string} text ISO 8601 @returns {string} to the minute, in UTC */
function formatTime(text) {
  return formatMinute(new Date(text).toISOString());
}
