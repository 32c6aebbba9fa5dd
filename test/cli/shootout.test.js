/**
 * The command line as its user has it: a process of its own, against a real server.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as valibot from 'valibot';
import { listFailures } from '../../cli/fail-if.js';
import { formatText } from '../../cli/format-text.js';
import { HELP } from '../../cli/options.js';
import { formatPlan } from '../../core/plan.js';
import { createReport } from '../../core/report.js';
import { parseResult } from '../../core/documents/parse-result.js';
import { assertComplaint } from '../support/complaint.js';
import { useGolden } from '../support/golden.js';
import { createResult, createTrials } from '../support/results.js';
import { openServer } from '../support/server.js';

const matchGolden = useGolden(import.meta.url);

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A plan that is over in a second. */
const SHORT = 'transports=fetch,websocket,sockjs&blocks=6&iterations=5&warmup=1&payload=0&seed=7';
/** One that is not over before something is done to it. */
const LONG = SHORT.replace('blocks=6&iterations=5', 'blocks=200&iterations=50');
const WORDS = ['same', 'faster', 'slower', 'unclear'];

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
 * @param {{ onProgress?: (text: string, child: import('node:child_process').ChildProcess) => void, env?: NodeJS.ProcessEnv }} [options]
 *   `onProgress` gets all of standard error so far
 */
