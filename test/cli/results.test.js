import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { visibleThroughout } from '../../core/base/foreign-text.js';
import { RunError } from '../../cli/program/program.js';
import { carryOut, main } from '../../cli/results.js';
import { parseResultsOptions } from '../../cli/results-options.js';
import { openStore } from '../../server/store/index.js';
import { assertComplaint, refusalOf } from '../support/complaint.js';
import { runProgram } from '../support/program.js';
import { withSettings } from '../support/settings.js';
import { createStudyRun, sending } from '../support/studies.js';
import { createShootout } from '../support/submissions.js';
import { createId, createSavedRun, createSavedRuns, hashToken } from '../support/saved-runs.js';

/** @import { SavedRun, Store } from '../../server/store/index.js' */

const DOCUMENT = '{"schema":"a document"}\n';
const RUNS = createSavedRuns(12);
const ODD = createSavedRun({
  id: '-begins-with-a-da',
  savedAt: '2026-11-22T07:00:00.000Z',
  label: 'red \u001b[31mtext\nand \u202emore',
  note: 'a note',
  place: { name: 'Köln' },
});

/** @type {string} */
let folder;
/** @type {string} */
let dataDir;
/** @type {Store} */
let store;
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-results-'));
  dataDir = path.join(folder, 'data');
  // It stays open: the commands are for a site that runs.
  store = await openStore({ dataDir });
  await store.migrate();
  for (const run of [...RUNS, ODD]) {
    await store.save(run, { document: gzipSync(DOCUMENT), tokenHash: hashToken(run.id) });
  }
});
after(async () => {
  await store?.close();
  await rm(folder, { recursive: true, force: true });
});

/**
 * The program, as an operator has it.
 *
 * @param {string[]} args
 */
const results = (args) =>
  runProgram('cli/sockshootout.js', ['results', ...args], { env: { PATH: process.env.PATH, DATA_DIR: dataDir } });

/**
 * What it does, without a process.
 *
 * @param {string[]} args
 * @param {number} [now]
 * @returns {Promise<{ text: string | Uint8Array, value?: any }>}
 */
async function answerOf(args, now) {
  const { command } = parseResultsOptions(args, now);
  return carryOut(command, store);
}

/** @param {SavedRun[]} runs the newest first @returns {Promise<string>} what a store with these exports */
async function exportFrom(runs) {
  const list = async (/** @type {{ before?: SavedRun, limit: number }} */ { before, limit }) => {
    const start = before ? runs.findIndex(({ id }) => id === before.id) + 1 : 0;
    return runs.slice(start, start + limit);
  };
  const { command } = parseResultsOptions(['export', '--since', '2000-01-01']);
  return String((await carryOut(/** @type {any} */ (command), /** @type {any} */ ({ list }))).text);
}

