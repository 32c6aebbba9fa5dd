/**
 * Poll or push from the command line as its user has it: a process of its own, against a real server, or with its own.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as valibot from 'valibot';
import { jobs as jobsKind } from '../../core/documents/jobs.js';
import { parseRun } from '../../core/documents/parse-result.js';
import { describeJobCount, describeJobsPlan, formatJobsPlan } from '../../core/experiments/jobs-plan.js';
import { describePublished, headlineOfJobs, summarizeJobs } from '../../core/experiments/jobs-report.js';
import { labelOfWay } from '../../core/ways/labels.js';
import { describeFileLimit } from '../../cli/file-limit.js';
import { formatJobs } from '../../cli/format-jobs.js';
import { HELP, parseJobsOptions } from '../../cli/jobs-options.js';
import { assertComplaint } from '../support/complaint.js';
import { useGolden } from '../support/golden.js';
import { openServer } from '../support/server.js';

const matchGolden = useGolden(import.meta.url);

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ALL_WAYS = 'poll,long-poll,sse,socket-per-job,push,sockjs';
/** A plan that is over in a second. */
const SHORT = ['--users', '2', '--jobs', '2', '--most', '60', '--interval', '20,10', '--limit', '5000', '--seed', '7'];
/** One that is not over before something is done to it. */
const LONG = ['--users', '2', '--jobs', '2', '--least', '100000', '--most', '100000', '--limit', '200000'];

