/**
 * `/field.js` and `/field/...`: what pages of other sites load, ask and send, and `/api/studies` for the organiser of a study of
 * users. Nothing here is a secret of the visitor's, and nothing of an address is kept.
 */
import express from 'express';
import { formatLine } from '../../core/field/line.js';
import { MAX_RECORD_BYTES } from '../../core/field/record.js';
import { checkRecord } from '../field/records.js';
import { HOUR_MS, limitRate } from '../http/limit-requests.js';
import { readOrigin } from '../http/identity.js';
import { sendFile } from '../http/made-once.js';
import { parseLabel } from '../saved-runs/list.js';
import { answerError, notJson, refusal, refuseFault, tokenOf } from './refusals.js';

/**
 * @import { ErrorRequestHandler, Request, RequestHandler, Response, Router } from 'express'
 * @import { Logger } from 'pino'
 * @import { FieldRecords } from '../field/records.js'
 * @import { FieldScript } from '../field/script.js'
 * @import { FieldStudies } from '../field/studies.js'
 * @import { Limits } from '../http/limits.js'
 * @import { Identity } from '../http/identity.js'
 * @import { FieldStudy } from '../store/field.js'
 * @typedef {{ fieldStudies: FieldStudies, identity: Identity, log: Logger }} OrganiserParts
 * @typedef {{ fieldScript: FieldScript, fieldRecords: FieldRecords, fieldStudies: FieldStudies, limits: Limits, log: Logger, reads:
 *   RequestHandler }} FieldParts
 */

const SCRIPT_SECONDS = 3600;
/** A study that stops measures for that long. */
const SETTINGS_SECONDS = 600;

/** Serves `/field.js` and `/field/...`. @param {Router} routes @param {FieldParts} parts */
export function serveField(routes, parts) {
  const { fieldRecords, fieldScript, fieldStudies, limits, log, reads } = parts;
  const records = limitRate({ windowMs: HOUR_MS, limit: limits.fieldRecordsPerHour });

  routes.get('/field.js', (req, res) => {
    res.set({
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': `public, max-age=${SCRIPT_SECONDS}`,
    });
    sendFile(req, res.type('js'), fieldScript.file);
  });
  routes.use('/field', (_req, res, next) => {
    // The answer depends on who asks; only pages that a study names may read it.
    res.vary('Origin').set({ 'Cache-Control': 'no-store', 'Cross-Origin-Resource-Policy': 'cross-origin' });
    next();
  });
  routes.get('/field/settings', reads, async (req, res) => {
    const study = await findStudy(fieldStudies.find, req, String(req.query.study ?? ''));
    res.set('Cache-Control', `public, max-age=${SETTINGS_SECONDS}`);
    if (!study) return void res.set('Access-Control-Allow-Origin', '*').status(204).end();
    allowOrigin(req, res);
    res.json({ sample: study.sample });
  });
  routes.post(
    '/field/records',
    records,
    express.raw({ type: () => true, limit: MAX_RECORD_BYTES }),
    async (req, res) => {
      const record = checkRecord(req.body);
      const study = await findStudy(fieldStudies.findOfRecord, req, record.study);
      if (!study) throw refusal('origin-refused', 'study: expected one that measures on this origin');
      await fieldRecords.add({ ...record, study: study.label }, req.get('user-agent') ?? '');
      allowOrigin(req, res);
      res.status(204).end();
    },
  );
  /** @type {ErrorRequestHandler} */
  const answerWrong = (error, req, res, next) => (res.headersSent ? next(error) : answerError(log, error, req, res));
  routes.use('/field', answerWrong);
}

/** Answers POST of `/api/studies`. @param {OrganiserParts} parts @returns {RequestHandler} */
export const answerNewStudy =
  ({ fieldStudies, identity, log }) =>
  async (req, res) => {
    if (!Buffer.isBuffer(req.body)) throw notJson();
    const created = await fieldStudies.create(req.body);
    if (!created) throw refusal('conflict', 'label: expected one without a study of users and without shared runs');
    const { study, key } = created;
    log.info({ label: study.label }, 'study of users created');
    res.status(201).json({ ...describe(study), key, line: formatLine(identity.urlOf(req), study) });
  };

/** Answers PATCH of `/api/studies`. @param {OrganiserParts} parts @returns {RequestHandler} */
export const answerStudyChange =
  ({ fieldStudies, log }) =>
  async (req, res) => {
    if (!Buffer.isBuffer(req.body)) throw notJson();
    const label = parseLabel(req.query.label);
    refuseFault(await fieldStudies.change(label, tokenOf(req), req.body), THIS_STUDY);
    log.info({ label }, 'study of users changed');
    res.json(describe(/** @type {FieldStudy} */ (await fieldStudies.find(label))));
  };

/** Answers DELETE of `/api/studies`. @param {OrganiserParts} parts @returns {RequestHandler} */
export const answerStudyDeletion =
  ({ fieldStudies, log }) =>
  async (req, res) => {
    const label = parseLabel(req.query.label);
    refuseFault(await fieldStudies.delete(label, tokenOf(req)), THIS_STUDY);
    log.info({ label }, 'study of users deleted');
    res.status(204).end();
  };

const THIS_STUDY = Object.freeze({
  unknown: 'label: expected that of a study of users, got another',
  wrong: 'Authorization: expected the key of this study, got another',
});

/** @param {FieldStudy} study */
const describe = ({ label, createdAt, ...users }) => ({ label, createdAt, users });

/** @param {Request} req @param {Response} res */
const allowOrigin = (req, res) => void res.set('Access-Control-Allow-Origin', String(req.headers.origin));

/**
 * @param {FieldStudies['find']} find @param {Request} req @param {string} label
 * @returns {Promise<FieldStudy | undefined>} absent where it does not measure on the page that asks
 */
async function findStudy(find, req, label) {
  const origin = readOrigin(String(req.headers.origin ?? ''));
  const study = origin && label && label.length <= 80 ? await find(label) : undefined;
  return study?.isOn && study.origins.includes(String(origin)) ? study : undefined;
}
