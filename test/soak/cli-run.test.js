/**
 * `sockshootout run NAME` as its user has it: a process of its own, against a real server, or with its own. What can be said
 * of its arguments alone: test/cli/run-options.test.js; what is slow: test/soak/cli-*.test.js.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import * as valibot from 'valibot';
import { formatPlan, linkPath } from '../../core/experiment/plan/plan-link.js';
import { digestOf } from '../../core/experiment/documents/document-digest.js';
import { loadClient } from '../../cli/clients/index.js';
import { createRunCommand } from '../../cli/run/command.js';
import { VERDICT_LABELS } from '../../core/experiment/answer/verdict.js';
import { parseDocument } from '../../core/experiment/documents/check.js';
import { reportOf } from '../../core/experiment/report/findings.js';
import { formatText, formatMarkdown } from '../../core/experiment/report/report.js';
import { EXPERIMENTS, findExperiment } from '../../core/experiments/all.js';
import { summarize } from '../../core/experiments/shootout/summary.js';
import { assertRefused } from '../support/complaint.js';
import { helpOf } from '../support/help.js';
import { runProgram } from '../support/program.js';
import { openServer } from '../support/server.js';

const execute = promisify(execFile);

/**
 * @import { AddressInfo } from 'node:net'
 * @import { Experiment } from '../../core/experiment/contract.js'
 * @import { TestServer } from '../support/server.js'
 */

/** Plans that are over in a second, and what of their runs is known. */
const TINY = {
  shootout: {
    query: 'transports=fetch,ws,sockjs&blocks=6&iterations=5&warmup=1&payload=0&seed=7',
    sampleCount: 90,
    heads: ['Transport', 'Protocol', 'Messages/s', 'p50, ms', 'Check'],
    condition: 'sockjs p50_ms>=0',
  },
  'in-flight': {
    query: 'transports=fetch,sockjs&depths=1,2&blocks=2&seed=7',
    sampleCount: 128,
    heads: ['Transport', 'In flight', 'p50, ms'],
    condition: 'fetch 2 messages_per_second>0 p50_ms<100000',
  },
  'fixed-rate': {
    query: 'transports=fetch,sockjs&rate=200&messages=10&blocks=3&seed=7',
    sampleCount: 120,
    heads: ['Transport', 'Latency', 'p50, ms'],
    condition: 'fixed-rate-from-the-plan sockjs samples=30',
  },
  jobs: {
    query:
      'deliveries=poll,long-poll,sse,socket-per-job,push,sockjs&intervals=20,10&users=2&jobs=2&arrangement=sequential&min=0&max=60&limit=5000&blocks=1&seed=7',
    sampleCount: 28,
    heads: ['Delivery method', 'p50, ms', 'Bytes sent per job'],
    condition: 'polling-every-10-ms notified=4 late<1',
  },
  payload: {
    query:
      'transports=fetch,websocket-text,websocket-binary,sockjs&connections=kept&directions=up,down,echo&sizes=0,1000&budget=200&repeats=6&seed=7',
    sampleCount: 144,
    heads: ['Direction', 'Size'],
    condition: 'echo 1-kb websocket-text time_ms>=0',
  },
};

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

/** @param {...string} args */
const run = (...args) => runProgram('cli/sockshootout.js', ['run', ...args]);

/** @param {string} name */
const experimentOf = (name) => findExperiment(name) ?? assert.fail(name);

