/** Keeps for this tab what was found in a recording: it is shown again when the visitor comes back from a run. */
import { keep, readKept } from '../../storage.js';

/** @import { Recording } from '../../../../core/recording/recording.js' */
/** @typedef {{ recording: Recording, name: string }} KeptRecording `name`: of its file */

const PLACE = 'sessionStorage';
const KEY = 'sockshootout/recording/1';
const LINK_KEY = 'sockshootout/recording-link/1';

/**
 * Keeps one that is too large without the dots of its polls, its largest part.
 * @param {KeptRecording} kept @returns {boolean} whether the browser keeps it
 */
export function keepRecording({ recording, name }) {
  // An older one must not come back if this one is too large to keep.
  forgetRecording();
  const polls = recording.polls.map((poll) => ({ ...poll, dots: [] }));
  return keep(PLACE, KEY, { recording, name }) || keep(PLACE, KEY, { recording: { ...recording, polls }, name });
}

export const forgetRecording = () => keep(PLACE, KEY, undefined);

/** Keeps the link to the test that a recording fills in. @param {string | undefined} link path and query */
export const keepRecordingLink = (link) => keep(PLACE, LINK_KEY, link);

/** @returns {boolean} whether a recording of this tab has filled in the page's test */
export const isOfRecording = () => readKept(PLACE, LINK_KEY) === location.pathname + location.search;

/** @returns {KeptRecording | undefined} absent if there is none */
export function readRecordingKept() {
  const kept = readKept(PLACE, KEY);
  return kept?.recording ? kept : undefined;
}