describe('sockshootout results', () => {
  it('lists the newest first, as many as it is told, and those that a filter lets through', async () => {
    assert.deepEqual((await answerOf(['list'])).value, await store.list({ limit: 50 }));
    const { code, out, err } = await results(['list', '--limit', '2', '--json']);
    assert.deepEqual([code, err], [0, '']);
    assert.deepEqual(JSON.parse(out), await store.list({ limit: 2 }));
    const texts = { experiment: 'shootout', transport: 'ajax', label: 'second', server: 'fra-1' };
    const filter = { ...texts, isValid: true };
    const args = Object.entries(texts).flatMap(([name, text]) => [`--${name}`, text]);
    const wanted = await store.list({ filter, limit: 50 });
    assert.ok(wanted.length > 0);
    assert.deepEqual((await answerOf(['list', ...args, '--valid'])).value, wanted);
    const ofPlace = (await answerOf(['list', '--place', 'Köln', '--invalid'])).value;
    assert.deepEqual(
      ofPlace.map((/** @type {any} */ run) => [run.place.name, run.isValid]),
      [['Köln', false]],
    );
  });

  it('lists as a table of lines, in which a visitor’s text steers no terminal', async () => {
    const out = String((await answerOf(['list'])).text);
    const lines = out.trimEnd().split('\n');
    assert.equal(lines.length, 1 + RUNS.length + 1);
    const titles = ['id', 'shared', 'experiment', 'valid', 'server', 'browser', 'transports', 'label', 'place'];
    assert.deepEqual(lines[0].split(/ {2,}/), titles);
    assert.ok(lines[1].endsWith(`${String(ODD.label).replace(/[\p{Cc}\p{Cf}]/gu, ' ')}  Köln`), lines[1]);
    assert.doesNotMatch(out.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
  });

  it('exports the runs since a moment as lines of JSON, the oldest first, in which nothing steers a terminal', async () => {
    const all = await store.list({ limit: 1000 });
    const since = all[Math.floor(all.length / 2)].savedAt;
    const wanted = all.filter(({ savedAt }) => savedAt >= since).reverse();
    assert.ok(wanted.length > 1 && wanted.length < all.length);
    const out = String((await answerOf(['export', '--since', since])).text);
    assert.doesNotMatch(out.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
    const lines = out.trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      visibleThroughout(wanted),
    );
    const { text } = await answerOf(['export', '--since', '2026-11-21', '--label', 'second']);
    const labels = String(text)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).label);
    assert.deepEqual([...new Set(labels)], ['second']);
    assert.equal((await answerOf(['export', '--since', '2999-01-01'])).text, '');
  });

  it('exports more runs than are read at once, each of them once', async () => {
    const runs = createSavedRuns(1201).sort((a, b) => (a.savedAt < b.savedAt ? 1 : -1));
    const text = await exportFrom(runs);
    assert.deepEqual(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id),
      runs.map(({ id }) => id).reverse(),
    );
  });

  it('sums up the newest 2,000 runs of a study, and says so where there are more', async () => {
    const study = async (/** @type {number} */ count, label = 'mine') => {
      const runs = Array.from({ length: count }, () => createStudyRun({ place: 'Lyon', answers: [sending(1.4)] }));
      /** @type {any[]} */
      const asked = [];
      const list = async (/** @type {any} */ query) => {
        asked.push(query.filter.label);
        return runs.slice(0, query.limit);
      };
      const store = { list, count: async () => runs.length, getFieldStudy: async () => undefined };
      const { command } = parseResultsOptions(['study', label]);
      const done = await carryOut(/** @type {any} */ (command), /** @type {any} */ (store));
      const { text, value } = /** @type {{ text: string, value: any }} */ (done);
      return { text, runCount: value.rows[0].runCount, isWhole: value.isWhole, olderCount: value.leftOut.older, asked };
    };
    const [whole, cut] = [await study(2000), await study(2001)];
    assert.deepEqual([whole.runCount, whole.isWhole], [2000, undefined]);
    assert.doesNotMatch(whole.text, /newest/);
    assert.deepEqual([cut.runCount, cut.isWhole], [2000, false]);
    assert.match(cut.text, /1 older run\b.* newest 2,000 runs/);
    assert.deepEqual([whole.olderCount, cut.olderCount], [0, 1]);
    // As the site saves it: trimmed, and with composed characters.
    assert.deepEqual((await study(1, ' Caf\u0065\u0301 ')).asked, ['Caf\u00e9']);
  });

  it('says that a list is empty, and whether a filter left out all', async () => {
    const filtered = await answerOf(['list', '--label', 'nobody uses this']);
    assert.deepEqual(filtered.value, []);
    assert.match(String(filtered.text), /^No .*filter\.\n$/);
    const emptyStore = /** @type {any} */ ({ list: async () => [] });
    const { text } = await carryOut(parseResultsOptions(['list']).command, emptyStore);
    assert.match(String(text), /^No runs yet\. .*--url .*\n$/);
  });

  it('says of a run whose validity nobody knows that it is unknown', async () => {
    const { isValid, ...unknown } = createSavedRun({ id: createId('unknown'), label: 'unknown' });
    assert.ok(isValid);
    await store.save(unknown, { document: gzipSync('{}'), tokenHash: hashToken('secret') });
    try {
      const { text } = await answerOf(['list', '--label', 'unknown']);
      assert.match(String(text), /^\S+ +\S+ +shootout +unknown +fra-1 /m);
    } finally {
      await store.delete(unknown.id);
    }
  });

  it('shows a run, and its document as it was before it was compressed', async () => {
    const { text, value } = await answerOf(['show', '--', ODD.id]);
    assert.match(String(text), /^id: +-begins-with-a-da$/m);
    assert.match(String(text), /^note: +a note$/m);
    assert.deepEqual(value, ODD);
    assert.deepEqual((await answerOf(['show', RUNS[3].id])).value, RUNS[3]);
    assert.equal(String((await answerOf(['show', RUNS[3].id, '--document'])).text), DOCUMENT);
  });

  it('shows what cannot be true of a run’s document', async () => {
    const document = structuredClone(createShootout());
    for (const trial of document.trials) trial.startedAtMs = 0;
    document.environment.userAgent += '\u202e';
    const run = createSavedRun({ id: createId('impossible') });
    await store.save(run, { document: gzipSync(JSON.stringify(document)), tokenHash: hashToken(run.id) });
    const { text, value } = await answerOf(['show', run.id]);
    const marks = [...String(text).matchAll(/^invalid: +([\w.]+): /gm)].map(([, path]) => path);
    assert.deepEqual(marks.slice(0, 2), ['environment.userAgent', 'trials.1.startedAtMs']);
    assert.match(String(text), /^unchecked: /m);
    assert.deepEqual(value, run);
    assert.doesNotMatch(String((await answerOf(['show', RUNS[3].id])).text), /^invalid/m);
    await store.delete(run.id);
  });

  it('deletes one run, and without its secret', async () => {
    const { id } = RUNS[0];
    assert.equal((await answerOf(['delete', id])).text, `Deleted ${id}\n`);
    assert.equal(await store.get(id), undefined);
    assert.equal(await store.getDocument(id), undefined);
    assert.equal((await store.list({ limit: 50 })).length, RUNS.length);
    assert.deepEqual((await answerOf(['delete', RUNS[1].id])).value, { deleted: RUNS[1].id });
  });

  it('says that there is no such run, and ends with 1', async () => {
    const id = createId('none');
    for (const args of [['show'], ['show', '--document'], ['delete']]) {
      await assert.rejects(answerOf([...args, id]), (error) => {
        assert.ok(error instanceof RunError && error.message.endsWith(`got “${id}”`), String(error));
        return true;
      });
    }
    const { code, out, err } = await results(['show', id]);
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /^[^\n]+\n$/);
    assert.ok(err.endsWith(`got “${id}”\n`), err);
  });

  it('prunes what is older than so many days, and nothing else', async () => {
    const now = Date.now();
    const savedBefore = (/** @type {number} */ days) => new Date(now - days * 86_400_000).toISOString();
    const old = createSavedRun({ id: createId('old'), savedAt: savedBefore(11) });
    const recent = createSavedRun({ id: createId('new'), savedAt: savedBefore(9) });
    const contents = { document: gzipSync(DOCUMENT), tokenHash: hashToken('') };
    for (const run of [old, recent]) await store.save(run, contents);
    const expected = (await store.list({ limit: 50 })).filter(({ savedAt }) => savedAt < savedBefore(10));
    const { value } = await answerOf(['prune', '--older-than', '10d'], now);
    assert.deepEqual(value, { before: savedBefore(10), deletedCount: expected.length });
    assert.equal(await store.get(old.id), undefined);
    assert.deepEqual(await store.get(recent.id), recent);
    assert.match(String((await answerOf(['prune', '--older-than', '10d'], now)).text), /^Deleted .*: 0\n$/);
  });

  it('writes a backup, from which the site can be started, and overwrites none', async () => {
    const copyDir = path.join(folder, 'copy');
    const file = path.join(folder, 'backup.db');
    const before = await store.list({ limit: 50 });
    assert.ok(before.length > 0);
    assert.match(String((await answerOf(['backup', file])).text), /^Wrote .*backup\.db: \d+ bytes\n$/);

    await mkdir(copyDir);
    await copyFile(file, path.join(copyDir, 'saved-runs.db'));
    const copy = await openStore({ dataDir: copyDir });
    assert.deepEqual(await copy.list({ limit: 50 }), before);
    await copy.close();

    await writeFile(file, 'precious');
    await assert.rejects(answerOf(['backup', file]), (error) => {
      assertComplaint(error, 'backup', `“${file}”`);
      return true;
    });
    assert.equal(await readFile(file, 'utf8'), 'precious');
  });

  it('makes no store where there is none, and asks whether DATA_DIR is right', async () => {
    const empty = path.join(folder, 'empty');
    await withSettings({ DATA_DIR: empty }, () =>
      assert.rejects(main(['list']), (error) => {
        assert.ok(error instanceof RunError, String(error));
        for (const fact of [`'${empty}'`, 'saved-runs.db', 'DATA_DIR']) assert.ok(error.message.includes(fact), fact);
        return true;
      }),
    );
    assert.ok(!(await readdir(folder)).includes('empty'));
  });

  it('names a wrong setting without the password', () =>
    withSettings({ DATABASE_URL: 'mysql://a:hunter2@b/c' }, async () => {
      const { message } = await refusalOf(() => main(['list']));
      assertComplaint(message, 'DATABASE_URL', '21 characters');
      assert.match(message, / postgres:\/\/USER:PASSWORD@HOST:PORT\/DATABASE,/);
      assert.doesNotMatch(message, /hunter2/);
    }));

  it('explains itself', async () => {
    const { code, out, err } = await results(['--help']);
    assert.deepEqual([code, err], [0, '']);
    for (const name of ['list', 'export', 'study', 'show', 'delete', 'prune', 'backup'])
      assert.match(out, new RegExp(`^  ${name} `, 'm'));
    assert.match((await results(['list', '--help'])).out, /^ {2}--limit <n> .*1 to 1000 \(default: 50\)$/m);
  });
});

