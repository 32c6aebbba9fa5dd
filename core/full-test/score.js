/** The score of a full test: what each part answers of its question, at the users' round-trip time. */
import { formatRtt } from '../base/format.js';
import { median } from '../base/statistics.js';
import { decide, newsIn, sendingIn } from '../experiment/decide.js';
import { findingsOf } from '../experiment/report.js';
import { ELSEWHERE_RTT_MS, scopeAmong } from '../experiment/scope.js';
import { isWeighty } from '../experiment/trust.js';
import { isDefault, isNeeded, membersOf } from './plan.js';

/**
 * @import { Answer } from '../experiment/answer.js'
 * @import { Experiment, Findings } from '../experiment/contract.js'
 * @import { Scope } from '../experiment/scope.js'
 * @import { Placed, Situation } from '../experiment/situation.js'
 * @import { Member } from './plan.js'
 * @import { FullTestDocument, MissingKind, Part } from './schema.js'
 * @typedef {NonNullable<Part['missing']>} Missing
 * @typedef {{ member: Member, part?: Part, found?: Findings }} MeasuredPart `found`: of a run that ended as planned
 * @typedef {{ situation: Placed, isPredicted: boolean, medianMs?: number, answers: readonly Answer[], decision: string, uses: readonly string[] }} Score
 *   `medianMs`: of a request, beside the fastest round trip, if it was measured; `answers`: of what was measured, and of what else the
 *   situation asks
 */

/**
 * Summarizes each part of a full test, once: its answers follow from that for any situation.
 * @param {Pick<FullTestDocument, 'parts'>} document @param {readonly Experiment[]} experiments
 * @returns {MeasuredPart[]} of all experiments that can be a part
 */
export function summarizeParts({ parts }, experiments) {
  return membersOf(experiments).map((member) => {
    const part = parts.find(({ experiment }) => experiment === member.name);
    const isWhole = part?.document && !missingOf(part);
    return { member, part, ...(isWhole && { found: findingsOf(member, part.document) }) };
  });
}

/**
 * The round-trip time that a full test decides about: the fastest of the parts that its situation is about, as others must not
 * change its decision; or that of users elsewhere, if it measured one machine.
 * @param {readonly MeasuredPart[]} measured @param {Situation} situation
 * @returns {{ rttMs: number, isPredicted: boolean, medianMs?: number, scope?: Scope }}
 */
function placeOf(measured, situation) {
  const all = measured.flatMap(({ member: experiment, part }) =>
    part?.document ? [{ experiment, document: part.document }] : [],
  );
  const needed = all.filter(({ experiment }) => isNeeded(experiment, situation));
  const parts = needed.length > 0 ? needed : all;
  if (parts.length === 0) return { rttMs: ELSEWHERE_RTT_MS, isPredicted: true };
  const { scope, floorMs } = scopeAmong(parts);
  return scope === 'path' && floorMs !== undefined
    ? { scope, rttMs: floorMs, medianMs: median(requestsOf(parts)), isPredicted: false }
    : { scope, rttMs: ELSEWHERE_RTT_MS, isPredicted: true };
}

/**
 * The same request in each run, by which the page asks or sends now; the first part that made some has the most.
 * @param {readonly { experiment: Member, document: any }[]} parts @returns {readonly number[]} ms
 */
const requestsOf = (parts) =>
  parts
    .map(({ experiment, document }) => experiment.fullTest.requestsOf?.(document) ?? [])
    .find(({ length }) => length) ?? [];

/**
 * @param {readonly MeasuredPart[]} measured @param {Situation} situation
 * @param {{ rttMs: number, isPredicted?: boolean }} [at] if not its own @returns {Score}
 */
