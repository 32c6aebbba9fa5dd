/** What the browser keeps of a study: the visitor's place, and for this tab that the next run with its label is shared there. */
import { isWhole } from '../../../core/experiment/run/open-run.js';
import { keep, readKept } from '../storage.js';

const PLACE = 'sockshootout/place/1';
const STUDY = 'sockshootout/study/1';

/** @returns {string} empty if it was not asked yet */
export function recallPlace() {
  const place = readKept('localStorage', PLACE);
  return typeof place === 'string' ? place : '';
}

/**
 * Notes that the button of a study was pressed, in this tab. Pages of other sites cannot press it.
 * @param {{ label: string, place: string }} study @param {number} [nowMs]
 */
export function startStudy({ label, place }, nowMs = Date.now()) {
  keep('localStorage', PLACE, place.trim());
  keep('sessionStorage', STUDY, { label, startedAtMs: nowMs });
}

/** @param {string} label of a link @returns {boolean} was the button of its study pressed in this tab? */
export const isStudyStarted = (label) => label !== '' && readKept('sessionStorage', STUDY)?.label === label;

/**
 * Checks whether a run that has just ended is for the study, and forgets it: another run is shared by a press.
 * @param {string} label @param {readonly any[]} documents
 */
export function endStudy(label, documents) {
  const startedAtMs = Number(readKept('sessionStorage', STUDY)?.startedAtMs);
  // The page may show the last result of another run, and nobody wants a run that was stopped.
  const isItsRun = documents.every((document) => isWhole(document) && Date.parse(document.startedAt) >= startedAtMs);
  const isEnded = isStudyStarted(label) && documents.length > 0 && isItsRun;
  if (isEnded) keep('sessionStorage', STUDY, undefined);
  return isEnded;
}