for (const [index, [name, { query, sampleCount, heads, condition }]] of Object.entries(TINY).entries()) {
  describe(`run ${name}`, () => {
    /** @type {Experiment} */
    const experiment = experimentOf(name);
    /** @type {string} */
    let file;
    /** @type {any} */
    let document;
    /** @type {Awaited<ReturnType<typeof run>>} */
    let ended;
    before(async () => {
      file = path.join(folder, `${name}.json`);
      const link = `https://elsewhere.example/?${query}&autostart=1`;
      const conditions = ['--fail-if', 'failures>0', '--fail-if', 'invalid'];
      ended = await run(name, '--url', server.origin, '--plan', link, '--json', '--out', file, ...conditions);
      document = parseDocument(await readFile(file, 'utf8'), valibot, experiment);
    });

    it('repeats the plan of a link, and says what it will do and how far it is', () => {
      assert.deepEqual([ended.code, ended.out], [0, ''], ended.err);
      assert.equal(formatPlan(experiment, document.plan), query);
      const [plan, progress] = ended.err.split('\n');
      assert.ok(plan.startsWith(experiment.describePlan(document.plan)), plan);
      assert.match(progress, /^0% {2}trial 1 of \d+: /);
    });

    it('writes a document that is whole', () => {
      const { isValid, failureCount, sampleCount: count } = digestOf(experiment, document);
      assert.deepEqual([isValid, failureCount, count], [true, 0, sampleCount]);
      assert.equal(document.environment.url, `${server.origin}/`);
      assert.equal(document.environment.userAgent, `Node.js ${process.version}`);
      assert.ok(document.environment.stepMs > 0);
      assert.ok(document.statusBefore && document.statusAfter);
    });

    it('repeats the plan of such a file, and ends with 1 where a condition is met', async () => {
      const format = formats[index % formats.length];
      const args = ['--url', server.origin, '--plan', file, '--quiet', '--fail-if', condition];
      const { code, out, err } = await run(name, ...args, ...format.args);
      assert.equal(code, 1, err);
      assert.match(err, /^--fail-if '[^']+': [^\n]+\.\n$/);
      assert.ok(err.startsWith(`--fail-if '${condition}': `), err);
      format.check(out);
    });

    const formats = [
      {
        args: [],
        /** @param {string} text */
        check(text) {
          for (const head of heads) assert.match(text, new RegExp(`^(.* {2,})?${head.replace('/', '\\/')} `, 'm'));
          assert.ok(text.includes(`\nMeasured by Node.js ${process.version}, at ${server.origin}/\n`), text);
          assert.ok(text.includes(`\nPlan: ${server.origin}${linkPath(experiment, document.plan)}\n`), text);
          // Which line is the last: two runs of one plan may differ, so only the text of the document below says.
          assert.match(text, /\n\n[^\n]+\n$/);
          assert.doesNotMatch(text, /NaN|undefined/);
        },
      },
      {
        args: ['--csv'],
        check: (/** @type {string} */ text) => assert.equal(text.trim().split('\r\n').length, 1 + sampleCount),
      },
      {
        args: ['--markdown'],
        /** @param {string} text */
        check(text) {
          assert.ok(text.startsWith(`### SockShootout: ${experiment.label}\n`), text);
          assert.match(text, /\n\| --- \|/);
        },
      },
    ];

    it('is written as text, as CSV with a line for each sample, and as Markdown', () => {
      const texts = [
        formatText(experiment, document),
        experiment.formatCsv(document),
        formatMarkdown(experiment, document),
      ];
      for (const [i, { check }] of formats.entries()) check(texts[i]);
      assert.ok(texts[0].endsWith(`\n\n${reportOf(experiment, document).headline}\n`), texts[0]);
    });
  });
}

it('run refuses a condition on what is not there, before it measures', async () => {
  const { query } = TINY['in-flight'];
  const args = ['--url', server.origin, '--plan', query, '--fail-if', 'sockjs pigeons>1'];
  const ended = await run('in-flight', ...args);
  assertRefused(ended, '--fail-if', '“pigeons” in “sockjs pigeons>1”');
  assert.match(ended.err, / invalid, failures or a figure of \w+, /);
});

