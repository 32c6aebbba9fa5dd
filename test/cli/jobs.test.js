/**
 * Poll or push from the command line as its user has it: a process of its own, against a real server, or with its own.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as valibot from 'valibot';
import { jobs as jobsKind } from '../../core/experiments/jobs/index.js';
import { parseDocument } from '../../core/experiment/documents/parse-document.js';
import { describeJobCount, describeJobsPlan, formatJobsPlan } from '../../core/experiments/jobs/plan.js';
import { describePublished } from '../../core/experiments/jobs/report.js';
import { formatJobs } from '../../cli/jobs/format.js';
import { HELP, parseJobsOptions } from '../../cli/jobs/options.js';
import { assertComplaint, assertRefused, refusalOf } from '../support/complaint.js';
import { useGolden } from '../support/golden.js';
import { runProgram } from '../support/program.js';
import { openServer } from '../support/server.js';

/**
 * @import { JobsDocument } from '../../core/experiments/jobs/summary.js'
 * @import { RunOptions } from '../support/program.js'
 * @import { TestServer } from '../support/server.js'
 */

const matchGolden = useGolden(import.meta.url);

const ALL_WAYS = 'poll,long-poll,sse,socket-per-job,push,sockjs';
/** A plan that is over in a second. */
const SHORT = ['--users', '2', '--jobs', '2', '--most', '60', '--interval', '20,10', '--limit', '5000', '--seed', '7'];
/** @type {TestServer} */
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
 * @param {RunOptions} [options]
 */
const run = (words, options) => runProgram('cli/jobs.js', words, options);

/** @param {...string} words */
const jobs = (...words) => run(['--url', server.origin, ...words]);

/** @param {string} json @returns {JobsDocument} */
const parse = (json) => parseDocument(json, valibot, jobsKind);

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

// What it does else: test/soak/cli-jobs.test.js.
describe('npm run jobs', () => {
  it('says in words and figures what each way comes to', async () => {
    const file = path.join(folder, 'run.json');
    const words = [...SHORT, '--ways', ALL_WAYS];
    const plan = await planOf(words);
    const { code, out, err } = await jobs(...words, '--json', '--out', file);
    assert.deepEqual([code, out], [0, ''], err);
    assert.ok(err.startsWith(`${describeJobsPlan(plan)}\n`), err);
    assert.match(err, /\nTrial 7 of 7: .+\n/);
    const document = parse(await readFile(file, 'utf8'));
    const { trials, environment, idle, roundTripMs } = document;
    assert.deepEqual(
      trials.map(({ told }) => told.job),
      Array(7).fill([0, 1, 2, 3]),
    );
    assert.deepEqual(
      trials.map(({ traffic }) => traffic?.otherCount),
      Array(7).fill(0),
    );
    assert.ok(idle && roundTripMs.length > 0);

    const text = formatJobs(document);
    const ways = ['Polling every 20 ms', 'Polling every 10 ms', 'Long polling', 'Server-sent events'];
    ways.push('A WebSocket per job', 'One WebSocket', 'One SockJS connection');
    assert.deepEqual(cellsOf(text, 'Way'), ways);
    assert.deepEqual(cellsOf(text, 'Protocol'), [...Array(4).fill('http/1.1'), ...Array(3).fill('websocket')]);
    assert.match(text, /\nTold( +4){7}\nLate( +0){7}\nFailed( +0){7}\n/);
    assert.match(text, /\nkB a job in 2018 /);
    assert.ok(text.startsWith(`${describeJobCount(plan)}, of 0 to 60 ms, `), text);
    assert.match(text, / 5 s; seed 7\. .+ By Node\.js v.+\n\nPush: /);
    assert.equal(environment.url, `${server.origin}/`);
    assert.ok(text.includes(`\nMeasured by Node.js ${process.version}, at ${server.origin}/\n`), text);
    assert.ok(text.endsWith(`\nPlan: ${server.origin}/polltest?${formatJobsPlan(plan)}\n`), text);
    assert.equal(plan.seed, 7);

    // Beside jobs as long as those of 2018 its figures stand, too.
    const planWords = "--plan '?users=1'";
    const long = { ...document, plan: { ...document.plan, mostMs: 10_000 } };
    const published = formatJobs(long, { planWords });
    assert.ok(published.endsWith(`\nPlan: ${planWords}\n`));
    assert.deepEqual(
      cellsOf(published, 'kB a job in 2018'),
      ways.map((way) => (way === 'A WebSocket per job' ? '0.28' : '–')),
    );
    assert.ok(describePublished(long).length > 0);
    for (const note of describePublished(long)) assert.ok(published.includes(`\n${note}\n`), note);

    const again = await planOf(['--plan', file, '--json', '--ways', 'push', '--jobs', '3']);
    assert.equal(formatJobsPlan(again), formatJobsPlan({ ...document.plan, ways: ['push'], jobs: 3 }));
  });

  it('ends with 2 where no server answers', async () => {
    const ended = await run(['--url', 'http://127.0.0.1:1']);
    assertRefused(ended, '--url', 'no echo');
    assert.match(ended.err, / at http:\/\/127\.0\.0\.1:1, .+: .+\n$/);
  });

  it('explains itself', async () => {
    const { code, out } = await run(['--help']);
    assert.deepEqual([code, out], [0, HELP]);
    assert.match(HELP, /^usage: npm run jobs /);
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
    it(`${words.join(' ')}: are refused by name`, async () => assertComplaint(await refusalOfWords(words), field, got));
  }

  it('are told what was expected', async (t) => {
    const all = [...wrongs.map(([words]) => words), ['--json', '--csv']];
    const refusals = await Promise.all(all.map(refusalOfWords));
    matchGolden(
      t,
      'jobs',
      refusals.map(({ message }) => message),
    );
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
    it(`${words.join(' ')}: are refused`, async () => assert.match((await refusalOfWords(words)).message, said));
  }

  /** @param {string[]} words */
  const refusalOfWords = (words) => refusalOf(() => parseJobsOptions(words));

  it('end the program with 2, before anything is measured', async () => {
    const [users, out] = await Promise.all([run(['--users', '0']), run(['--out', '/nowhere/x.json'])]);
    assertRefused(users, '--users');
    assertRefused(out, '--out');
  });
});
