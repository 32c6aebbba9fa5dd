/**
 * `npm run lab` as its user ends it: by Ctrl-C, which leaves nothing behind.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { setTimeout as waitMs } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startScript } from '../../test/support/npm-script.js';

/** For what hangs: nothing takes nearly as long. */
const LIMIT_MS = 300_000;
const LOOK_MS = 100;
const execute = promisify(execFile);

/**
 * @param {number} group of processes, which npm leads
 * @returns {Promise<number | undefined>} the process of the lab itself; absent where it has ended
 */
async function findLab(group) {
  const { stdout } = await execute('ps', ['-eo', 'pgid=,pid=,args=']);
  const pid = new RegExp(`^ *${group} +(\\d+) node lab/`, 'm').exec(stdout)?.[1];
  return pid === undefined ? undefined : Number(pid);
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

/** @param {string} pid @returns {Promise<string>} of its program; empty where it has ended */
const nameOf = (pid) => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');

/** @param {string} pid */
async function isRunning(pid) {
  try {
    // One that has ended, but was not waited for by its parent, has none.
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')) !== '';
  } catch {
    return false;
  }
}

/**
 * @param {number} group of processes, which npm leads
 * @returns {Promise<{ lab: number, programs: string[] }>} the lab, when it has a server and a browser
 */
async function whenMeasuring(group) {
  for (;;) {
    const lab = await findLab(group);
    const namespaces = lab === undefined ? [] : await listNamespaces(lab);
    const programs = (await Promise.all(namespaces.map(listPrograms))).flat();
    const names = await Promise.all(programs.map(nameOf));
    if (lab !== undefined && names.some((name) => /^(chrom|headless)/.test(name))) return { lab, programs };
    await waitMs(LOOK_MS);
  }
}

describe('npm run lab', { concurrency: true }, () => {
  /**
   * @param {(started: { group: number, lab: number, programs: string[] }) => Promise<void> | void} cancel is given a lab that
   *   measures, and npm, which leads its group
   * @param {(code: number | null) => boolean} isRightCode of npm
   */
  async function cancelOne(cancel, isRightCode) {
    const child = startScript('lab', ['run', 'classic', '--rtt', '200']);
    let err = '';
    child.stderr.on('data', (text) => (err += text));
    child.stdout.resume();
    const ended = once(child, 'close');
    const group = Number(child.pid);
    const { lab, programs } = await whenMeasuring(group);
    await cancel({ group, lab, programs });

    const [code] = await ended;
    assert.ok(isRightCode(code), `${code}: ${err}`);
    assert.deepEqual(await listNamespaces(lab), []);
    for (const program of programs) assert.equal(await isRunning(program), false, program);
  }

  it('leaves nothing behind after Ctrl-C', { timeout: LIMIT_MS }, () =>
    cancelOne(
      ({ lab }) => interrupt(lab),
      (code) => code === 1,
    ),
  );

  it('nor in a terminal, which tells all, and npm, which tells it on', { timeout: LIMIT_MS }, () =>
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
  );
});
