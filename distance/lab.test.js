/**
 * `npm run lab` as its user has it. How fast ten messages are says little, set-up being most of it; so only what holds on
 * any machine is asserted.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { setTimeout as waitMs } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { formatClassic } from '../core/experiments/classic.js';
import { formatConditions } from '../lab/format-conditions.js';
import { PROFILES } from '../lab/profiles.js';
import { assertComplaint } from '../test/support/complaint.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RTT_MS = 20;
const ITERATIONS = 10;
const execute = promisify(execFile);

/** @param {string[]} words */
function start(words) {
  // A group of its own, as a terminal gives it.
  return spawn(process.execPath, ['lab/index.js', ...words], { cwd: ROOT, detached: true });
}

/** @param {import('node:child_process').ChildProcessWithoutNullStreams} child */
async function endOf(child) {
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (err += text));
  const [code] = await once(child, 'close');
  return { code, out, err };
}

/**
 * @param {import('node:stream').Readable} stream
 * @param {string} mark
 * @returns {Promise<void>} fulfilled when the stream has said so
 */
function seen(stream, mark) {
  let text = '';
  return new Promise((resolve) => {
    stream.on('data', (part) => {
      text += part;
      if (text.includes(mark)) resolve();
    });
  });
}

/** @param {number} pid of a lab */
async function listNamespaces(pid) {
  const { stdout } = await execute('ip', ['netns', 'list']);
  const names = stdout.split('\n').map((line) => line.split(' ')[0]);
  return names.filter((name) => name.startsWith(`sockshootout-${pid}-`));
}

/** @param {string} namespace */
async function listPrograms(namespace) {
  const { stdout } = await execute('ip', ['netns', 'pids', namespace]);
  return stdout.split('\n').filter(Boolean);
}

/** @param {string} pid */
async function isRunning(pid) {
  try {
    // One that has ended, but was not waited for by its parent, has none.
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')) !== '';
  } catch {
    return false;
  }
}

