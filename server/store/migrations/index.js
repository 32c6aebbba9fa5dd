/**
 * All migrations, in their order. One that was released is never changed. They only add, as the release before must run on
 * what they leave: it does so during a reload, and after a revert.
 */
import * as savedRuns from './0001-saved-runs.js';
import * as secrets from './0002-secrets.js';
import * as checks from './0003-checks.js';
import * as browser from './0004-browser.js';

/**
 * @import { Kysely } from 'kysely'
 * @import { ColumnTypes } from '../database.js'
 */

/** @typedef {(db: Kysely<any>, types: ColumnTypes) => Promise<void>} Up */

/** @type {Readonly<Record<string, { up: Up }>>} by names that sort in their order */
export const MIGRATIONS = Object.freeze({
  '0001-saved-runs': savedRuns,
  '0002-secrets': secrets,
  '0003-checks': checks,
  '0004-browser': browser,
});
