/**
 * `npm run release:check`: does what a release promises work for somebody who has only the commit? In a fresh clone of HEAD, it
 * runs the commands in the README, and the tests of the package and the container.
 *
 * It checks the repository in the current folder; npm sets this to the project's folder.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePorts } from '../cli/program/free-ports.js';
import { choiceOption, createCommand, parseArguments } from '../cli/program/command.js';
import { cancelOnSignals, EXIT, RunError, runProgram } from '../cli/program/program.js';
import { findMissing, remedyFor } from './runner/parts.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @typedef {object} Step
 * @property {string} name
 * @property {string} command for a shell
 * @property {boolean} [startsSite] the step passes when the site is ready, and is then stopped; other steps pass when they end
 * @property {readonly string[]} [parts] what the step needs: names in parts.js
 */

/** Far longer than any step takes. */
const LIMIT_MS = 20 * 60_000;
/** A site drains within 5 s. */
const STOP_LIMIT_MS = 30_000;
const TIMED_OUT = `none within ${LIMIT_MS / 60_000} minutes`;

const createCheck = () =>
  createCommand(
    'npm run release:check --',
    "Clones HEAD into a temporary folder. In the clone, it runs the README's commands, and the tests of the package and the container. It prints the result and the time of each step, and the output of a step that failed. It takes about 10 minutes. The last step needs root, podman and other tools; if one is missing, it says which. Uncommitted changes are not checked.",
  )
    .option('--list', "print the steps, and the README's commands that a test runs instead")
    .addHelpText(
      'after',
      `
Exit codes:
  0  every step passed
  1  a step failed
  2  the arguments are wrong`,
    );

/** @type {readonly Step[]} */
const TESTS = [
  { name: 'package', command: 'node --test test/soak/package.test.js', parts: ['chromium'] },
  {
    name: 'container',
    command: 'node --test deploy/test/whole/container.test.js',
    parts: ['root', 'chromium', 'postgres', 'mmdebstrap', 'buildah', 'podman', 'runc'],
  },
];

/** The README's commands that need more than this machine, and what runs them instead. */
const TESTED = [
  { pattern: /^docker /, by: 'the step container' },
  { pattern: /^(ssh|cp) |^npm run deploy/, by: 'npm run test:whole-deploy' },
];