// What is asserted holds on a busy machine, too, and most of the time is the way's: so they run side by side.
describe('npm run lab', { concurrency: true }, () => {
  describe(`at ${RTT_MS} ms`, () => {
    /** @type {any} */
    let report;
    before(
      async () => {
        const { code, out, err } = await endOf(
          start(['--rtt', String(RTT_MS), '--iterations', String(ITERATIONS), '--json']),
        );
        assert.equal(code, 0, err);
        report = JSON.parse(out);
      },
      { timeout: 90_000 },
    );

    it('finishes every run', () => {
      assert.deepEqual(report.faults, []);
      for (const { pages } of [report.localhost, report.distance]) {
        for (const { runs } of Object.values(pages)) {
          assert.equal(runs.length, 1);
          assert.equal(runs[0].trial.samples.roundTripMs.length, ITERATIONS);
          assert.deepEqual(runs[0].trial.failures, []);
        }
      }
    });

    it('has the protocols that are in question, by a browser and a server that it names', () => {
      for (const { pages, browserVersion } of [report.localhost, report.distance]) {
        assert.equal(pages.ajax.runs[0].trial.protocol, 'http/1.1');
        assert.equal(pages.sockjs.runs[0].trial.protocol, 'websocket');
        assert.match(browserVersion, /^\d+\./);
        assert.match(pages.ajax.runs[0].trial.server.version, /^\d+\.\d+\.\d+/);
      }
    });

    it('says which link it was, and what ping says of it', (t) => {
      const { localhost, distance } = report;
      t.diagnostic(`${distance.kind}: ping ${localhost.ping.minMs} ms, ${distance.ping.minMs} ms`);
      assert.equal(localhost.kind, distance.kind);
      assert.ok(['netem', 'tun'].includes(distance.kind));
      assert.deepEqual([localhost.conditions, distance.conditions], [{ rttMs: 0 }, { rttMs: RTT_MS }]);
      assert.ok(distance.ping.minMs >= RTT_MS, `${distance.ping.minMs} ms`);
      assert.ok(distance.ping.meanMs >= distance.ping.minMs);
    });

    it('has a table for each place, with the published figures beside the measured ones', (t) => {
      for (const [{ rows, pages }, published] of [
        [report.localhost, { ajax: 78.125, sockjs: 140.845, ratio: 140.845 / 78.125 }],
        [report.distance, { ajax: 4.462, sockjs: 1.752, ratio: 1.752 / 4.462 }],
      ]) {
        const [{ iterations, measured }] = rows;
        t.diagnostic(JSON.stringify(measured));
        assert.equal(rows.length, 1);
        assert.equal(iterations, ITERATIONS);
        assert.deepEqual(rows[0].published, published);
        for (const transport of ['ajax', 'sockjs']) {
          // The same number as in the line of 2012.
          assert.ok(
            formatClassic(pages[transport].runs[0]).endsWith(` ${measured[transport].toFixed(3)} messages/second`),
          );
        }
        assert.equal(measured.ratio, measured.sockjs / measured.ajax);
      }
    });

    it('has no more messages a second over the distance than fit into it', () => {
      const [{ measured }] = report.distance.rows;
      assert.ok(measured.ajax <= 1000 / RTT_MS, String(measured.ajax));
      assert.ok(measured.sockjs <= 1000 / RTT_MS, String(measured.sockjs));
    });
  });

  describe('--out', () => {
    it('writes Markdown there', { timeout: 90_000 }, async () => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-lab-'));
      try {
        const file = path.join(folder, 'lab.md');
        const { code, out, err } = await endOf(start(['--profile', 'lan', '--iterations', '10,3', '--out', file]));
        assert.deepEqual({ code, out }, { code: 0, out: '' }, err);
        const text = await readFile(file, 'utf8');
        assert.match(
          text,
          /^## Localhost\n\n.*\n.*\n\| 10 \| [\d.]+ \| [\d.]+ \| [\d.]+ \| 78\.125 \| 140\.845 \| 1\.803 \|\n/m,
        );
        assert.match(text, /^\| 3 \| [\d.]+ \| [\d.]+ \| [\d.]+ \| – \| – \| – \|$/m);
        assert.match(text, /\| 4\.462 \| 1\.752 \| 0\.393 \|/);
        const conditions = formatConditions(PROFILES.lan.conditions);
        assert.match(text, new RegExp(`^The link: ${conditions}, .+ pings .+ least [1-9]`, 'm'));
        assert.match(text, /^Profile lan: ours/m);
        assert.match(text, /^Server: SockShootout \d+\.\d+\.\d+, Node v\d+/m);
        assert.match(text, / Chromium \d+\.[\d.]+\.$/m);
      } finally {
        await rm(folder, { recursive: true });
      }
    });

    it('refuses a file that cannot be written, before anything is measured', async () => {
      const { code, out, err } = await endOf(start(['--rtt', '0', '--out', os.tmpdir()]));
      assert.deepEqual({ code, out }, { code: 2, out: '' });
      assertComplaint(err, '--out', `“${os.tmpdir()}”`);
    });
  });

  describe('Ctrl-C', { concurrency: true }, () => {
    for (const moment of ['0 ms: /ajaxtest', '200 ms: /socktest']) {
      /** @returns {Promise<{ lab: number, programs: string[], end: ReturnType<typeof endOf> }>} a lab at that moment */
      const startUntilMoment = async () => {
        const child = start(['--rtt', '200', '--iterations', moment.startsWith('0') ? '100000' : '5']);
        const end = endOf(child);
        await seen(child.stderr, moment);
        const lab = Number(child.pid);
        const namespaces = await listNamespaces(lab);
        const programs = (await Promise.all(namespaces.map(listPrograms))).flat();
        assert.equal(namespaces.length, 2);
        assert.ok(programs.length >= 2, 'a server and a browser');
        return { lab, programs, end };
      };

      /** @param {Awaited<ReturnType<typeof startUntilMoment>>} started */
      const assertNothingLeft = async ({ lab, programs, end }) => {
        const { code, out, err } = await end;
        assert.deepEqual({ code, out }, { code: 1, out: '' });
        assert.match(err, /\nCancelled; .+\n$/);
        assert.deepEqual(await listNamespaces(lab), []);
        for (const program of programs) assert.equal(await isRunning(program), false, program);
      };

      it(`at “${moment}” leaves nothing behind`, { timeout: 60_000 }, async () => {
        const started = await startUntilMoment();
        process.kill(started.lab, 'SIGINT');
        await assertNothingLeft(started);
      });

      it(
        `in a terminal, which tells all, and npm, which tells it on, at “${moment}” neither`,
        { timeout: 60_000 },
        async () => {
          const started = await startUntilMoment();
          process.kill(-started.lab, 'SIGINT');
          // Two at the same moment would be one; so the second comes when something has already ended.
          while ((await Promise.all(started.programs.map(isRunning))).every(Boolean)) await waitMs(5);
          process.kill(started.lab, 'SIGINT');
          await assertNothingLeft(started);
        },
      );
    }
  });
});