describe('the arguments of sockshootout results', () => {
  /** @param {string[]} args */
  const refusalOfArgs = (args) => refusalOf(() => parseResultsOptions(args));

  for (const [args, name, expected, got] of /** @type {[string[], string, string, string?][]} */ ([
    [['list', '--limit', '0'], '--limit', '1 to 1,000', '“0”'],
    [['list', '--limit', '1001'], '--limit', '1 to 1,000', '“1001”'],
    [['list', '--limit', '1e3'], '--limit', '1 to 1,000', '“1e3”'],
    [['export', '--since', '3d'], '--since', 'a date', '“3d”'],
    [['export', '--since', '2026-13-01'], '--since', 'a date', '“2026-13-01”'],
    [['export', '--since', '2026-02-30'], '--since', 'a date', '“2026-02-30”'],
    [['export', '--since', '2026-02-30T08:00Z'], '--since', 'a date', '“2026-02-30T08:00Z”'],
    [['export', '--since', '2026-11-21T08:00'], '--since', 'a date', '“2026-11-21T08:00”'],
    [['study', ' '], 'results', 'a text', '“ ”'],
    [['backup', ''], 'results', 'a text', 'nothing'],
    [['prune', '--older-than', '365'], '--older-than', 'such as 365d', '“365”'],
    [['prune', '--older-than', '0d'], '--older-than', 'such as 365d', '“0d”'],
    [['prune', '--older-than=-1d'], '--older-than', 'such as 365d', '“-1d”'],
  ])) {
    it(`refuses ${args.join(' ')}`, async () => {
      const { message } = await refusalOfArgs(args);
      assertComplaint(message, name, got);
      assert.ok(message.includes(expected), message);
    });
  }

  for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
    [[], /, got nothing$/],
    [['toString'], /, got “toString”$/],
    [['list', '--valid', '--invalid'], /'--valid' cannot be used with option '--invalid'$/],
    [['list', '--document'], /^unknown option '--document'$/],
    [['list', 'all'], /^too many arguments for 'list'\. .*: “all”$/],
    [['delete', 'a', 'b'], /^too many arguments for 'delete'\. .*: “b”$/],
    [['show'], /^missing required argument 'id'$/],
    [['export'], /^required option '--since <date>' not specified$/],
    [['prune'], /^required option '--older-than <days>' not specified$/],
    [['list', '--nope'], /--nope/],
  ])) {
    it(`refuses ${args.join(' ') || 'none'}`, async () => {
      assert.match((await refusalOfArgs(args)).message, message);
    });
  }

  it('refuses a command that there is not, and names all that there are', async () => {
    const { message } = await refusalOfArgs(['lsit']);
    const [known, got] = message.split(', got ');
    for (const name of ['list', 'export', 'show', 'delete', 'prune', 'backup'])
      assert.match(known, new RegExp(`\\b${name}\\b`));
    assert.equal(got, '“lsit”. Did you mean list?');
  });

  it('counts days back from now', () => {
    const now = Date.parse('2026-11-21T07:00:00.000Z');
    assert.deepEqual(parseResultsOptions(['prune', '--older-than', '365d'], now).command, {
      name: 'prune',
      before: new Date('2025-11-21T07:00:00.000Z'),
    });
  });
});