/** @param {string} readme @returns {string[]} the commands in its code blocks, without comments */
function commandsIn(readme) {
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block.replaceAll('\\\n', ''));
  return blocks.flatMap((block) => block.split('\n')).flatMap((line) => line.replace(/\s+#.*/, '').trim() || []);
}

/** @param {string} command @returns {string | undefined} what runs it instead of this program */
const testOf = (command) => TESTED.find(({ pattern }) => pattern.test(command))?.by;

/** @param {readonly string[]} commands of the README @returns {Step[]} */
const stepsOf = (commands) => [
  ...commands
    .filter((command) => !testOf(command))
    .map((command) => ({ name: command, command, startsSite: /\b(npm start|npx --yes \S+)$/.test(command) })),
  ...TESTS,
];

/** @param {string[]} args @returns {Promise<number>} the exit code */
async function main(args) {
  const commands = commandsIn(await readFile('README.md', 'utf8'));
  const steps = stepsOf(commands);
  const names = steps.map(({ name }) => name);
  const command = createCheck().addOption(choiceOption('--only <name...>', 'run only this step; repeatable', names));
  const { list, only = names } = parseArguments(command, args);
  if (list) {
    const elsewhere = commands.flatMap((command) => (testOf(command) ? [`${command}   (by ${testOf(command)})`] : []));
    process.stdout.write([...names, ...elsewhere, ''].join('\n'));
    return EXIT.done;
  }
  const signal = cancelOnSignals({ mustTidyUp: true });
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-release-'));
  try {
    const clone = await cloneHead(path.join(folder, 'clone'));
    const failed = [];
    for (const step of steps.filter(({ name }) => only.includes(name))) {
      if (!(await report(step, { clone, signal, dataDir: path.join(folder, 'data') }))) failed.push(step.name);
      if (signal.aborted) throw new RunError(`Stopped during ${step.name}.`);
    }
    process.stdout.write(failed.length > 0 ? `Failed: ${failed.join(', ')}\n` : 'Every step passed.\n');
    return failed.length > 0 ? EXIT.failed : EXIT.done;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {string} clone the folder to create @returns {Promise<string>} the same */
async function cloneHead(clone) {
  const git = async (/** @type {string[]} */ ...args) => (await promisify(execFile)('git', args)).stdout.trim();
  await git('clone', '--quiet', '.', clone);
  process.stdout.write(`Checking ${await git('log', '-1', '--format=%h %s')}\n`);
  if (await git('status', '--porcelain')) process.stdout.write('Uncommitted changes are not checked.\n');
  return clone;
}

/**
 * @typedef {{ clone: string, dataDir: string, signal: AbortSignal }} Place
 * @param {Step} step @param {Place} place @returns {Promise<boolean>} has it passed?
 */
async function report(step, place) {
  const begunMs = performance.now();
  process.stderr.write(`Running ${step.name}\n`);
  const fault = await run(step, place).catch((/** @type {Error} */ error) => error.message);
  const seconds = ((performance.now() - begunMs) / 1000).toFixed(1);
  process.stdout.write(`${fault ? '✖' : '✔'} ${step.name}: ${fault ? 'failed' : 'passed'}, ${seconds} s\n`);
  if (fault) process.stdout.write(`${fault.trimEnd()}\n`);
  return !fault;
}

/** @param {Step} step @param {Place} place @throws {Error} if it fails: why, with its output */
async function run({ name, command, startsSite, parts = [] }, { clone, dataDir, signal }) {
  const missing = await findMissing(parts);
  if (missing.length > 0) {
    const remedy = remedyFor(missing, 'npm run release:check');
    throw new Error(`${name} needs ${missing.join(', ')}. To get it: ${remedy}`);
  }
  // A test that is run alone lacks the packages, which the README's first command installs.
  const isBare = parts.length > 0 && !existsSync(path.join(clone, 'node_modules'));
  const port = await findFreePorts(1);
  // Like a command in a terminal, it has its own process group: Ctrl-C reaches the whole group.
  const child = spawn(isBare ? `npm ci && ${command}` : command, {
    ...{ shell: true, cwd: clone, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    env: { ...outsideEnvironment(), ...(startsSite && { PORT: String(port), DATA_DIR: dataDir }) },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = once(child, 'close');
  const cancel = () => killGroup(child, 'SIGTERM');
  signal.addEventListener('abort', cancel);
  try {
    const fault = await (startsSite ? siteFault(child, { port, ended }) : endFault(ended));
    if (fault) throw new Error(`${output}${fault}`);
  } finally {
    signal.removeEventListener('abort', cancel);
    killGroup(child, 'SIGKILL');
  }
}

/** @param {Promise<unknown[]>} ended gives the exit code @returns {Promise<string | undefined>} what is wrong; absent for 0 */
async function endFault(ended) {
  const [code, signal] = await Promise.race([ended, sleep(LIMIT_MS, [TIMED_OUT], { ref: false })]);
  return code === 0 ? undefined : `Expected exit code 0, got ${code ?? signal}`;
}

/**
 * @param {ChildProcess} child @param {{ port: number, ended: Promise<unknown[]> }} options
 * @returns {Promise<string | undefined>} what is wrong with its start or its stop
 */
async function siteFault(child, { port, ended }) {
  const address = `http://127.0.0.1:${port}/readyz`;
  const limitAtMs = performance.now() + LIMIT_MS;
  while ((await fetch(address).catch(() => undefined))?.status !== 200) {
    const [code] = await Promise.race([ended, sleep(200, ['running'])]);
    if (code !== 'running') return `Expected status 200 from ${address}, but the command ended with ${code}`;
    if (performance.now() > limitAtMs) return `Expected status 200 from ${address}, got ${TIMED_OUT}`;
  }
  killGroup(child, 'SIGINT');
  const [code] = await Promise.race([ended, sleep(STOP_LIMIT_MS, ['running'], { ref: false })]);
  return code === 'running' ? 'Expected Ctrl-C to stop the site' : undefined;
}

/** @param {ChildProcess} child the leader of the group @param {NodeJS.Signals} signal */
function killGroup({ pid }, signal) {
  try {
    process.kill(-Number(pid), signal);
  } catch (error) {
    // Every process of the group has ended.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}

/** @returns {NodeJS.ProcessEnv} without what npm adds, which belongs to the folder that npm was started in */
function outsideEnvironment() {
  const own = /^(npm_(package|lifecycle)_|npm_config_local_prefix$|npm_command$|INIT_CWD$|NODE_TEST_CONTEXT$)/;
  const folders = String(process.env.PATH).split(path.delimiter);
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name))),
    PATH: folders.filter((folder) => !folder.endsWith(path.join('node_modules', '.bin'))).join(path.delimiter),
  };
}

await runProgram(main);