describe('run shootout', () => {
  it('keeps connections, says what opening one costs, and ends with 1 for the one verdict that comes out', async () => {
    const verdicts = Object.keys(VERDICT_LABELS).flatMap((verdict) => ['--fail-if', `sockjs ${verdict}`]);
    const query = TINY.shootout.query.replace('fetch,ws', 'ajax,xhr').replace('payload=0', 'payload=500');
    const others = ['--transports', 'fetch,ws,sockjs', '--payload', '0', '--seed', '8'];
    const args = ['--url', server.origin, '--plan', query, ...others, '--json', '--quiet', ...verdicts];
    const { code, out, err } = await run('shootout', ...args);
    const experiment = experimentOf('shootout');
    const document = parseDocument(out, valibot, experiment);
    assert.equal(formatPlan(experiment, document.plan), TINY.shootout.query.replace('seed=7', 'seed=8'));
    const { name } = summarize(document).verdict;
    assert.equal(code, 1);
    assert.equal(err, `--fail-if 'sockjs ${name}': SockJS compared with fetch: ${name}.\n`);

    const requests = document.trials.flatMap((/** @type {any} */ { requests: counts }) => counts ?? []);
    // The one warm-up message asks who answers, too.
    assert.deepEqual(
      requests.map((/** @type {any} */ { seenCount }) => seenCount),
      Array(6).fill(5 + 1),
    );
    // Those were opened by the look at the way to the server.
    for (const { openedCount, cacheHitCount } of requests) assert.deepEqual([openedCount, cacheHitCount], [0, 0]);
    assert.deepEqual(Object.keys(document.coldSetUpMs), ['fetch']);
    assert.ok(document.coldSetUpMs.fetch > 0);

    // What else it says depends on the verdict: test/golden/shootout.txt.
    assert.match(formatText(experiment, document), /on one machine/);
  });
});

describe('run jobs', () => {
  it('has the server’s traffic to itself, and a protocol for each delivery method', async () => {
    const document = parseDocument(
      await readFile(path.join(folder, 'jobs.json'), 'utf8'),
      valibot,
      experimentOf('jobs'),
    );
    const { trials, idle, roundTripMs } = document;
    assert.deepEqual(
      trials.map((/** @type {any} */ { traffic }) => traffic?.otherCount),
      Array(7).fill(0),
    );
    assert.ok(idle && roundTripMs.length > 0);
    const sockets = ['socket-per-job', 'push', 'sockjs'];
    for (const { delivery, protocol } of trials)
      assert.equal(protocol, sockets.includes(delivery) ? 'websocket' : 'http/1.1');
  });
});

describe('run payload', () => {
  it('starts a server of its own where it is given none, and says what the run costs', async () => {
    const { code, out, err } = await run('payload', '--sizes', '1000,100000', '--directions', 'up', '--json');
    assert.equal(code, 0, err);
    const document = parseDocument(out, valibot, experimentOf('payload'));
    assert.match(err, / 2\.8 MB in both directions, about \d+ s\.\n/);
    assert.equal(document.trials.length, 4 * 2 * 6);
    // Its own server is gone.
    await assert.rejects(fetch(document.environment.url));
  });

  it('names the command that repeats a run against a server of its own', async () => {
    const args = ['--sizes', '0', '--directions', 'up', '--transports', 'fetch', '--seed', '7', '--quiet'];
    const { out } = await run('payload', ...args);
    const query = 'transports=fetch&connections=kept&directions=up&sizes=0&budget=200&repeats=6&seed=7';
    assert.ok(out.includes(`\nPlan: npx sockshootout run payload --plan '?${query}'\n`), out);
  });
});

