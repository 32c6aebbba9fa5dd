/**
 * `npm run lab` as its user has it. How fast ten messages are says little, set-up being most of it; so only what holds on
 * any machine is asserted.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { setTimeout as waitMs } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describeConditions } from '../../core/experiment/emulated-link.js';
import { formatClassic } from '../../core/experiments/classic/measure.js';
import { PROFILES } from '../../lab/options.js';
import { holdsOnce } from '../../test/support/attempts.js';
import { assertComplaint } from '../../test/support/complaint.js';
import { startScript } from '../../test/support/npm-script.js';

/** @import { Readable } from 'node:stream' */

const RTT_MS = 20;
const ITERATIONS = 10;
/** For what hangs: nothing takes nearly as long. */
const LIMIT_MS = 300_000;
const execute = promisify(execFile);

/** @param {string[]} words */
const start = (words) => startScript('lab', words);

/** @param {ReturnType<typeof startScript>} child */
async function endOf(child) {
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (err += text));
  const [code] = await once(child, 'close');
  return { code, out, err };
}

/**
 * @param {number} group of processes, which npm leads
 * @returns {Promise<number | undefined>} the process of the lab itself; absent where it has ended
 */
async function findLab(group) {
  const { stdout } = await execute('ps', ['-eo', 'pgid=,pid=,args=']);
  const pid = new RegExp(`^ *${group} +(\\d+) node lab/`, 'm').exec(stdout)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

/**
 * @param {Readable} stream
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
  // Where it is no more, there are none in it.
  const { stdout } = await execute('ip', ['netns', 'pids', namespace]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter(Boolean);
}

/** @param {number} pid of a process, or of a group below 0, which may have ended */
function interrupt(pid) {
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
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
      { timeout: LIMIT_MS },
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
    it('writes Markdown there', { timeout: LIMIT_MS }, async () => {
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
        const conditions = describeConditions(PROFILES.lan.conditions);
        assert.match(text, new RegExp(`^The link: ${conditions}, .+ pings .+ min [1-9]`, 'm'));
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
      /**
       * @param {(started: { group: number, lab: number, programs: string[] }) => Promise<void> | void} cancel is given a lab at
       *   that moment, and npm, which leads its group
       * @param {(code: number | null) => boolean} isRightCode of npm
       * @returns {Promise<string | undefined>} where the lab was sooner, which it may be on a busy machine
       */
      const cancelOne = async (cancel, isRightCode) => {
        const child = start(['--rtt', '200', '--iterations', moment.startsWith('0') ? '100000' : '10']);
        const end = endOf(child);
        await seen(child.stderr, moment);
        const group = Number(child.pid);
        const lab = await findLab(group);
        const namespaces = lab === undefined ? [] : await listNamespaces(lab);
        const programs = (await Promise.all(namespaces.map(listPrograms))).flat();
        if (lab !== undefined) await cancel({ group, lab, programs });

        const { code, out, err } = await end;
        if (code === 0) return 'it ended by itself';
        assert.equal(namespaces.length, 2);
        assert.ok(programs.length >= 2, 'a server and a browser');
        assert.ok(isRightCode(code), `${code}`);
        assert.equal(out, '');
        assert.match(err, /\nCancelled; .+\n$/);
        assert.deepEqual(await listNamespaces(Number(lab)), []);
        for (const program of programs) assert.equal(await isRunning(program), false, program);
        return undefined;
      };

      it(`at “${moment}” leaves nothing behind`, { timeout: LIMIT_MS }, (t) =>
        holdsOnce(t, () =>
          cancelOne(
            ({ lab }) => interrupt(lab),
            (code) => code === 1,
          ),
        ),
      );

      it(
        `in a terminal, which tells all, and npm, which tells it on, at “${moment}” neither`,
        { timeout: LIMIT_MS },
        (t) =>
          holdsOnce(t, () =>
            cancelOne(
              async ({ group, lab, programs }) => {
                interrupt(-group);
                // Two at the same moment would be one; so another comes when something has already ended.
                while ((await Promise.all(programs.map(isRunning))).every(Boolean)) await waitMs(5);
                interrupt(lab);
              },
              // npm may end by the signal itself, and then has no code.
              (code) => code !== 0,
            ),
          ),
      );
    }
  });
});
