/**
 * What `sockshootout run jobs` does where something is in its way, and under load; the rest: test/cli.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as valibot from 'valibot';
import { describeFileLimit } from '../../cli/stress/file-limit.js';
import { parseDocument } from '../../core/experiment/documents/check.js';
import { formatText } from '../../core/experiment/report/report.js';
import { jobs as experiment } from '../../core/experiments/jobs/index.js';
import { labelOfDelivery } from '../../core/experiment/answer/labels.js';
import { jobsPlanOf, measureJobs } from '../support/measure-jobs.js';
import { pressCtrlCAt, runCommand, runProgram } from '../support/program.js';
import { openServer } from '../support/server.js';

/**
 * @import { Climb } from '../../cli/stress/index.js'
 * @import { JobsDocument } from '../../core/experiments/jobs/schema.js'
 * @import { RunOptions } from '../support/program.js'
 * @import { TestServer } from '../support/server.js'
 */

/** A plan that is over in a second. */
const SHORT = [
  '--users',
  '2',
  '--jobs',
  '2',
  '--max',
  '60',
  '--interval',
  '20,10',
  '--limit',
  '5000',
  '--blocks',
  '1',
  '--seed',
  '7',
];
/** One that is not over before something is done to it. */
const LONG = [
  '--users',
  '2',
  '--jobs',
  '2',
  '--min',
  '100000',
  '--max',
  '100000',
  '--limit',
  '200000',
  '--blocks',
  '1',
];

/** @type {TestServer} */
let server;
before(async () => {
  server = await openServer();
});
after(() => server.close());

/**
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
const run = (args, options) => runProgram('cli/sockshootout.js', ['run', 'jobs', ...args], options);

/** @param {...string} args */
const jobs = (...args) => run(['--url', server.origin, ...args]);