export function scoreOf(measured, situation, at) {
  const own = placeOf(measured, situation);
  const { rttMs, isPredicted = true } = at ?? own;
  const placed = { ...situation, rttMs };
  const otherMs = own.isPredicted || own.rttMs === rttMs ? undefined : own.rttMs;
  // The home page measures what a situation is about, and leaves no other question open.
  const isFull = measured.some(({ member, part }) => part && !member.fullTest.isNeeded);
  const answered = measured
    .filter(({ member, part }) => part || (isFull ? isDefault : isNeeded)(member, situation))
    .map((one) => ({ ...one, answer: answerOf(one, placed, { scope: own.scope, otherMs }) }));
  const answers = answered.map(({ answer }) => answer);
  const undecided = answered.find(({ member, part, answer }) => part && isNeeded(member, situation) && !answer.topic);
  const { sentence, uses } = decide({
    situation: placed,
    sending: sendingIn(answers),
    news: newsIn(answers),
    undecided: undecided && describeUndecided(undecided),
    doubt: answered.some(({ member, found }) => isNeeded(member, situation) && found?.report.trust.some(isWeighty))
      ? 'warning'
      : own.scope === 'path'
        ? undefined
        : 'place',
  });
  return {
    situation: placed,
    isPredicted,
    ...(!isPredicted && { medianMs: own.medianMs }),
    answers,
    decision: sentence,
    uses,
  };
}

/** What became of a part without a whole run. @type {Readonly<Record<MissingKind, { word: string, clause: string }>>} */
export const MISSING = Object.freeze({
  skipped: { word: 'Skipped', clause: 'was skipped' },
  failed: { word: 'Failed', clause: 'failed' },
  stopped: { word: 'Stopped', clause: 'was stopped' },
});

/**
 * @param {MeasuredPart} measured @param {Placed} situation
 * @param {{ scope?: Scope, otherMs?: number }} place of the run; `otherMs`: its round-trip time, if the users’ is another
 * @returns {Answer}
 */
function answerOf({ member, part, found }, situation, place) {
  const { name: experiment, fullTest } = member;
  const { question, about } = fullTest;
  const hasResult = part?.document !== undefined;
  const asked = { experiment, question, subject: situation.considers, baseline: situation.uses, hasResult };
  if (!part) return { ...asked, mark: 'none', word: 'Not measured', reason: about };
  if (found?.answer) {
    const answer = { ...asked, ...found.answer(situation) };
    // What a situation is about is predicted for users at any distance, by a model.
    return fullTest.isNeeded ? answer : placeAnswer(answer, asked, place);
  }
  const { kind, reason } = /** @type {Missing} */ (missingOf(part));
  return { ...asked, mark: 'unclear', word: MISSING[kind].word, reason };
}

/**
 * Completes an answer that predicts nothing for users elsewhere: it says where it was measured, if that was on a path.
 * @param {Answer} answer @param {Omit<Answer, 'mark' | 'word'>} asked @param {Parameters<typeof answerOf>[2]} place
 * @returns {Answer}
 */
function placeAnswer(answer, asked, { scope, otherMs }) {
  if (scope !== 'path')
    return { ...asked, mark: 'none', word: 'No prediction', reason: 'It holds only where it was measured.' };
  return otherMs === undefined
    ? answer
    : { ...answer, reason: `${answer.reason} Measured at ${formatRtt(otherMs)} ms.` };
}

/** @param {Part} part @returns {Missing | undefined} absent if its run ended as planned */
function missingOf({ document: { ending } = {}, missing }) {
  if (!ending) return missing;
  const { kind, reason } = ending;
  return { kind: kind === 'cancelled' ? 'stopped' : 'failed', reason };
}

/** @param {MeasuredPart & { answer: Answer }} answered that decides nothing @returns {string} a sentence or two */
function describeUndecided({ member: { fullTest }, part, answer }) {
  const { kind } = (part && missingOf(part)) ?? {};
  const question = `${fullTest.question[0].toLowerCase()}${fullTest.question.slice(1)}`;
  return `${question} ${kind ? MISSING[kind].clause : 'gave no verdict'}. ${kind === 'stopped' ? '' : answer.reason}`.trim();
}

/**
 * Says which parts failed: those without a whole run, and those that fail by the rule of their own experiment.
 * @param {readonly MeasuredPart[]} measured @returns {string[]} a few sentences for each
 */
export const describeFailures = (measured) =>
  measured.flatMap(({ member: { fullTest }, part, found }) => {
    if (!part) return [];
    const { kind, reason } = missingOf(part) ?? {};
    if (kind) return [`${fullTest.question} ${MISSING[kind].clause}. ${kind === 'stopped' ? '' : reason}`.trim()];
    return found?.failure === undefined ? [] : [`${fullTest.question}: ${found.failure}`];
  });