async function run(words, { onProgress, env = process.env } = {}) {
  const child = spawn(process.execPath, ['cli/shootout.js', ...words], { cwd: ROOT, env });
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
const shootout = (...words) => run(['--url', server.origin, ...words]);

/** @param {string} json */
const parse = (json) => parseResult(json, valibot);

/**
 * @param {string} text a report
 * @param {string} title of a line, with which it begins
 * @returns {string[]} the line's other cells
 */
function cellsOf(text, title) {
  const lines = text.split('\n').map((line) => line.trim().split(/ {2,}/));
  return lines.find(([first]) => first === title)?.slice(1) ?? assert.fail(`Expected a line '${title}', got none`);
}

/**
 * Sends Ctrl-C once.
 *
 * @param {string} mark when standard error says so
 */
function pressCtrlCAt(mark) {
  let isSent = false;
  return (/** @type {string} */ text, /** @type {import('node:child_process').ChildProcess} */ child) => {
    if (isSent || !text.includes(mark)) return;
    isSent = true;
    child.kill('SIGINT');
  };
}

describe('a report as text', () => {
  it('has a column for each transport, marks what casts doubt, and lets no name steer a terminal', (t) => {
    const trials = createTrials([10, 10.1, 9.9, 10, 10.2, 9.8].map((ms) => [ms, ms * 3])).map((trial) =>
      trial.transport === 'sockjs' ? { ...trial, protocol: 'xhr-polling' } : trial,
    );
    const userAgent = 'red \u001b[31mtext';
    const environment = { url: 'http://x/', userAgent, stepMs: 0.005, isCrossOriginIsolated: false };
    const text = formatText(createReport(createResult({ trials, environment })));
    assert.deepEqual(cellsOf(text, 'Transport'), ['AJAX', 'SockJS']);
    assert.match(cellsOf(text, '! SockJS')[0], /^xhr-polling;/);
    assert.doesNotMatch(text.replaceAll('\n', ''), /\p{Cc}/u);
    matchGolden(t, 'shootout', text);
  });
});

describe('npm run shootout', () => {
  it('says the verdict in words, with all that it rests on', async () => {
    const { code, out, err } = await shootout('--preset', 'quick', '--seed', '7');
    assert.equal(code, 0, err);
    const [headline, detail] = out.split('\n');
    assert.match(headline, / from here\.$/);
    assert.match(detail, /^SockJS (saves|costs) [\d.]+ ms/);
    assert.match(detail, /[\d.]+x the speed of fetch \(/);
    assert.match(detail, /at your [\d.]+ ms\. 6 blocks/);
    assert.deepEqual(cellsOf(out, 'Transport'), ['fetch', 'WebSocket', 'SockJS']);
    assert.deepEqual(cellsOf(out, 'Protocol'), ['http/1.1', 'websocket', 'websocket']);
    assert.equal(cellsOf(out, 'Saves against fetch, ms')[0], 'baseline');
    assert.deepEqual(cellsOf(out, 'Failures'), ['0', '0', '0']);
    assert.match(cellsOf(out, 'Valid')[0], /^yes:/);
    assert.deepEqual(cellsOf(out, 'Others’ messages meanwhile'), ['0']);
    assert.match(cellsOf(out, 'Measured by')[0], /^Node\.js v\d/);
    assert.match(out, /\nPlan: http:.+\?transports=fetch,websocket,sockjs&blocks=6&.*&seed=7\n$/);
    assert.doesNotMatch(out, /AJAX|browser/i);
    const [plan, progress] = err.split('\n');
    assert.match(plan, /^6 blocks of \d+ /);
    assert.match(plan, / fetch, websocket, sockjs: .* \d+ s\.$/);
    assert.equal(progress, '0 %  block 1 of 6');
  });

  it('keeps connections, and tells what opening one costs', async () => {
    const { trials, coldSetUpMs, environment, statusBefore, statusAfter } = parse(
      (await shootout('--plan', SHORT, '--json')).out,
    );
    const requests = trials.flatMap(({ requests: counts }) => counts ?? []);
    assert.deepEqual(
      requests.map(({ seenCount }) => seenCount),
      Array(6).fill(5 + 1 + 1),
    );
    // Those were opened by the look at the way to the server.
    for (const { openedCount, cacheHitCount } of requests) assert.deepEqual([openedCount, cacheHitCount], [0, 0]);
    assert.ok(coldSetUpMs.fetch > 0);
    assert.deepEqual(Object.keys(coldSetUpMs), ['fetch']);
    assert.equal(environment.url, `${server.origin}/`);
    assert.ok(Number(environment.stepMs) > 0);
    assert.ok(statusBefore && statusAfter);
  });

  it('writes a result that is read back, with the same verdict', async () => {
    const file = path.join(folder, 'run.json');
    const conditions = WORDS.flatMap((word) => ['--fail-if', `sockjs ${word}`]);
    const { code, out, err } = await shootout('--plan', SHORT, '--json', '--out', file, '--quiet', ...conditions);
    assert.deepEqual([code, out], [1, '']);
    const result = parse(await readFile(file, 'utf8'));
    const report = createReport(result);
    const [reason, ...others] = WORDS.flatMap((word) => listFailures([{ transport: 'sockjs', word }], report));
    assert.ok(reason.startsWith(`--fail-if 'sockjs ${report.verdict.word}': `), reason);
    assert.deepEqual([err, others], [`${reason}\n`, []]);

    const again = parse((await shootout('--plan', file, '--json')).out);
    assert.deepEqual(again.plan, result.plan);
  });

  it('writes every sample as CSV', async () => {
    const { code, out } = await shootout('--plan', SHORT, '--csv');
    assert.equal(code, 0);
    assert.equal(out.trim().split('\r\n').length, 1 + 6 * 3 * 5);
  });

  it('writes Markdown', async () => {
    const { code, out } = await shootout('--plan', SHORT, '--markdown');
    assert.equal(code, 0);
    assert.match(out, /^### SockShootout\n\n\*\*.+ from here\.\*\* /);
    assert.match(out, /\| Saves against fetch, ms \|/);
  });

  it('repeats the plan of a link, with other transports and another payload where that is asked for', async () => {
    const link = `https://elsewhere.example/?${SHORT.replace('fetch,websocket', 'ajax,xhr')}&autostart=1`;
    const words = ['--plan', link, '--transports', 'fetch,sockjs', '--payload', '500', '--seed', '8', '--json'];
    const { plan, trials } = parse((await shootout(...words)).out);
    assert.equal(formatPlan(plan), 'transports=fetch,sockjs&blocks=6&iterations=5&warmup=1&payload=500&seed=8');
    for (const { samples } of trials) assert.equal(samples.roundTripMs.length, 5);
  });

  it('measures SockJS’s fallbacks, and ends with 1 only where what must not be is', async () => {
    const transports = ['xhr-streaming', 'eventsource', 'xhr-polling'].map((name) => `sockjs-${name}`);
    const plan = SHORT.replace('websocket,sockjs', transports.join()).replace('iterations=5', 'iterations=2');
    // Its client waits 25 ms after each message, and this is one machine.
    const slower = await shootout('--plan', plan, '--fail-if', 'sockjs-xhr-polling slower');
    assert.equal(slower.code, 1);
    assert.match(slower.err, /\n--fail-if 'sockjs-xhr-polling slower': .+ slower\.\n$/);
    assert.deepEqual(cellsOf(slower.out, 'Protocol'), ['http/1.1', 'xhr-streaming', 'eventsource', 'xhr-polling']);
    const polling = plan.replace(transports.join(), 'sockjs-xhr-polling');
    const faster = await shootout('--plan', polling, '--fail-if', 'sockjs-xhr-polling faster', '--quiet');
    assert.deepEqual([faster.code, faster.err], [0, '']);
  });

  it('keeps what was measured at Ctrl-C, and ends with 1', async () => {
    const words = ['--url', server.origin, '--plan', LONG, '--json'];
    const { code, out, err } = await run(words, { onProgress: pressCtrlCAt('0 %') });
    assert.equal(code, 1);
    const result = parse(out);
    const { trials, ending } = result;
    assert.deepEqual(ending, { kind: 'cancelled', reason: 'The run was cancelled.' });
    assert.ok(trials.length > 0 && trials.length < 200 * 3, String(trials.length));
    assert.ok(err.endsWith(`\n${createReport(result).verdict.headline}. ${ending?.reason}\n`), err);
  });

  it('ends with 1 where a transport does not work, and says which', async () => {
    const blocked = await openServer();
    blocked.server.removeAllListeners('upgrade');
    blocked.server.on('upgrade', (_req, socket) => socket.destroy());
    try {
      const plan = SHORT.replace('websocket,sockjs', 'websocket');
      const { code, out, err } = await run(['--url', blocked.origin, '--plan', plan]);
      assert.equal(code, 1);
      const [headline] = out.split('\n');
      assert.match(headline, /^WebSocket did not work/);
      assert.ok(err.includes(`\n${headline} `), err);
    } finally {
      await blocked.close();
    }
  });

  it('ends with 2 where no server answers', async () => {
    const { code, out, err } = await run(['--url', 'http://127.0.0.1:1']);
    assert.deepEqual([code, out], [2, '']);
    assertComplaint(err, '--url', 'no echo');
    assert.match(err, / SockShootout at http:\/\/127\.0\.0\.1:1, /);
  });

  it('ends with 2 where another site answers', async () => {
    const other = createServer((_req, res) => res.end('<h1>Hello</h1>')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (other.address());
    const { code, err } = await run(['--url', `http://127.0.0.1:${port}`]);
    other.close();
    assert.equal(code, 2);
    assertComplaint(err, '--url', 'not JSON');
    assert.match(err, /got no echo/);
  });

  it('explains itself', async () => {
    assert.deepEqual(await run(['--help']), { code: 0, out: HELP, err: '' });
  });
});

// Here and below no figure is looked at, so the programs may run side by side.
describe('npm run shootout --browser', { concurrency: 2 }, () => {
  it('measures AJAX, too, on the site’s own page', async () => {
    const plan = SHORT.replace('fetch,websocket', 'ajax,fetch');
    const { code, out, err } = await shootout('--browser', '--plan', plan, '--json');
    assert.equal(code, 0, err);
    const result = parse(out);
    assert.equal(formatPlan(result.plan), plan);
    assert.match(result.environment.userAgent, /Chrome\//);
    const { baseline, rows } = createReport(result);
    assert.equal(baseline, 'ajax');
    for (const { summary } of rows) assert.equal(summary.sampleCount, 30);
  });

  it('keeps what was measured at Ctrl-C, and ends with 1', async () => {
    const words = ['--url', server.origin, '--browser', '--plan', LONG, '--json'];
    const { code, out } = await run(words, { onProgress: pressCtrlCAt('about') });
    assert.equal(code, 1);
    assert.equal(parse(out).ending?.kind, 'cancelled');
  });

  it('says how to get a browser where there is none', async () => {
    const { code, err } = await run(['--url', server.origin, '--browser', '--plan', SHORT], {
      env: { ...process.env, CHROMIUM: '/nowhere' },
    });
    assert.equal(code, 2);
    assertComplaint(err.trimEnd().split('\n').at(-1), 'CHROMIUM', '“/nowhere”');
  });
});

describe('wrong options', { concurrency: 2 }, () => {
  const url = ['--url', 'http://127.0.0.1:1'];
  /** @type {[words: string[], name: string, expected: string, got?: string][]} */
  const complaints = [
    [[], '--url', 'http://HOST:PORT or https://HOST', 'nothing'],
    [['--url', 'ftp://x'], '--url', 'http://HOST:PORT or https://HOST', '“ftp://x”'],
    [['--url', 'http://x/socktest'], '--url', 'no more', '“http://x/socktest”'],
    [[...url, '--seed', 'x'], '--seed', '0 to 4294967295', '“x”'],
    [[...url, '--payload', '1000001'], '--payload', '0 to 1000000', '“1000001”'],
    [[...url, '--preset', 'slow'], '--preset', 'quick, standard, thorough', '“slow”'],
    [[...url, '--preset', 'quick', '--plan', SHORT], '--preset', 'none beside --plan'],
    [[...url, '--transports', 'websocket,sockjs'], '--transports', 'ajax or fetch', '“websocket,sockjs”'],
    [[...url, '--transports', 'ajax,fetch'], 'transports', 'without --browser', 'ajax; add --browser'],
    [[...url, '--plan', SHORT.replace('fetch', 'ajax')], 'transports', 'only fetch', 'ajax;'],
    [[...url, '--plan', SHORT.replace('blocks=6', 'blocks=5')], 'blocks', '6 to 200', '“5”'],
    [[...url, '--plan', 'http://x/?autostart=1'], '--plan', 'link with a plan', 'one without'],
    [[...url, '--plan', '/nowhere.json'], '--plan', 'readable file', '“/nowhere.json”: ENOENT'],
    [[...url, '--out', '/nowhere/x.json'], '--out', 'folder', '“/nowhere/x.json”'],
    [[...url, '--fail-if', 'sockjs'], '--fail-if', 'same, faster, slower, unclear', '“sockjs”'],
    [[...url, '--fail-if', 'pigeon slower'], '--fail-if', 'a transport', '“pigeon slower”'],
  ];
  for (const [words, name, expected, got] of complaints) {
    it(`${words.join(' ') || 'none'}: ends with 2, by name`, async () => {
      const { code, out, err } = await run(words);
      assert.deepEqual([code, out], [2, '']);
      assertComplaint(err, name, got);
      assert.ok(err.includes(expected), err);
    });
  }

  /** @type {[string[], RegExp][]} */
  const others = [
    [[...url, '--speed'], /^Unknown option '--speed'/],
    [[...url, 'more'], /^Unexpected argument 'more'/],
    [[...url, '--seed'], /^Option '--seed <value>' argument/],
    [[...url, '--seed', '-1'], /'--seed' argument is ambiguous/],
    [[...url, '--plan', 'package.json'], /SockShootout: schema: /],
    [[...url, '--json', '--csv'], /, got --json and --csv\n$/],
  ];
  for (const [words, expected] of others) {
    it(`${words.join(' ')}: ends with 2`, async () => {
      const { code, out, err } = await run(words);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, expected);
    });
  }

  it('a condition on what the plan does not compare: ends with 2, by name', async () => {
    for (const condition of ['fetch slower', 'sockjs-eventsource slower']) {
      const { code, err } = await shootout('--plan', SHORT, '--fail-if', condition);
      assert.equal(code, 2);
      assertComplaint(err, '--fail-if', `“${condition}”`);
      assert.match(err, / websocket, sockjs, .* against fetch, /);
    }
  });
});
