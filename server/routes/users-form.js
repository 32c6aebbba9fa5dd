/** The form that makes a study of users: works without a script, and shows the organiser's key once. */
import express from 'express';
import { studyPath } from '../../core/base/base-url.js';
import { visibleThroughout } from '../../core/base/foreign-text.js';
import { capitalize } from '../../core/base/format.js';
import { DocumentError } from '../../core/experiment/documents/check.js';
import { formatLine, parseSample } from '../../core/field/line.js';
import { MAX_SAY } from '../../core/matrix/link.js';
import { FULL_TEST_DURATION } from '../test-list.js';
import { refusal } from './refusals.js';

/**
 * @import { Request, RequestHandler, Response, Router } from 'express'
 * @import { Logger } from 'pino'
 * @import { FieldStudies } from '../field/studies.js'
 * @import { Identity } from '../http/identity.js'
 * @typedef {{ fieldStudies: FieldStudies, identity: Identity, log: Logger }} FormParts
 */

const MAX_FORM_BYTES = 16 * 1024;

/** @param {Router} routes @param {FormParts & { saves: RequestHandler }} parts `saves`: limits those who share, too */
export function serveUsersForm(routes, { saves, ...parts }) {
  const readForm = express.urlencoded({ extended: false, limit: MAX_FORM_BYTES });
  routes.post('/c/users', saves, readForm, (req, res) => {
    if (!parts.identity.isOwn(req)) throw refusal('origin-refused', 'Origin: expected this site');
    return makeUsersStudy(parts, req, res);
  });
}

/** What the page shows of every study. */
const FORM = Object.freeze({ maxSay: MAX_SAY, fullTestDuration: FULL_TEST_DURATION });

/** The fields of the form of a study of users, before anybody has filled them, and what never changes. */
export const UNFILLED = Object.freeze({ ...FORM, users: Object.freeze({ label: '', origins: '', sample: '1%' }) });

/**
 * Makes a study of users from its form.
 * @param {FormParts} parts @param {Request} req @param {Response} res
 */
async function makeUsersStudy({ fieldStudies, identity, log }, req, res) {
  const [label, origins, sample] = ['label', 'origins', 'sample'].map((name) => String(req.body?.[name] ?? '').trim());
  /** @param {object} more @param {{ at: string, words: string }} [problem] `at`: the name of its field */
  const show = (more, problem) => {
    const users = { ...visibleThroughout({ label, origins, sample }), problem };
    res.render('study-form', { ...FORM, label: '', plan: '', say: '', ...more, users });
  };
  const asked = {
    label,
    users: { origins: origins.split(/[\s,]+/).filter(Boolean), sample: parseSample(sample) ?? 0 },
  };
  try {
    const created = await fieldStudies.create(Buffer.from(JSON.stringify(asked)));
    if (!created) {
      res.status(409);
      return show({}, { at: 'label', words: 'Expected one without a study of users and without shared runs' });
    }
    log.info({ label }, 'study of users created');
    const line = formatLine(identity.urlOf(req), created.study);
    show({ made: { key: created.key, line, href: studyPath(created.study.label) } });
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    res.status(400);
    const [, name = 'label'] = /^(?:users\.)?(\w+)/.exec(error.path) ?? [];
    show({}, { at: name, words: capitalize(error.reason) });
  }
}
