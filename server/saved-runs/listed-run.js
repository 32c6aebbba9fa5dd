/** A shared run as lists show it, from the result of a single query. */
import { findExperiment } from '../../core/experiments/all.js';
import { formatMinute, formatNumber, formatWithInterval } from '../../core/base/format.js';
import { labelOf } from '../../core/net/labels.js';
import { visibleThroughout } from '../../core/base/foreign-text.js';

/**
 * @import { Interval } from '../../core/base/statistics/intervals.js'
 * @import { SavedRun } from '../store/index.js'
 */

/** @typedef {ReturnType<typeof describeListed>} Listed */

/** @param {SavedRun} run */
export function describeListed(run) {
  const { id, savedAt, experiment, label, place, server, transports, isValid, digest } = visibleThroughout(run);
  return {
    id,
    href: `/results/${id}`,
    savedAt,
    when: formatMinute(savedAt),
    experiment: experimentOf(experiment),
    label,
    labelHref: label && campaignPath(label),
    place: place?.name ?? formatDegrees(place),
    placeHref: place?.name && listPath({ place: place.name }),
    server,
    serverHref: listPath({ server }),
    location: digest.location,
    browser: digest.browser,
    transports: transports.map(labelOf).join(', '),
    headline: digest.headline,
    detail: digest.detail,
    isValid,
    // Not repeated where the headline has it.
    mark: isValid || /not valid/.test(digest.headline) ? undefined : 'not valid',
    ...describeFigures(digest),
  };
}

/** @param {SavedRun['digest']} digest */
function describeFigures({ floorMs, comparison }) {
  return {
    floor: formatNumber(Number.isFinite(floorMs) ? floorMs : undefined, 1),
    pair: comparison && `${labelOf(comparison.transport)} to ${labelOf(comparison.baseline)}`,
    ratio: formatWithInterval(finite(comparison?.speedRatio), 1),
    saving: formatWithInterval(finite(comparison?.savingMs)),
  };
}

/** One bad run must not break a list. @param {Interval} [interval] */
function finite(interval) {
  return interval && [interval.estimate, interval.low, interval.high].every(Number.isFinite) ? interval : undefined;
}

/** @param {string} experiment @returns {string} its name for people */
export function experimentOf(experiment) {
  return findExperiment(experiment)?.label ?? experiment;
}

/** @param {string} label @returns {string} where all runs with it are */
export function campaignPath(label) {
  return `/c/${encodeURIComponent(label)}`;
}

/**
 * @param {Record<string, string | undefined>} query
 * @returns {string} of the list of shared runs, without empty fields
 */
export function listPath(query) {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return ['/results', String(new URLSearchParams(given))].filter(Boolean).join('?');
}

/** @param {readonly string[]} ids the first is the baseline @returns {string} where they are side by side */
export function comparePath(ids) {
  return `/compare?ids=${ids.join(',')}`;
}

/** @param {SavedRun['place']} [place] */
function formatDegrees({ latitude, longitude } = {}) {
  return latitude === undefined ? undefined : `${latitude}°, ${longitude}°`;
}