/** @param {string} json @returns {JobsDocument} */
const parse = (json) => parseDocument(json, valibot, experiment);

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
describe('sockshootout run jobs', { concurrency: 3 }, () => {
  it('repeats the plan of a link, and writes Markdown', async () => {
    const query =
      'deliveries=sockjs&intervals=30&users=1&jobs=2&arrangement=all&min=0&max=10&limit=5000&blocks=1&seed=3';
    const link = `https://elsewhere.example/polltest?${query}`;
    const { out, err } = await jobs('--plan', link, '--markdown', '--quiet');
    // A machine that stands still ends a run, and is named there.
    assert.doesNotMatch(err, /trial/);
    assert.match(out, /^### SockShootout: Being notified\n/);
    assert.ok(out.includes(`\nPlan: ${server.origin}/polltest?${query}, `), out);
  });

  it('keeps what was measured at Ctrl-C, ends with 1, and its own server with it', async () => {
    const { code, out, err } = await run([...LONG, '--deliveries', 'push', '--json'], {
      onProgress: pressCtrlCAt('trial 1'),
    });
    assert.equal(code, 1, err);
    const document = parse(out);
    const { trials, ending, environment } = document;
    assert.deepEqual(ending, { kind: 'cancelled', reason: 'The run was stopped.' });
    assert.deepEqual(
      trials.map(({ notified, failures }) => [notified.job, failures]),
      [[[], []]],
    );
    assert.equal(lastLineOf(err), ending?.reason);
    const said = formatText(experiment, document);
    assert.match(said, /\n\nStopped: no verdict\n$/);
    assert.match(said, /\nOne WebSocket per user: 4 of 4 jobs were open /);
    assert.ok(await isGone(environment.url));
  });

  it('ends with 1 without any notification, and says why; each job is a line of CSV', async () => {
    const blocked = await openServer();
    blocked.server.removeAllListeners('upgrade');
    blocked.server.on('upgrade', (_req, socket) => socket.destroy());
    const short = [...SHORT, '--interval', '20'];
    try {
      const { code, out, err } = await run(['--url', blocked.origin, ...short, '--deliveries', 'poll,push', '--csv']);
      assert.equal(code, 1);
      const lines = out.trimEnd().split('\r\n');
      assert.equal(lines.length, 1 + 2 * 4);
      const [polled, pushed] = ['poll', 'push'].map((delivery) =>
        lines.filter((line) => line.split(',')[1] === delivery),
      );
      for (const line of polled) assert.match(line, /,ok,/);
      const [reason] = /[^,]+ 1006 \(socket hang up\)\.$/.exec(pushed[0]) ?? assert.fail(out);
      for (const line of pushed) assert.ok(line.includes(',closed,') && line.endsWith(`,${reason}`), line);
      assert.deepEqual([polled.length, pushed.length], [4, 4]);
      assert.equal(lastLineOf(err), `One WebSocket per user: no client was notified of any job. ${reason}`);

      const plan = jobsPlanOf('deliveries=push&users=2&jobs=2&max=60&limit=5000&blocks=1&seed=7');
      const { ending } = await measureJobs(blocked.origin, { plan });
      assert.match(String(ending?.reason), /^No client was notified /);
    } finally {
      await blocked.close();
    }
  });

  it('says so where it may open too few files', async () => {
    const args = [
      '--users',
      '10',
      '--jobs',
      '10',
      '--min',
      '200',
      '--max',
      '300',
      '--blocks',
      '1',
      '--deliveries',
      'socket-per-job',
    ];
    // As each job has a connection, more than 20 of 100 find none.
    const command = ['sh', '-c', 'ulimit -n 80; exec "$0" "$@"', process.execPath, 'cli/sockshootout.js'];
    const { out, err } = await runCommand([...command, 'run', 'jobs', '--url', server.origin, ...args]);
    assert.ok(
      err.includes(`\n${describeFileLimit({ delivery: 'socket-per-job' }, { users: 10, jobs: 10 }, 80)}\n`),
      err,
    );
    assert.doesNotMatch(out, /^(Stopped|This run is invalid)/);
    const [notified, late, failed] = ['Notified', 'Late', 'Failed'].map((title) => Number(cellsOf(out, title)[0]));
    assert.equal(notified + late + failed, 100);
    assert.ok(failed > 20, String(failed));
    assert.match(out, /raise its limit \(ulimit -n\)/);
  });
});

describe('sockshootout run jobs --stress', { concurrency: 2 }, () => {
  const stress = ['--users', '1', '--jobs', '2', '--max', '20', '--interval', '10', '--limit', '5000', '--stress'];

  it('raises the number of users of each delivery method, up to the maximum', async () => {
    const { code, out, err } = await jobs(...stress, '--max-users', '2', '--deliveries', 'poll,push', '--json');
    assert.equal(code, 0, err);
    const { schema, plan, maxUsers, deliveries, ending } = JSON.parse(out);
    assert.deepEqual([schema, plan.users, maxUsers, ending], ['sockshootout/jobs-stress/2', 1, 2, undefined]);
    assert.deepEqual(
      deliveries.map((/** @type {Climb} */ { delivery, intervalMs, carriedUsers, steps }) => [
        `${delivery} ${intervalMs}: ${carriedUsers}`,
        ...steps.map(({ users, notifiedCount, hasHeld }) => `${users}: ${notifiedCount} ${hasHeld}`),
      ]),
      [
        ['poll 10: 2', '1: 2 true', '2: 4 true'],
        ['push undefined: 2', '1: 2 true', '2: 4 true'],
      ],
    );
    for (const { memory } of deliveries) assert.ok(memory === undefined || memory.userCount <= 2);
    for (const { client, serverCpuMs } of deliveries.flatMap((/** @type {any} */ { steps }) => steps)) {
      assert.ok(client.busiest >= 0 && client.busiest <= 1 && client.timerLateMs >= 0 && serverCpuMs >= 0);
    }
    const polling = labelOfDelivery('poll', 10);
    assert.deepEqual(err.split('\n').slice(0, 2), [`${polling}, 1 users`, `${polling}, 2 users`]);
  });

  it('says at how many users a delivery method breaks, and why', async () => {
    const blocked = await openServer({ limits: { jobSessionCount: 2 } });
    try {
      const args = ['--url', blocked.origin, ...stress, '--max-users', '64', '--deliveries', 'push'];
      const { code, out } = await run(args);
      assert.equal(code, 0);
      assert.match(out, /\nOne WebSocket per user: 2 users; at 3 users, 33% .+ 503\)\.\n/);
      assert.match(out, /\nUsers .+\n1 +2 +2 +0 +0 .+\n2 +4 +4 +0 +0 /);
    } finally {
      await blocked.close();
    }
  });
});
