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
import { formatJobsPlan } from '../../core/experiments/jobs-plan.js';
import { formatJobs } from '../../cli/format-jobs.js';
import { parseJobsOptions } from '../../cli/jobs-options.js';
import { openServer } from '../support/server.js';

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
    const { code, out, err } = await jobs(...SHORT, '--ways', ALL_WAYS);
    assert.equal(code, 0, err);
    assert.match(
      out,
      /\nWay +Polling every 20 ms +Polling every 10 ms +Long polling +Server-sent events +A WebSocket per/,
    );
    assert.match(out, /\nProtocol +http\/1\.1 +http\/1\.1 +http\/1\.1 +http\/1\.1 +websocket +websocket +websocket\n/);
    assert.match(out, /\nTold( +4){7}\nLate( +0){7}\nFailed( +0){7}\n/);
    assert.match(out, /\nkB a job in 2018 /);
    assert.match(
      out,
      /^2 users with 2 jobs each at once, of 0 to 60 ms, late after 5 s; seed 7\. .+ By Node\.js v.+\n\nPush: /,
    );
    assert.match(out, /\nMeasured by Node\.js v\d.+, at http:/);
    assert.match(out, /\nPlan: http:.+\/polltest\?ways=.+&seed=7\n$/);
    assert.match(err, /^2 users with 2 jobs each at once, of 0 to 60 ms, by /);
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
    const planWords = "npm run jobs -- --plan '?users=1'";
    const text = formatJobs({ ...document, plan: { ...document.plan, mostMs: 10_000 } }, { planWords });
    assert.ok(text.endsWith(`\nPlan: ${planWords}\n`));
    assert.match(text, /\nkB a job in 2018 +– +– +0\.28 +–\n/);
    assert.match(text, /\nThe figures of 2018 are of 20 users with 10 jobs each, of 0 to 10 s\. /);

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
    assert.match(markdown.out, /^### SockShootout, poll or push: 2 x 2 jobs\n/);
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
    const { trials, ending, environment } = parse(out);
    assert.deepEqual(ending, { kind: 'cancelled', reason: 'The run was cancelled.' });
    assert.deepEqual(
      trials.map(({ told, failures }) => [told.job, failures]),
      [[[], []]],
    );
    assert.match(err, /\nThe run was cancelled\.\n$/);
    assert.match(
      formatJobs(parse(out)),
      /\n\nNot to be relied on: The run was cancelled\.\n\nOne WebSocket: no job was told of\.\n/,
    );
    assert.ok(await isGone(environment.url));
  });

  it('ends with 1 where no job was told of, and says why', async () => {
    const blocked = await openServer();
    blocked.server.removeAllListeners('upgrade');
    blocked.server.on('upgrade', (_req, socket) => socket.destroy());
    try {
      const short = [...SHORT, '--interval', '20', '--ways', 'poll,push'];
      const some = await run(['--url', blocked.origin, ...short]);
      assert.equal(some.code, 1);
      assert.match(some.out, /\nFailed +0 +4\n/);
      assert.match(
        some.err,
        /\nNo job was told of by One WebSocket: The connection was closed: 1006 socket hang up\.\n$/,
      );
      const all = await run(['--url', blocked.origin, ...SHORT, '--ways', 'push']);
      assert.equal(all.code, 1);
      assert.match(all.err, /\nNo job was told of by any way; .+\n$/);
    } finally {
      await blocked.close();
    }
  });

  it('says so where it may open too few files', async () => {
    const words = ['--users', '10', '--jobs', '10', '--least', '200', '--most', '300', '--ways', 'socket-per-job'];
    const { out, err } = await run(['--url', server.origin, ...words, '--json'], { openFiles: 80 });
    assert.match(err, /\nA WebSocket per job may need 100 connections at once, and a program here may open 80 files: /);
    const [{ failures, told }] = parse(out).trials;
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
    assert.match(err, /^--url: expected a SockShootout at http:\/\/127\.0\.0\.1:1, got no echo from there: .+\n$/);
  });

  it('explains itself', async () => {
    const { code, out } = await run(['--help']);
    assert.equal(code, 0);
    assert.match(out, /^usage: npm run jobs -- \[options\]/);
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
    assert.match(err, /^Polling every 10 ms, 1 users\nPolling every 10 ms, 2 users\n/);
  });

  it('says at how many a way breaks, and why', async () => {
    const blocked = await openServer({ limits: { jobSessionCount: 2 } });
    try {
      const words = ['--url', blocked.origin, ...stress, '--most-users', '64', '--ways', 'push'];
      const { code, out } = await run(words);
      assert.equal(code, 0);
      assert.match(
        out,
        /\nOne WebSocket: 2 users; at 3 33 % of the jobs were late or failed, most of them: .+ 503\.\n/,
      );
      assert.match(out, /\nUsers +Jobs +Told +Late +Failed .+\n1 +2 +2 +0 +0 /);
    } finally {
      await blocked.close();
    }
  });
});

