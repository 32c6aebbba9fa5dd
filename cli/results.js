/** `sockshootout results`: manages the shared runs. What visitors wrote must not control a terminal. */
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { visible, visibleThroughout } from '../core/base/foreign-text.js';
import { openDocument } from '../core/experiment/documents/contradictions.js';
import { isDocumentOf } from '../core/experiment/run/open-run.js';
import { toText } from '../core/experiment/report/table.js';
import { findDescribed } from '../core/full-test/all.js';
import { StoreError } from '../server/store/store-error.js';
import { EXIT, RunError } from './program/program.js';
import { parseResultsOptions } from './results-options.js';

/**
 * @import { Column } from '../core/experiment/report/table.js'
 * @import { Filter, SavedRun, Store } from '../server/store/index.js'
 * @import { Asked } from './results-options.js'
 * @typedef {{ text: string | Uint8Array, value?: unknown }} Output of a command, and with --json; `value` is absent if the text is
 *   JSON already
 */

/** @type {readonly Column<SavedRun>[]} */
const COLUMNS = [
  { title: 'id', value: ({ id }) => id },
  { title: 'shared', value: ({ savedAt }) => savedAt },
  { title: 'experiment', value: ({ experiment }) => experiment },
  { title: 'valid', value: ({ isValid }) => (isValid === undefined ? 'unknown' : isValid ? 'yes' : 'no') },
  { title: 'server', value: ({ server }) => server },
  { title: 'browser', value: ({ browser = '' }) => browser },
  { title: 'transports', value: ({ transports }) => transports.join(',') },
  { title: 'label', value: ({ label = '' }) => label },
  { title: 'place', value: ({ place }) => place?.name ?? '' },
];

const EXPORTED_AT_ONCE = 500;

const REPORTED = 'samples, times, browser, server and place, as reported by the visitor';

/** @param {string[]} args @returns {Promise<number>} the exit code */
export async function main(args) {
  const { command, isJson } = parseResultsOptions(args);
  const store = await open();
  try {
    const { text, value } = await carryOut(command, store);
    process.stdout.write(isJson && value !== undefined ? `${JSON.stringify(value, null, 1)}\n` : text);
    return EXIT.done;
  } catch (error) {
    // The message names the file, and says what to do.
    throw error instanceof StoreError ? new RunError(error.message) : error;
  } finally {
    await store.close();
  }
}

/** Opens the store without a migration, which the serving release does. */
async function open() {
  // These modules are imported here, as they take longer to load than printing the help or an error.
  const [{ parseConfig }, { openStore }] = await Promise.all([
    import('../server/config.js'),
    import('../server/store/index.js'),
  ]);
  const { dataDir, databaseUrl: url } = parseConfig().store;
  return openStore({ url, dataDir, mustExist: true }).catch(({ message }) => {
    throw new RunError(message);
  });
}

/**
 * @param {Asked} command @param {Store} store
 * @returns {Promise<Output>}
 * @throws {RunError} if there is no such run
 */
export function carryOut(command, store) {
  switch (command.name) {
    case 'list':
      return list(command, store);
    case 'export':
      return formatExport(command, store).then((text) => ({ text }));
    case 'study':
      return sumUp(command, store);
    case 'show':
      return show(command, store);
    case 'delete':
      return remove(command, store);
    case 'prune':
      return prune(command, store);
    case 'backup':
      return backUp(command, store);
  }
}

/** @param {{ filter: Filter, limit: number }} command @param {Store} store @returns {Promise<Output>} */
async function list(command, store) {
  const runs = await store.list(command);
  const text = runs.length > 0 ? toText({ columns: COLUMNS, rows: runs }).concat('').join('\n') : sayNone(command);
  return { text, value: runs };
}

/** @param {{ label: string }} command @param {Store} store @returns {Promise<Output>} */
async function sumUp({ label }, store) {
  // These modules are imported here, as other commands need no experiments.
  const [{ createStudy }, { formatMatrixJson, formatMatrixText, MAX_STUDY_RUNS }, { EXPERIMENTS }] = await Promise.all([
    import('../core/matrix/index.js'),
    import('../core/matrix/export.js'),
    import('../core/experiments/all.js'),
  ]);
  const runs = await store.list({ filter: { label }, limit: MAX_STUDY_RUNS });
  const olderCount = (await store.count({ label })) - runs.length;
  const study = createStudy(runs.map(visibleThroughout), EXPERIMENTS, { olderCount });
  const value = { ...JSON.parse(formatMatrixJson({ label }, study)), ...(olderCount > 0 && { isWhole: false }) };
  const users = await readUsers(store, label);
  if (!users) return { text: formatMatrixText(study), value };
  const places = runs.length > 0 ? `${formatMatrixText(study)}\n` : '';
  return { text: places + users.text, value: { ...value, users: users.value } };
}

