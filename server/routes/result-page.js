/** `/results/:id`: a shared run. The server writes its summary; the page's script draws the rest from its document. */
import { studyPath } from '../../core/base/base-url.js';
import { capitalize, formatMinute, listOf } from '../../core/base/format.js';
import { visibleThroughout } from '../../core/base/foreign-text.js';
import { toMarkup } from '../../core/picture/svg.js';
import { figureOf, withoutVerdict } from '../../core/experiment/answer/answer.js';
import { iconOf } from '../../core/picture/icon.js';
import { ENDINGS } from '../../core/experiment/report/headline.js';
import { describeInvalid } from '../../core/experiment/documents/lone-trials.js';
import { addBrowser, headingOf, titleOf } from '../../core/experiment/run/names.js';
import { scopeOfDigest } from '../../core/experiment/run/scope.js';
import { sayBriefly } from '../../core/experiment/documents/stored-answers.js';
import { DESCRIBED, findDescribed } from '../../core/full-test/all.js';
import { pagePartialsOf } from '../page-partials.js';
import { testOf } from '../saved-runs/list.js';
import { viewOf } from './pages.js';
import { refuse } from './refusals.js';

/** @import { RequestHandler, Router } from 'express' */
/** @import { Experiment } from '../../core/experiment/contract.js' */
/** @import { StoredAnswer } from '../../core/experiment/documents/stored-answers.js' */
/** @import { Identity } from '../http/identity.js' */
/** @import { PageParts } from '../parts.js' */
/** @import { SavedRun } from '../store/index.js' */

/**
 * Serves the page of a saved run.
 * @param {Router} routes @param {PageParts & { identity: Identity, reads: RequestHandler }} parts
 */
export function serveResultPage(routes, { archive, madeOnce, render, identity, reads }) {
  routes.get('/results/:id', reads, async (req, res) => {
    const found = await archive.find(String(req.params.id));
    if (!found) {
      const message = 'There is no shared run at this URL. It may have been deleted.';
      refuse(res.status(404), { title: 'No such run', message });
      return;
    }
    const siteUrl = identity.urlOf(req);
    const url = `${siteUrl}/results/${found.id}`;
    const make = async () => {
      const parts = listParts(await archive.findParts(found.id));
      return render('result', { ...describeRun(visibleThroughout(found), siteUrl), parts });
    };
    // The run may have changed since it was read.
    const key = `${url} ${JSON.stringify(found)}`;
    await madeOnce.send(req, res.set('Cache-Control', 'no-cache'), { key, type: 'html', make });
  });
}

/** @param {SavedRun} run @param {string} siteUrl */
function describeRun(run, siteUrl) {
  const { digest } = run;
  const url = `${siteUrl}/results/${run.id}`;
  // A run that a newer version saved has its summary, but no view here.
  const experiment = findDescribed(run.experiment);
  const name = testOf(run);
  const title = headingOf(run, name);
  const facts = listFacts(run);
  return {
    ...(experiment && viewOf(experiment)),
    run,
    partial: experiment && partialOf(experiment),
    isReported: digest.origin === undefined,
    facts,
    answers: listAnswers(digest),
    reported: nameReported(facts),
    whyInvalid: whyInvalid(run),
    title,
    heading: nameRun(run, name),
    // Other sites show this beside a link.
    preview: {
      title,
      description: digest.detail || digest.headline,
      url,
      ...(experiment && { image: `${siteUrl}/api/results/${run.id}.png` }),
    },
    script: experiment ? `js/result-${experiment.name}.js` : 'js/result.js',
  };
}

/**
 * @param {SavedRun} run @param {string} test its name
 * @returns {string} such as 'Zürich, office: news 0.55 s sooner', or where no words tell what it found, the test and where it was
 */
function nameRun({ digest, place, label, isValid }, test) {
  // The client of 2019 does not say where it was.
  if (digest.origin === undefined) return digest.headline;
  const title = titleOf({ place, digest });
  const found = isValid === false ? undefined : sayBriefly(digest, isOfOnePlace(digest));
  if (!found) return `${test}: ${addBrowser(title, digest)}`;
  return `${[place?.name ?? title, label].filter(Boolean).join(', ')}: ${found}`;
}

