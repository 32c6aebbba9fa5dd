/** The score of a full test: what each part answers of its question, at the users' round-trip time. */
import { formatRtt, uncapitalize } from '../base/format.js';
import { median } from '../base/statistics.js';
import { figureOf } from '../experiment/answer/answer.js';
import { decide, newsIn, sendingIn } from './decide.js';
import { openRun } from '../experiment/run/open-run.js';
import { findingsOf } from '../experiment/report/findings.js';
import { ELSEWHERE_RTT_MS, isOneDistance, scopeAmong } from '../experiment/run/scope.js';
import { slownessIn } from '../experiment/plan/situation.js';
import { isWeighty } from '../experiment/run/trust.js';
import { isDefault, isNeeded, membersOf } from './plan.js';

/**
 * @import { Answer } from '../experiment/answer/answer.js'
 * @import { Ending, Experiment, Findings } from '../experiment/contract.js'
 * @import { Scope } from '../experiment/run/scope.js'
 * @import { Placed, Situation } from '../experiment/plan/situation.js'
 * @import { Member } from './plan.js'
 * @import { MissingKind, Part } from './schema.js'
 * @typedef {NonNullable<Part['missing']>} Missing
 * @typedef {{ member: Member, findings?: Findings, missing?: Missing }} MeasuredPart `findings`: of its run; `missing`: why there is no
 *   whole run; neither if nobody asked for it
 * @typedef {{ scope?: Scope, isOwn: boolean, otherMs?: number }} RunPlace of a run; `isOwn`: whether users are as far away; `otherMs`: its
 *   round-trip time, if the users’ is another
 * @typedef {{ situation: Placed, isPredicted: boolean, isBound?: boolean, medianMs?: number, answers: readonly Answer[], decision:
 *   string, isOpen: boolean, uses: readonly string[], newsBy?: string | number }} Score `isBound`: whether no distance is known, as the
 *   fastest round trip has a payload; `medianMs`: of a request, if it was measured; `answers`: of what was measured, and of what else the
 *   situation asks; `isOpen`: whether a part that the situation asks for decides nothing, other than what is only not predicted; `newsBy`: the delivery method or polling
 *   interval that the decision names
 */

/**
 * Summarizes each part of a full test, once: its answers follow from that for any situation.
 * @param {{ parts: readonly Part[], situation?: Situation }} document `situation`: that which their reports go by, if not the default
 * @param {readonly Experiment[]} experiments @returns {MeasuredPart[]} of all experiments that can be a part
 */
export function summarizeParts({ parts, situation }, experiments) {
  const runs = openRun({ members: experiments }, { parts, situation }).parts;
  return membersOf(experiments).map((member) => {
    const run = runs.find(({ experiment }) => experiment === member);
    const missing = run ? missingOf(run) : parts.find(({ experiment }) => experiment === member.name)?.missing;
    return { member, ...(run && { findings: findingsOf(member, run) }), ...(missing && { missing }) };
  });
}

/**
 * The round-trip time that a full test decides about. It is the fastest of the parts that its situation is about: others must not
 * change its decision. If it measured one machine, it is that of users elsewhere.
 * @param {readonly MeasuredPart[]} measured @param {Situation} situation
 * @returns {{ rttMs: number, isPredicted: boolean, isBound?: boolean, medianMs?: number, scope?: Scope }}
 */
function placeOf(measured, situation) {
  const all = measured.flatMap(({ member, findings }) => (findings ? [{ member, ...findings }] : []));
  const needed = all.filter(({ member }) => isNeeded(member, situation));
  const runs = needed.length > 0 ? needed : all;
  if (runs.length === 0) return { rttMs: ELSEWHERE_RTT_MS, isPredicted: true };
  const { scope, floorMs, boundMs } = scopeAmong(
    runs.map(({ member: { readTrial }, part, roundTripMs = [] }) => ({ readTrial, part, roundTripMs })),
  );
  // The first that made some has the most.
  const requests = runs.find(({ requestMs = [] }) => requestMs.length > 0);
  const rttMs = scope === 'path' && (floorMs ?? (requests && boundMs));
  return rttMs
    ? { scope, rttMs, isBound: floorMs === undefined, medianMs: median(requests?.requestMs ?? []), isPredicted: false }
    : { scope, rttMs: ELSEWHERE_RTT_MS, isPredicted: true };
}

/** Was it asked for? @param {MeasuredPart} measured */
const isAsked = ({ findings, missing }) => Boolean(findings || missing);

/**
 * @param {readonly MeasuredPart[]} measured @param {Situation} situation
 * @param {{ rttMs: number }} [at] if not its own @returns {Score}
 */