describe('a run that cannot begin', () => {
  const url = ['--url', 'http://127.0.0.1:1'];

  for (const [name, answer] of Object.entries({
    shootout: 'echo',
    jobs: 'echo',
    payload: 'payload',
    classic: 'echo',
  })) {
    it(`ends with 2 where no server answers: ${name}`, async () => {
      const ended = await run(name, ...url);
      assertRefused(ended, '--url', `no ${answer}`);
      assert.match(ended.err, / SockShootout server at http:\/\/127\.0\.0\.1:1, /);
    });
  }

  it('ends with 2 where another site answers', async () => {
    const other = createServer((_req, res) => res.end('<h1>Hello</h1>')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = /** @type {AddressInfo} */ (other.address());
    try {
      assertRefused(await run('in-flight', '--url', `http://127.0.0.1:${port}`), '--url', 'not JSON');
    } finally {
      other.close();
    }
  });

  it('ends with 2 for wrong arguments, before anything is asked of the server', async () => {
    assertRefused(await run('shootout', ...url, '--out', '/nowhere/x.json'), '--out', '“/nowhere/x.json”');
    assertRefused(await run('jobs', ...url, '--users', '0'), '--users', '“0”');
  });

  it('ends with 2 for a condition on what the plan does not compare', async () => {
    const args = ['--url', server.origin, '--plan', TINY.shootout.query, '--fail-if', 'fetch slower'];
    const ended = await run('shootout', ...args);
    assertRefused(ended, '--fail-if', '“fetch slower”');
    assert.match(ended.err, / ws, sockjs, .* with fetch, /);
  });
});

describe('sockshootout', () => {
  it('explains itself, its commands and each experiment', async () => {
    const { code, out } = await runProgram('cli/sockshootout.js', ['--help']);
    assert.equal(code, 0);
    for (const name of ['run', 'page', 'serve', 'results', 'lab', 'nginx', 'migrate']) {
      assert.match(out, new RegExp(`^ {2}${name} +\\S`, 'm'));
    }
    for (const { name } of EXPERIMENTS) assert.ok(out.includes(name));
    const overview = await run('--help');
    assert.deepEqual([overview.code, overview.err], [0, '']);
    for (const { name } of EXPERIMENTS) assert.match(overview.out, new RegExp(`^ {2}${name} +\\S`, 'm'));
    const help = helpOf(createRunCommand(experimentOf('jobs'), await loadClient('jobs')));
    assert.deepEqual(await run('jobs', '--help'), { code: 0, out: help, err: '' });
  });

  it('ends without a word of its own when its reader has enough', async () => {
    const { stdout, stderr } = await execute('sh', ['-c', 'node cli/sockshootout.js run jobs --help | head -n 1']);
    assert.deepEqual([stdout, stderr], ['Usage: npx sockshootout run jobs [options]\n', '']);
  });

  it('has each option of a plan, and each preset, in its help', async () => {
    for (const experiment of EXPERIMENTS) {
      const help = helpOf(createRunCommand(experiment, await loadClient(experiment.name)));
      for (const { option, parameter } of Object.values(experiment.fields)) {
        assert.match(help, new RegExp(`^ {2}--${option ?? parameter} `, 'm'));
      }
      assert.equal(
        help.includes('--preset'),
        ['shootout', 'jobs', 'payload', 'cuts', 'under-load', 'stream'].includes(experiment.name),
      );
    }
  });

  it('ends with 2 for a command or an experiment that it does not know', async () => {
    const wrong = await runProgram('cli/sockshootout.js', ['rnu']);
    assertRefused(wrong, 'sockshootout', '“rnu”');
    assert.match(wrong.err, /Did you mean run\?$/m);
    assertRefused(await run('pigeon'), 'run', '“pigeon”');
  });

  it('prints the help of run without an experiment, and its version', async () => {
    assert.equal((await run()).out, (await run('--help')).out);
    assert.match((await runProgram('cli/sockshootout.js', ['--version'])).out, /^\d+\.\d+\.\d+\n$/);
  });

  it('starts nothing to explain a command that has only settings', async () => {
    const { code, out } = await runProgram('cli/sockshootout.js', ['migrate', '--help']);
    assert.equal(code, 0);
    assert.match(out, /^Usage: npx sockshootout migrate /);
    const { code: wrong, err } = await runProgram('cli/sockshootout.js', ['migrate', '--now']);
    assert.deepEqual([wrong, err], [2, "unknown option '--now'\n"]);
  });

  it('starts the programs of other folders as if they had been started by themselves', async () => {
    const nginx = await runProgram('cli/sockshootout.js', ['nginx', '--domain', 'example.org']);
    assert.equal(nginx.code, 0, nginx.err);
    assert.match(nginx.out, /server_name example\.org;/);
    const lab = await runProgram('cli/sockshootout.js', ['lab', '--nope']);
    assert.equal(lab.code, 2);
    assert.match(lab.err, /--nope/);
  });
});
