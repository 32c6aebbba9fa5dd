/**
 * A study as its organiser has it: one site of two workers with PostgreSQL, measured from its own machine, over 40 ms, and over
 * 230 ms with loss, by the command and by browsers, all of which share their runs in it.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { digestOf } from '../core/experiment/documents/document-digest.js';
import { withServer } from '../cli/program/child.js';
import { findDescribed } from '../core/full-test/all.js';
import { withLink } from '../lab/link.js';
import { openTestPostgres } from '../test/support/postgres.js';

/**
 * @import { Conditions } from '../core/experiment/run/emulated-link.js'
 * @import { TestPostgres } from '../test/support/postgres.js'
 */

const execute = promisify(execFile);

const LABEL = 'three places';
const ECHO = ['shootout', '--transports', 'fetch,sockjs', '--blocks', '6', '--iterations', '2', '--warmup', '1'];
const ALL = ['all', '--uses', 'fetch', '--tests', 'shootout,jobs'];
/** Who measures, where: `rttMs` of the link, if there is one. The site is at the end that stays in the machine's own namespace. */
const MACHINES = /** @type {const} */ ([
  { args: [...ALL], place: undefined, conditions: undefined },
  { args: [...ALL], place: 'Cologne', conditions: { rttMs: 40 } },
  { args: [...ECHO, '--browser'], place: ' cologne', conditions: { rttMs: 40 } },
  { args: [...ECHO, '--browser'], place: 'Sydney', conditions: { rttMs: 230, lossPercent: 1 } },
]);
const COMMAND = [process.execPath, 'cli/sockshootout.js'];

/** @param {string} address of one end of a link @returns {string} of the other */
const otherEndOf = (address) => address.replace(/\d+$/, (host) => String(Number(host) + 1));

/** @param {Conditions | undefined} conditions @param {(start: (argv: string[]) => string[], host: string) => Promise<void>} use */
const withPlace = (conditions, use) =>
  conditions
    ? withLink(conditions, (link) => use(link.serverCommand, otherEndOf(link.serverAddress)), { isClientHere: true })
    : use((argv) => argv, 'localhost');

describe('a study of three places, by browsers and by the command', () => {
  /** @type {TestPostgres} */
  let postgres;
  /** @type {any} */
  let study;
  /** @type {any[]} the same from new connections */
  let again;
  /** @type {any} what the operator's command prints */
  let printed;
  /** @type {any[]} */
  let runs;
  before(async () => {
    postgres = await openTestPostgres();
    const env = { HOST: '0.0.0.0', SERVER_NAME: 'site', WORKERS: '2', DATABASE_URL: await postgres.createSchema() };
    const use = async (/** @type {number} */ port) => {
      await Promise.all(
        MACHINES.map(({ args, place, conditions }) =>
          withPlace(conditions, async (start, host) => {
            const words = ['--label', LABEL, ...(place === undefined ? [] : ['--place', place])];
            const argv = [...COMMAND, 'run', ...args, '--url', `http://${host}:${port}`, '--quiet', ...words];
            const [name, ...others] = start(argv);
            // A run whose verdict is unclear exits with 1, and is shared all the same.
            const { stderr } = await execute(name, others).catch((error) => error);
            assert.match(stderr, /^Shared: /m);
          }),
        ),
      );
      const origin = `http://localhost:${port}`;
      const get = async (/** @type {string} */ path) =>
        (await fetch(origin + path, { headers: { Connection: 'close' } })).json();
      const path = `/api/studies?label=${encodeURIComponent(LABEL)}`;
      study = await get(path);
      again = await Promise.all(Array.from({ length: 8 }, () => get(path)));
      const { results } = await get(`/api/results?label=${encodeURIComponent(LABEL)}`);
      runs = await Promise.all(results.map((/** @type {{ id: string }} */ { id }) => get(`/api/results/${id}`)));
      const [name, ...args] = [...COMMAND, 'results', 'study', LABEL, '--json'];
      printed = JSON.parse((await execute(name, args, { env: { ...process.env, ...env } })).stdout);
    };
    await withServer((argv) => argv, env, use, 'cli/program/cluster.js');
  });
  after(() => postgres?.close());

  it('has a row for each, by its round-trip time, which the links had', () => {
    assert.deepEqual(
      study.rows.map((/** @type {any} */ { name, scope, runCount }) => [name.toLowerCase(), scope, runCount]),
      [
        ['localhost', 'machine', 1],
        ['cologne', 'path', 2],
        ['sydney', 'path', 1],
      ],
    );
    const [, near, far] = study.rows;
    // A page's clock may tell a moment up to a step too early.
    assert.ok(near.rttMs >= 39.8 && near.rttMs < 230 && far.rttMs >= 229.8, JSON.stringify([near.rttMs, far.rttMs]));
  });

  it('has in its cells what the single runs answer', () => {
    assert.equal(runs.length, MACHINES.length);
    for (const { name, cells } of study.rows) {
      const own = runs.filter(({ place }) => (place?.name ?? 'localhost').trim().toLowerCase() === name.toLowerCase());
      cells.forEach((/** @type {any} */ cell, /** @type {number} */ i) => {
        const { experiment } = study.columns[i];
        const answers = own
          .map((run) => digestOf(findDescribed(run.experiment) ?? assert.fail(), run.document).answers ?? [])
          .flatMap((all) => all.filter((/** @type {any} */ one) => one.experiment === experiment));
        // A busy machine makes runs doubtful: they are counted.
        const counted = answers.filter(({ isDoubtful }) => !isDoubtful);
        const where = `${name}, ${experiment}`;
        assert.deepEqual([cell.count, cell.doubtfulCount], [counted.length, answers.length - counted.length], where);
        const sum = counted.reduce((all, { amount }) => all + Number(amount?.value), 0);
        if (counted.length > 0) assert.ok(Math.abs(cell.value - sum / counted.length) < 1e-9, where);
        else assert.equal(cell.value, undefined, where);
      });
    }
  });

  it('is the same from each worker, and from the command at the server', () => {
    for (const other of [...again, printed]) assert.deepEqual(other, study);
  });
});