/** @param {{ id: string, isOfDocument: boolean }} command @param {Store} store @returns {Promise<Output>} */
async function show({ id, isOfDocument }, store) {
  const run = await store.get(id);
  const zipped = run && (await store.getDocument(id));
  if (!zipped) throw noSuchRun(id);
  const json = await promisify(gunzip)(zipped);
  return isOfDocument ? { text: json } : { text: formatSavedRun(run, listMarks(run, json)), value: run };
}

/** @param {{ id: string }} command @param {Store} store @returns {Promise<Output>} */
async function remove({ id }, store) {
  const outcome = await store.delete(id);
  if (outcome === 'is-part') throw new RunError(`Expected the ID of a whole run, got “${id}”, a part`);
  if (outcome !== 'deleted') throw noSuchRun(id);
  return { text: `Deleted ${id}\n`, value: { deleted: id } };
}

/** @param {{ before: Date }} command @param {Store} store @returns {Promise<Output>} */
async function prune(command, store) {
  const before = command.before.toISOString();
  const deletedCount = await store.prune(command.before);
  const text = `Deleted runs that were shared before ${before}: ${deletedCount}\n`;
  return { text, value: { before, deletedCount } };
}

/** @param {{ file: string }} command @param {Store} store @returns {Promise<Output>} */
async function backUp({ file }, store) {
  await store.backup(file).catch(({ code, message }) => {
    const isThere = code === 'EEXIST';
    throw new RunError(isThere ? `backup: expected a FILE that does not exist yet, got “${file}”` : message);
  });
  const { size: sizeBytes } = await stat(file);
  return { text: `Wrote ${file}: ${sizeBytes} bytes\n`, value: { file, sizeBytes } };
}

/** @param {Store} store @param {string} label @returns what its users measured; absent for a study of places */
async function readUsers(store, label) {
  const study = await store.getFieldStudy(label);
  if (!study) return undefined;
  const [{ findUsers }, { formatUsersJson, formatUsersText }] = await Promise.all([
    import('../core/field/find.js'),
    import('../core/field/export.js'),
  ]);
  const findings = findUsers(await store.readFieldCounts(label));
  return { text: formatUsersText(study, findings), value: JSON.parse(formatUsersJson(study, findings)).users };
}

/**
 * Returns a line of JSON for each run, the oldest first. JSON escapes control characters, which could control a terminal.
 * @param {{ filter: Filter, since: Date }} command @param {Store} store @returns {Promise<string>}
 */
async function formatExport({ filter, since }, store) {
  const from = since.toISOString();
  /** @type {SavedRun[]} */
  const runs = [];
  for (;;) {
    const page = await store.list({ filter, before: runs.at(-1), limit: EXPORTED_AT_ONCE });
    const wanted = page.filter(({ savedAt }) => savedAt >= from);
    runs.push(...wanted);
    if (wanted.length < EXPORTED_AT_ONCE) break;
  }
  return runs
    .reverse()
    .map((run) => `${JSON.stringify(visibleThroughout(run))}\n`)
    .join('');
}

/** @param {{ filter?: Filter }} list that is empty @returns {string} why, and what to do */
const sayNone = ({ filter = {} }) =>
  Object.values(filter).some((value) => value !== undefined)
    ? 'No shared run matches. Leave out a filter.\n'
    : 'No runs yet. To share one: press Share on the site after a run, or use run EXPERIMENT --url SITE --label TEXT.\n';

/** @param {string} id */
const noSuchRun = (id) => new RunError(`Expected the ID of a shared run, got “${id}”`);

/** @param {SavedRun} run @param {Uint8Array} json its document @returns its contradictions */
function listMarks({ experiment, savedAt }, json) {
  const document = JSON.parse(Buffer.from(json).toString());
  const known = findDescribed(experiment);
  return known && isDocumentOf(known, document)
    ? openDocument(known, document, { nowMs: Date.parse(savedAt) }).marks
    : [];
}

/** @param {SavedRun} run @param {readonly string[]} marks @returns a line for each known field */
function formatSavedRun(run, marks) {
  return [
    ...COLUMNS.map(({ title, value }, index) => [title, value(run, index)]),
    ['part of', run.partOf ?? ''],
    ['note', run.note ?? ''],
    ['digest', JSON.stringify(run.digest)],
    ['unchecked', REPORTED],
    ...marks.map((mark) => ['invalid', mark]),
  ]
    .filter(([, text]) => text !== '')
    .map(([title, text]) => `${`${title}:`.padEnd(12)}${visible(text)}\n`)
    .join('');
}
