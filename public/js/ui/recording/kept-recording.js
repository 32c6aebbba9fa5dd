/** Keeps for this tab what was found in a recording: it is shown again when the visitor comes back from a run. */
import { keep, readKept } from '../../storage.js';

/** @import { Recording } from '../../../../core/recording/recording.js' */
/** @typedef {{ recording: Recording, name: string }} KeptRecording `name`: of its file */

const PLACE = 'sessionStorage';
const KEY = 'sockshootout/recording/1';

/** @param {KeptRecording} recording */
export function keepRecording(recording) {
  // An older one must not come back if this one is too large to keep.
  forgetRecording();
  keep(PLACE, KEY, recording);
}

export const forgetRecording = () => keep(PLACE, KEY, undefined);

/** @returns {KeptRecording | undefined} absent if there is none */
export function readRecordingKept() {
  const kept = readKept(PLACE, KEY);
  return kept?.recording ? kept : undefined;
}