export function scoreOf(measured, situation, at) {
  const own = placeOf(measured, situation);
  const { rttMs } = at ?? own;
  const isOwn = !own.isPredicted && isOneDistance(own.rttMs, rttMs);
  const isPredicted = !isOwn || slownessIn(situation) > 1;
  const placed = { ...situation, rttMs };
  const place = {
    scope: own.scope,
    isOwn,
    otherMs: own.isPredicted || own.isBound || isOwn ? undefined : own.rttMs,
  };
  // The home page measures what a situation is about, and leaves no other question open.
  const isFull = measured.some((one) => isAsked(one) && !one.member.fullTest.isNeeded);
  const answered = measured
    .filter((one) => isAsked(one) || (isFull ? isDefault : isNeeded)(one.member, situation))
    .map((one) => ({ ...one, answer: answerOf(one, placed, place) }));
  const answers = answered.map(({ answer }) => answer);
  const undecided = answered.find(
    ({ answer, ...one }) => isAsked(one) && isNeeded(one.member, situation) && !answer.topic && !answer.onlyHere,
  );
  const unpredicted = answers.find(({ onlyHere, topic }) => onlyHere && !topic)?.onlyHere;
  const { sentence, uses, newsBy } = decide({
    situation: placed,
    sending: sendingIn(answers),
    news: newsIn(answers),
    undecided: undecided && describeUndecided(undecided),
    unpredicted,
    doubt: answered.some(
      ({ member, findings }) => isNeeded(member, situation) && findings?.report.trust.some(isWeighty),
    )
      ? 'warning'
      : own.scope === 'path' && slownessIn(situation) === 1
        ? undefined
        : 'prediction',
  });
  return {
    situation: placed,
    isPredicted,
    ...(!isPredicted && { medianMs: own.medianMs }),
    ...(isOwn && { isBound: own.isBound }),
    answers,
    decision: sentence,
    isOpen: undecided !== undefined,
    uses,
    newsBy,
  };
}

/** What became of a part without a whole run, in a word. @type {Readonly<Record<MissingKind, string>>} */
export const MISSING = Object.freeze({ skipped: 'Skipped', failed: 'Failed', stopped: 'Stopped' });

/**
 * Answers the question of a part; or says what became of it, if it has no whole run.
 * @param {MeasuredPart} measured @param {Placed} situation @param {RunPlace} place @returns {Answer}
 */
function answerOf({ member, findings, missing }, situation, place) {
  const { name: experiment, fullTest } = member;
  const { question, about } = fullTest;
  const hasResult = findings !== undefined;
  const asked = { experiment, question, subject: situation.considers, baseline: situation.uses, hasResult };
  if (missing) return { ...asked, mark: 'unclear', word: MISSING[missing.kind], reason: missing.reason };
  if (!findings) return { ...asked, mark: 'none', word: 'Not measured', reason: about };
  // The experiment compares, says and counts in its own full-test.js.
  const answer = { ...asked, ...fullTest.answer(findings.summary, situation) };
  // What a situation is about is predicted for users at any distance, by a model, if there is one.
  return fullTest.isNeeded && !answer.onlyHere
    ? answer
    : placeAnswer(answer, asked, { ...place, isSlower: slownessIn(situation) > 1 });
}

/**
 * Completes an answer that predicts nothing for users elsewhere or with slower devices: it says where it was measured, if that was
 * on a path.
 * @param {Answer} answer @param {Omit<Answer, 'mark' | 'word'>} asked @param {RunPlace & { isSlower: boolean }} place
 * @returns {Answer}
 */
function placeAnswer(answer, asked, { scope, isOwn, otherMs, isSlower }) {
  const why = answer.onlyHere && (!isOwn || isSlower) && describeUnpredicted(answer.onlyHere, isOwn);
  if (why || scope !== 'path')
    return {
      ...{ ...asked, mark: 'none', word: 'No prediction', reason: describeHere(answer, why || undefined) },
      ...(why && { onlyHere: why }),
    };
  const where = [
    ...(otherMs === undefined ? [] : [` at ${formatRtt(otherMs)} ms`]),
    ...(isSlower ? [' on the measuring device'] : []),
  ];
  return where.length === 0 ? answer : { ...answer, reason: `${answer.reason} Measured${where.join('')}.` };
}

/** @param {string} why @param {boolean} isOwn do its users have slower devices, and nothing else? @returns {string} a clause */
const describeUnpredicted = (why, isOwn) =>
  `${why}, it cannot be predicted for ${isOwn ? 'slower devices' : 'users elsewhere'}`;

/** @param {Answer} answer of one place alone @param {string} [why] a clause @returns {string} what was found there holds nowhere else */
function describeHere(answer, why = 'elsewhere it depends on the path') {
  const { figure = uncapitalize(answer.word), interval } = figureOf(answer);
  // Beneath a figure without an interval stands what it is of.
  const found = interval && answer.low === undefined ? `${figure} ${interval}` : figure;
  return `Here: ${found}; ${why}.`;
}

/** @param {{ ending?: Ending }} run @returns {Missing | undefined} absent if it ended as planned */
const missingOf = ({ ending }) =>
  ending && { kind: ending.kind === 'cancelled' ? 'stopped' : 'failed', reason: ending.reason };

/** @param {MeasuredPart & { answer: Answer }} answered that decides nothing @returns {string} a sentence or two */
function describeUndecided({ member: { fullTest }, missing, answer }) {
  const said = missing
    ? describeMissing(fullTest.question, missing)
    : `${fullTest.question} gave no verdict. ${answer.reason}`;
  return startSmall(said);
}

/** @param {string} question @param {Missing} missing @returns {string} a sentence or two */
function describeMissing(question, { kind, reason }) {
  if (kind === 'stopped') return `The run was stopped before ${startSmall(question)} was measured.`;
  return `${question} ${kind === 'skipped' ? 'was skipped' : 'failed'}. ${reason}`;
}

/** @param {string} text */
const startSmall = (text) => `${text[0].toLowerCase()}${text.slice(1)}`;

/**
 * Says which parts failed: those without a whole run, and those that fail by the rule of their own experiment.
 * @param {readonly MeasuredPart[]} measured @returns {string[]} a few sentences for each
 */
export const describeFailures = (measured) =>
  measured.flatMap(({ member: { fullTest }, missing, findings }) => {
    if (missing) return [describeMissing(fullTest.question, missing)];
    return findings?.failure === undefined ? [] : [`${fullTest.question}: ${findings.failure}`];
  });
