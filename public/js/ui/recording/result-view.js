/** Shows what a recording holds: the answer, each poll with its advice, the code that changes, and the rest. */
import { formatBytes, formatCount, formatSpan } from '../../../../core/base/format.js';
import { parseField } from '../../../../core/experiment/plan/fields.js';
import { adviseRecording, DEFAULT_USERS, pathOf, USERS } from '../../../../core/recording/advice.js';
import {
  describeTotals,
  formatRecordingCsv,
  formatRecordingJson,
  formatRecordingMarkdown,
  listRemarks,
} from '../../../../core/recording/export.js';
import { situationOf } from '../../../../core/recording/situation.js';
import { formatEvery } from '../../../../core/recording/words.js';
import { create, element, keepTogether, markField, tryOrSay } from '../../base/page.js';
import { drawAtWidth } from '../../charts/svg.js';
import { at, linkOrigin } from '../../site-url.js';
import { mountCopyButton, mountFileButton, mountMenu, showCodeButtons } from '../export-buttons.js';
import { showCode } from './code-view.js';
import { describeSpan, drawDots, spanOf } from './dots.js';
import { showGains } from './gains-view.js';
import { keepRecordingLink } from './kept-recording.js';
import { EXAMPLE } from './open-form.js';
import { showPolls } from './polls-view.js';
import { showRest } from './rest-view.js';

/**
 * @import { Situation } from '../../../../core/experiment/plan/situation.js'
 * @import { Advice } from '../../../../core/recording/advice.js'
 * @import { Recording } from '../../../../core/recording/recording.js'
 * @import { MeasuredPush } from '../../later/measured-push.js'
 * @import { KeptRecording } from './kept-recording.js'
 */

const NOT_KEPT = 'It is too large for this tab to keep: once you leave the page, open the file again.';

export function createRecordingView() {
  const users = element('#users', HTMLInputElement);
  /** @type {KeptRecording & { advice: Advice, measured?: MeasuredPush } | undefined} */
  let shown;
  /** @type {{ destroy(): void } | undefined} */
  let dots;

  /** @param {Recording} recording @param {MeasuredPush} [measured] */
  const advise = (recording, measured) =>
    adviseRecording(recording, { users: readUsers(users) ?? DEFAULT_USERS, delaysMs: measured?.delaysMs });
  const readShown = () => {
    if (!shown) throw new Error('recording: expected one on the page, got none');
    return shown;
  };
  users.addEventListener('input', () => {
    if (!shown) return;
    shown.advice = advise(shown.recording, shown.measured);
    showLoad(shown.advice);
  });
  element('#users-form').addEventListener('submit', (event) => event.preventDefault());
  mountRecordingExports(readShown);

  return {
    /** @param {KeptRecording} next @param {{ isKept?: boolean }} [options] `isKept`: for this tab */
    show({ recording, name }, { isKept = true } = {}) {
      const advice = advise(recording);
      shown = { recording, name, advice };
      dots?.destroy();
      // A hidden section has no width for a picture.
      showPlaces(recording);
      showAbout(recording, name);
      showProblems(recording, isKept);
      dots = showDots(recording);
      showPlan(recording, advice);
      showAdvice(advice);
      showNotes(recording, advice);
      showCode(recording, advice);
      showRest(recording);
    },
    /** @returns {Partial<Situation>} what a run of it is about; empty where the page does not poll */
    situation() {
      const { recording, advice } = readShown();
      return situationOf(recording, advice.main?.poll)?.situation ?? {};
    },
    /** @param {MeasuredPush} measured what push took in a run of this tab */
    showMeasured(measured) {
      const { recording, name } = readShown();
      const advice = advise(recording, measured);
      shown = { recording, name, advice, measured };
      showAdvice(advice, measured);
      element('#measure-push').textContent = 'Measure push again';
    },
    focus() {
      element('#page-answer').scrollIntoView({ block: 'nearest' });
      element('#page-headline').focus({ preventScroll: true });
    },
  };
}

/** What a run changes. @param {Advice} advice @param {MeasuredPush} [measured] */
function showAdvice(advice, measured) {
  showHeadline(advice);
  showGains(advice.main, measured);
  showPolls(advice.polls);
  showLoad(advice);
}

/** @param {HTMLInputElement} input @returns {number | undefined} absent where it is none */
function readUsers(input) {
  const users = tryOrSay(
    () => parseField(input.value.trim(), USERS),
    (message) => (element('#users-error').textContent = message && `${message}.`),
  );
  markField(input, users === undefined);
  return users;
}