describe('wrong options of npm run jobs', () => {
  /** @type {[string[], RegExp][]} */
  const wrongs = [
    [['--url', 'ftp://x'], /^--url: expected .*, got “ftp:\/\/x”\n$/],
    [['--speed'], /^Unknown option '--speed'/],
    [['more'], /^Unexpected argument 'more'/],
    [['--users', '0'], /^--users: expected a whole number from 1 to 1000, got “0”\n$/],
    [['--jobs', '101'], /^--jobs: expected .* to 100, got “101”\n$/],
    [['--least', '20', '--most', '10'], /^--least: expected at most the longest duration, 10 ms, got 20\n$/],
    [['--most', 'x'], /^--most: expected a whole number from 0 to 600000, got “x”\n$/],
    [['--interval', '5'], /^--interval: expected 1 to 5 whole numbers of ms from 10 to 60000, .* got “5”\n$/],
    [['--ways', 'poll,pigeon'], /^--ways: expected at least one of poll, .*, got “poll,pigeon”\n$/],
    [['--limit', '99'], /^--limit: expected .* from 100 to 700000, got “99”\n$/],
    [['--seed', 'x'], /^--seed: expected a whole number from 0 to 4294967295, got “x”\n$/],
    [['--users', '1000', '--jobs', '11'], /^users times jobs: expected at most 10000 at once, got 11000\n$/],
    [['--plan', '?interval=250'], /^interval: expected intervals, got interval “250”\n$/],
    [['--plan', 'users=0'], /^users: expected a whole number from 1 to 1000, got “0”\n$/],
    [['--plan', 'http://x/?autostart=1'], /^--plan: expected a link with a plan of jobs, got one without\n$/],
    [
      ['--plan', '/nowhere.json'],
      /^--plan: expected a link, its query or a readable file, got “\/nowhere\.json”: ENOENT/,
    ],
    [['--plan', 'package.json'], /^This is no run of SockShootout: schema: /],
    [['--json', '--csv'], /^Expected at most one of --json, --csv and --markdown, got --json and --csv\n$/],
    [['--stress', '--csv'], /^--stress: expected a text or --json, got --csv\n$/],
    [['--most-users', '10'], /^--most-users: expected it beside --stress, got it alone\n$/],
    [['--stress', '--most-users', '0'], /^--most-users: expected a whole number from 1 to 100000, got “0”\n$/],
  ];
  for (const [words, expected] of wrongs) {
    it(`${words.join(' ')}: are refused by name`, async () => {
      await assert.rejects(parseJobsOptions(words), ({ message }) => expected.test(`${message}\n`));
    });
  }

  it('end the program with 2, before anything is measured', async () => {
    for (const words of [
      ['--users', '0'],
      ['--out', '/nowhere/x.json'],
    ]) {
      const { code, out, err } = await run(words);
      assert.deepEqual([code, out], [2, '']);
      assert.ok(err.startsWith(`${words[0]}: expected `), err);
    }
  });
});