/** Does a run say of users only what it predicts? @param {any} digest */
const isOfOnePlace = (digest) => scopeOfDigest(digest) !== 'path';

/**
 * Lists the answers that a run was saved with, which are to be read without its script, too: what it predicts, where it does.
 * @param {any} digest @returns {{ question: string, mark: string, icon: string, word: string, figure?: string, interval?: string }[]}
 */
const listAnswers = ({ answers = [], ...digest }) =>
  answers.map((/** @type {StoredAnswer} */ { experiment, elsewhere, ...own }) => {
    const isSilent = own.topic !== undefined && elsewhere === undefined && isOfOnePlace(digest);
    const { amount, ...said } = elsewhere ?? own;
    const { mark, word } = isSilent ? withoutVerdict('') : said;
    const described = findDescribed(experiment);
    const found = amount && !isSilent && { ...amount, estimate: amount.value, isPredicted: elsewhere !== undefined };
    const asked = described?.fullTest?.question ?? described?.label ?? experiment;
    const question = elsewhere ? `${asked}, ${elsewhere.rttMs} ms away` : asked;
    return { question, mark, word, icon: toMarkup(iconOf(mark)), ...(found && figureOf(found)) };
  });

/** @param {Record<string, string>} parts IDs by experiment @returns {{ name: string, href: string, label: string }[]} */
const listParts = (parts) =>
  DESCRIBED.filter(({ name }) => name in parts).map(({ name, label, fullTest }) => ({
    name,
    href: `/results/${parts[name]}`,
    label: fullTest?.question ?? label,
  }));

/** @param {Experiment} experiment @returns {string} the partial that shows its saved runs */
const partialOf = (experiment) =>
  'members' in experiment ? 'full-test-result' : (pagePartialsOf(experiment.name).result ?? 'report');

/** Lists the facts of a run. `reported`: what the visitor's program says, so it cannot be checked. @param {SavedRun} run */
function listFacts({ label, place, savedAt, isValid, partOf, digest }) {
  const { server, link, location, version, browser, origin, startedAt } = digest;
  // A server without a name has the name of its host.
  const name = origin && server === new URL(origin).host ? undefined : server;
  const measured = [name, link, location, version && `version ${version}`, origin];
  return [
    { name: 'Part of', value: partOf ? 'a full test' : '', href: partOf && `/results/${partOf}` },
    { name: 'Label', value: label ?? '', href: label && studyPath(label) },
    { name: 'Place', value: place?.name ?? '', reported: 'place' },
    { name: 'Browser', value: browser ?? '', reported: 'browser' },
    { name: 'Server', value: measured.filter(Boolean).join(', '), reported: origin && 'server' },
    { name: 'Measured', value: startedAt ? formatTime(startedAt) : '', reported: 'time' },
    { name: 'Shared', value: formatTime(savedAt) },
    { name: 'Complete', value: isValid ? 'yes' : '' },
  ].filter(({ value }) => value !== '');
}

/** @param {readonly { reported?: string }[]} facts @returns {string} like 'Place, browser and server'; empty for none */
function nameReported(facts) {
  const names = facts.flatMap(({ reported }) => reported || []);
  return names.length > 0 ? capitalize(listOf(names)) : '';
}

/** @param {SavedRun} run @returns {string | undefined} absent for a valid run, if it is unknown, and if the headline says it */
function whyInvalid({ isValid, digest, experiment }) {
  if (isValid !== false || digest.headline === ENDINGS.cancelled) return undefined;
  const described = findDescribed(experiment);
  return described?.openStored ? describeInvalid(digest) : digest.detail || digest.headline;
}

/** Formats a time to the minute, in UTC. @param {string} text ISO 8601 */
const formatTime = (text) => formatMinute(new Date(text).toISOString());