/** @type {import('../support/server.js').TestServer} */
let server;
/** @type {string} */
let folder;
before(async () => {
  server = await openServer();
  folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-cli-'));
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/**
 * @param {string[]} words
 * @param {{ onProgress?: (text: string, child: import('node:child_process').ChildProcess) => void, openFiles?: number }} [options]
 *   `onProgress` gets all of standard error so far; `openFiles` is how many the program may have
 */
async function run(words, { onProgress, openFiles } = {}) {
  const command = ['node', 'cli/jobs.js', ...words];
  const limited = `ulimit -n ${openFiles}; exec "$0" "$@"`;
  const [name, ...args] = openFiles === undefined ? command : ['sh', '-c', limited, ...command];
  const child = spawn(name === 'node' ? process.execPath : name, args, { cwd: ROOT });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => {
    err += text;
    onProgress?.(err, child);
  });
  const [code] = await once(child, 'close');
  return { code, out, err };
}

/** @param {...string} words */
const jobs = (...words) => run(['--url', server.origin, ...words]);

/** @param {string} json @returns {import('../../core/experiments/jobs-report.js').JobsDocument} */
const parse = (json) => parseRun(json, valibot, jobsKind);

/** What a line of the command comes to. @param {string[]} words */
async function planOf(words) {
  const options = await parseJobsOptions(words);
  assert.ok(options);
  return options.plan;
}

/** The row of a table in columns. @param {string} text @param {string} title */
function cellsOf(text, title) {
  const line = text.split('\n').find((one) => one.startsWith(`${title}  `)) ?? '';
  return line.split(/ {2,}/).slice(1);
}

/** @param {string} text */
const lastLineOf = (text) => String(text.trimEnd().split('\n').at(-1));

/** @param {string} origin */
async function isGone(origin) {
  return fetch(origin).then(
    () => false,
    () => true,
  );
}

// No figure is looked at, so the programs may run side by side.
describe('npm run jobs', { concurrency: 3 }, () => {
  it('says in words and figures what each way comes to', async () => {
    const words = [...SHORT, '--ways', ALL_WAYS];
    const plan = await planOf(words);
    const { code, out, err } = await jobs(...words);
    assert.equal(code, 0, err);
    assert.deepEqual(cellsOf(out, 'Way'), [
      ...['Polling every 20 ms', 'Polling every 10 ms', 'Long polling', 'Server-sent events', 'A WebSocket per job'],
      ...['One WebSocket', 'One SockJS connection'],
    ]);
    assert.deepEqual(cellsOf(out, 'Protocol'), [...Array(4).fill('http/1.1'), ...Array(3).fill('websocket')]);
    assert.match(out, /\nTold( +4){7}\nLate( +0){7}\nFailed( +0){7}\n/);
    assert.match(out, /\nkB a job in 2018 /);
    assert.ok(out.startsWith(`${describeJobCount(plan)}, of 0 to 60 ms, `), out);
    assert.match(out, / 5 s; seed 7\. .+ By Node\.js v.+\n\nPush: /);
    assert.ok(out.includes(`\nMeasured by Node.js ${process.version}, at ${server.origin}/\n`), out);
    assert.ok(out.endsWith(`\nPlan: ${server.origin}/polltest?${formatJobsPlan(plan)}\n`), out);
    assert.equal(plan.seed, 7);
    assert.ok(err.startsWith(`${describeJobsPlan(plan)}\n`), err);
    assert.match(err, /\nTrial 7 of 7: .+\n/);
  });

  it('starts a server of its own where it is given none, and ends it', async () => {
    const file = path.join(folder, 'run.json');
    const { code, out, err } = await run([
      ...SHORT,
      '--ways',
      'poll,socket-per-job,push',
      '--json',
      '--out',
      file,
      '--quiet',
    ]);
    assert.deepEqual([code, out, err], [0, '', '']);
    const document = parse(await readFile(file, 'utf8'));
    const { trials, environment, idle, roundTripMs } = document;
    assert.deepEqual(
      trials.map(({ told }) => told.job),
      Array(4).fill([0, 1, 2, 3]),
    );
    assert.deepEqual(
      trials.map(({ traffic }) => traffic?.otherCount),
      [0, 0, 0, 0],
    );
    assert.ok(idle && roundTripMs.length > 0);
    assert.ok(await isGone(environment.url));

    // Beside jobs as long as those of 2018 its figures stand, too.
    const planWords = "--plan '?users=1'";
    const long = { ...document, plan: { ...document.plan, mostMs: 10_000 } };
    const text = formatJobs(long, { planWords });
    assert.ok(text.endsWith(`\nPlan: ${planWords}\n`));
    assert.deepEqual(cellsOf(text, 'kB a job in 2018'), ['–', '–', '0.28', '–']);
    assert.ok(describePublished(long).length > 0);
    for (const note of describePublished(long)) assert.ok(text.includes(`\n${note}\n`), note);

    const again = await jobs('--plan', file, '--json', '--ways', 'push', '--jobs', '3');
    const { plan } = parse(again.out);
    assert.equal(formatJobsPlan(plan), formatJobsPlan({ ...document.plan, ways: ['push'], jobs: 3 }));
  });

  it('repeats the plan of a link', async () => {
    const query = 'ways=sockjs&intervals=30&users=1&jobs=2&least=0&most=10&limit=5000&seed=3';
    const { plan } = parse((await jobs('--plan', `https://elsewhere.example/polltest?${query}`, '--json')).out);
    assert.equal(formatJobsPlan(plan), query);
  });

  it('writes a line for each job as CSV, and Markdown', async () => {
    const short = [...SHORT, '--ways', 'push'];
    const [csv, markdown] = await Promise.all([jobs(...short, '--csv'), jobs(...short, '--markdown')]);
    assert.equal(csv.out.trim().split('\r\n').length, 1 + 4);
    assert.match(markdown.out, /^### .+: 2 x 2 jobs\n/);
    assert.match(markdown.out, /\nPlan: http:\/\/127\.0\.0\.1:\d+\/polltest\?ways=push&/);
  });

  it('keeps what was measured at Ctrl-C, ends with 1, and its own server with it', async () => {
    /** @type {string | undefined} */
    let text;
    let isSent = false;
    const { code, out, err } = await run([...LONG, '--ways', 'push', '--json'], {
      onProgress(progress, child) {
        text = progress;
        if (isSent || !progress.includes('Trial 1')) return;
        isSent = true;
        child.kill('SIGINT');
      },
    });
    assert.equal(code, 1, text);
    const document = parse(out);
    const { trials, ending, environment } = document;
    assert.deepEqual(ending, { kind: 'cancelled', reason: 'The run was cancelled.' });
    assert.deepEqual(
      trials.map(({ told, failures }) => [told.job, failures]),
      [[[], []]],
    );
    assert.equal(lastLineOf(err), ending?.reason);
    const said = formatJobs(document);
    assert.ok(said.includes(`\n${headlineOfJobs(document)}\n`), said);
    assert.match(said, /: The run was cancelled\.\n/);
    assert.match(said, /\nOne WebSocket: no job /);
    assert.ok(await isGone(environment.url));
  });

  it('ends with 1 where no job was told of, and says why', async () => {
    const blocked = await openServer();
    blocked.server.removeAllListeners('upgrade');
    blocked.server.on('upgrade', (_req, socket) => socket.destroy());
    try {
      const short = [...SHORT, '--interval', '20', '--json'];
      const some = await run(['--url', blocked.origin, ...short, '--ways', 'poll,push']);
      assert.equal(some.code, 1);
      const [poll, push] = summarizeJobs(parse(some.out));
      assert.deepEqual([poll.failureCount, push.failureCount], [0, 4]);
      const [[reason, count]] = push.failureReasons;
      assert.equal(count, 4);
      assert.match(reason, /1006 socket hang up\.$/);
      assert.ok(lastLineOf(some.err).endsWith(` by One WebSocket: ${reason}`), some.err);
      const all = await run(['--url', blocked.origin, ...short, '--ways', 'push']);
      assert.equal(all.code, 1);
      const { ending } = parse(all.out);
      assert.match(String(ending?.reason), / by any way; /);
      assert.equal(lastLineOf(all.err), ending?.reason);
    } finally {
      await blocked.close();
    }
  });

  it('says so where it may open too few files', async () => {
    const words = ['--users', '10', '--jobs', '10', '--least', '200', '--most', '300', '--ways', 'socket-per-job'];
    const { out, err } = await run(['--url', server.origin, ...words, '--json'], { openFiles: 80 });
    const { trials, plan } = parse(out);
    assert.ok(err.includes(`\n${describeFileLimit({ way: 'socket-per-job' }, plan, 80)}\n`), err);
    const [{ failures, told }] = trials;
    assert.equal(failures.length + told.job.length, 100);
    assert.ok(failures.length > 20);
    assert.ok(
      failures.some(({ message }) => message.includes('raise its limit (ulimit -n)')),
      failures[0].message,
    );
  });

  it('ends with 2 where no server answers', async () => {
    const { code, out, err } = await run(['--url', 'http://127.0.0.1:1']);
    assert.deepEqual([code, out], [2, '']);
    assertComplaint(err, '--url', 'no echo');
    assert.match(err, / at http:\/\/127\.0\.0\.1:1, .+: .+\n$/);
  });

  it('explains itself', async () => {
    const { code, out } = await run(['--help']);
    assert.deepEqual([code, out], [0, HELP]);
    assert.match(HELP, /^usage: npm run jobs /);
  });
});

describe('npm run jobs --stress', { concurrency: 2 }, () => {
  const stress = ['--users', '1', '--jobs', '2', '--most', '20', '--interval', '10', '--limit', '5000', '--stress'];

  it('raises the number of users of each way, up to what was asked for', async () => {
    const { code, out, err } = await jobs(...stress, '--most-users', '2', '--ways', 'poll,push', '--json');
    assert.equal(code, 0, err);
    const { schema, plan, mostUsers, ways, ending } = JSON.parse(out);
    assert.deepEqual([schema, plan.users, mostUsers, ending], ['sockshootout/jobs-stress/1', 1, 2, undefined]);
    assert.deepEqual(
      ways.map((/** @type {import('../../cli/stress.js').Climb} */ { way, intervalMs, carriedUsers, steps }) => [
        `${way} ${intervalMs}: ${carriedUsers}`,
        ...steps.map(({ users, toldCount, hasHeld }) => `${users}: ${toldCount} ${hasHeld}`),
      ]),
      [
        ['poll 10: 2', '1: 2 true', '2: 4 true'],
        ['push undefined: 2', '1: 2 true', '2: 4 true'],
      ],
    );
    for (const { client, serverCpuMs } of ways.flatMap((/** @type {any} */ { steps }) => steps)) {
      assert.ok(client.busiest >= 0 && client.busiest <= 1 && client.timerLateMs >= 0 && serverCpuMs >= 0);
    }
    const polling = labelOfWay('poll', 10);
    assert.deepEqual(err.split('\n').slice(0, 2), [`${polling}, 1 users`, `${polling}, 2 users`]);
  });

  it('says at how many a way breaks, and why', async () => {
    const blocked = await openServer({ limits: { jobSessionCount: 2 } });
    try {
      const words = ['--url', blocked.origin, ...stress, '--most-users', '64', '--ways', 'push'];
      const { code, out } = await run(words);
      assert.equal(code, 0);
      assert.match(out, /\nOne WebSocket: 2 users; at 3 33 % .+ 503\.\n/);
      assert.match(out, /\nUsers .+\n1 +2 +2 +0 +0 .+\n2 +4 +4 +0 +0 /);
    } finally {
      await blocked.close();
    }
  });
});

describe('wrong options of npm run jobs', () => {
  /** @type {[words: string[], field: string, got: string][]} */
  const wrongs = [
    [['--url', 'ftp://x'], '--url', 'ftp://x'],
    [['--users', '0'], '--users', '0'],
    [['--jobs', '101'], '--jobs', '101'],
    [['--least', '20', '--most', '10'], '--least', '20'],
    [['--most', 'x'], '--most', 'x'],
    [['--interval', '5'], '--interval', '5'],
    [['--ways', 'poll,pigeon'], '--ways', 'poll,pigeon'],
    [['--limit', '99'], '--limit', '99'],
    [['--seed', 'x'], '--seed', 'x'],
    [['--users', '1000', '--jobs', '11'], 'users times jobs', '11000'],
    [['--plan', '?interval=250'], 'interval', 'interval “250”'],
    [['--plan', 'users=0'], 'users', '0'],
    [['--plan', 'http://x/?autostart=1'], '--plan', 'one without'],
    [['--stress', '--csv'], '--stress', '--csv'],
    [['--most-users', '10'], '--most-users', 'it alone'],
    [['--stress', '--most-users', '0'], '--most-users', '0'],
  ];
  for (const [words, field, got] of wrongs) {
    it(`${words.join(' ')}: are refused by name`, async () => assertComplaint(await complaintOf(words), field, got));
  }

  it('are told what was expected', async (t) => {
    const all = [...wrongs.map(([words]) => words), ['--json', '--csv']];
    const complaints = await Promise.all(all.map(complaintOf));
    matchGolden(t, 'jobs', complaints);
  });

  /** @type {[words: string[], said: RegExp][]} */
  const others = [
    [['--speed'], /^Unknown option '--speed'/],
    [['more'], /^Unexpected argument 'more'/],
    [['--plan', '/nowhere.json'], /^--plan: .* got “\/nowhere\.json”: ENOENT/],
    [['--plan', 'package.json'], / no run .*: schema: /],
    [['--json', '--csv'], / got --json and --csv$/],
  ];
  for (const [words, said] of others) {
    it(`${words.join(' ')}: are refused`, async () => assert.match(await complaintOf(words), said));
  }

  /** @param {string[]} words @returns {Promise<string>} */
  const complaintOf = (words) =>
    parseJobsOptions(words).then(
      () => assert.fail('accepted'),
      ({ message }) => message,
    );

  it('end the program with 2, before anything is measured', async () => {
    for (const words of [
      ['--users', '0'],
      ['--out', '/nowhere/x.json'],
    ]) {
      const { code, out, err } = await run(words);
      assert.deepEqual([code, out], [2, '']);
      assertComplaint(err, words[0]);
    }
  });
});