/** @param {Recording} recording */
function showPlaces({ polls }) {
  for (const id of ['#recording', '#recording-actions']) element(id).hidden = false;
  for (const id of ['#recording-how', '#recording-open']) element(id).hidden = true;
  element('#page-polls').hidden = polls.length === 0;
  element('#page-dots').hidden = !hasDots(polls);
}

/** @param {Recording} recording @param {string} name */
function showAbout({ seconds, requests, polls, createdBy }, name) {
  const polled = polls.reduce((sum, { count }) => sum + count, 0);
  const facts = [
    formatEvery(1000 * seconds),
    formatCount(requests, 'request'),
    `${polled.toLocaleString('en')} of them polls`,
    ...(name === EXAMPLE ? [] : [`saved by ${createdBy}`]),
  ];
  element('#recording-lead').replaceChildren(create('strong', {}, name), `, ${facts.join(', ')}`);
}

/** @param {Advice} advice */
function showHeadline({ headline, main }) {
  const path = main && pathOf(main.poll);
  const [before, ...after] = path ? headline.split(` ${path} `) : [headline];
  element('#page-headline').replaceChildren(
    ...keepTogether(before),
    ...(path && after.length > 0 ? [' ', create('code', {}, path), ' ', ...keepTogether(after.join(` ${path} `))] : []),
  );
}

/** What is wrong with the file. @param {Recording} recording @param {boolean} isKept */
function showProblems(recording, isKept) {
  const problems = [...listRemarks({ ...recording, notes: [] }), ...(isKept ? [] : [NOT_KEPT])];
  element('#recording-notice').textContent = problems.join(' ');
}

/** A large recording is kept without them. @param {Recording['polls']} polls */
const hasDots = (polls) => polls.some(({ dots }) => dots.length > 0);

/** @param {Recording} recording */
function showDots({ polls, seconds }) {
  if (!hasDots(polls)) return undefined;
  return drawAtWidth(element('#dots'), (widthPx) => {
    const span = spanOf(polls, { seconds, widthPx });
    element('#dots-title').textContent = `Each answer, ${describeSpan(span)}`;
    return drawDots(polls, { span, widthPx });
  });
}

/** The run that measures what is predicted. @param {Recording} recording @param {Advice} advice */
function showPlan(recording, { main }) {
  const plan = situationOf(recording, main?.poll);
  const link = element('#measure-push', HTMLAnchorElement);
  for (const one of [link, element('#copy-link')]) one.hidden = !plan;
  link.textContent = 'Measure push from here';
  if (plan) link.href = at(plan.link);
  keepRecordingLink(plan && at(plan.link));
  element('#measure-fills').textContent = plan
    ? `Fills in the test: polls every ${formatSpan(plan.situation.intervalMs)}, ${describeNews(plan.situation)}.`
    : '';
}

/** @param {{ newsMs: number, newsBytes?: number }} situation */
const describeNews = ({ newsMs, newsBytes }) =>
  `news${newsBytes === undefined ? '' : ` of ${formatBytes(newsBytes)}`} every ${formatSpan(newsMs)}`;

/** Nothing while the number is wrong. @param {Advice} advice */
function showLoad(advice) {
  const users = readUsers(element('#users', HTMLInputElement));
  element('#users-load').textContent = users === undefined ? '' : describeTotals(advice);
}

/** What limits the figures, and where they come from. @param {Recording} recording @param {Advice} advice */
function showNotes({ notes }, { basis }) {
  const sentences = [...basis, ...notes].map(({ text }) => text);
  element('#polls-notes').replaceChildren(...sentences.flatMap((text) => [...keepTogether(text), ' ']));
}

/** @param {() => KeptRecording & { advice: Advice }} shown */
function mountRecordingExports(shown) {
  const file = { name: () => 'your-page' };
  mountMenu();
  mountFileButton('#download-json', { ...file, type: 'json', text: () => formatRecordingJson(shown()) });
  mountFileButton('#download-csv', { ...file, type: 'csv', text: () => formatRecordingCsv(shown()) });
  mountFileButton('#download-markdown', { ...file, type: 'md', text: () => formatRecordingMarkdown(shown()) });
  showCodeButtons();
  mountCopyButton('#copy-link', () => {
    const { recording, advice } = shown();
    return linkOrigin() + at(situationOf(recording, advice.main?.poll)?.link ?? '/');
  });
}
