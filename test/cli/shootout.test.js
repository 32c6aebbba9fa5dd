/**
 * The command line as its user has it: a process of its own, against a real server. What can be said of its words alone is
 * asked of the functions that read them.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as valibot from 'valibot';
import { checkWritable } from '../../cli/program/check-writable.js';
import { choosePlan } from '../../cli/shootout/choose-plan.js';
import { checkConditions, listFailures, parseCondition } from '../../cli/program/fail-if.js';
import { formatText } from '../../cli/shootout/format-text.js';
import { lookAround } from '../../cli/net/look-around.js';
import { HELP, parseOptions } from '../../cli/shootout/options.js';
import { createTransports } from '../../cli/net/transports.js';
import { parseDocument } from '../../core/experiment/documents/parse-document.js';
import { shootout as experiment } from '../../core/experiments/shootout/index.js';
import { formatPlan, parsePlan } from '../../core/experiments/shootout/plan.js';
import { createReport } from '../../core/experiments/shootout/report.js';
import { formatMarkdown } from '../../core/experiments/shootout/markdown.js';
import { assertComplaint, assertRefused, refusalOf } from '../support/complaint.js';
import { useGolden } from '../support/golden.js';
import { runProgram } from '../support/program.js';
import { createResult, createTrials } from '../support/results.js';
import { openServer } from '../support/server.js';

/**
 * @import { AddressInfo } from 'node:net'
 * @import { Report } from '../../core/experiments/shootout/report.js'
 * @import { TestServer } from '../support/server.js'
 */

const matchGolden = useGolden(import.meta.url);

/** A plan that is over in a second. */
const SHORT = 'transports=fetch,websocket,sockjs&blocks=6&iterations=5&warmup=1&payload=0&seed=7';
const WORDS = ['same', 'faster', 'slower', 'unclear'];

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

/** @param {...string} words */
const shootout = (...words) => runProgram('cli/shootout.js', ['--url', server.origin, ...words]);

/** @param {string} json */
const parse = (json) => parseDocument(json, valibot, experiment);

/**
 * @param {string} text a report
 * @param {string} title of a line, with which it begins
 * @returns {string[]} the line's other cells
 */
function cellsOf(text, title) {
  const lines = text.split('\n').map((line) => line.trim().split(/ {2,}/));
  return lines.find(([first]) => first === title)?.slice(1) ?? assert.fail(`Expected a line '${title}', got none`);
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

/** Looks at the words as the program does before it asks the server. @param {string[]} words */
async function choose(words) {
  const options = parseOptions(words);
  if (options.out !== undefined) await checkWritable(options.out);
  return choosePlan(options);
}

// What it does else: test/soak/cli-shootout.test.js.
describe('npm run shootout', () => {
  describe('--plan LINK --json --out FILE', () => {
    const conditions = WORDS.flatMap((word) => ['--fail-if', `sockjs ${word}`]);
    /** @type {string} */
    let file;
    /** @type {Awaited<ReturnType<typeof runProgram>>} */
    let ended;
    /** @type {Report} */
    let report;
    before(async () => {
      file = path.join(folder, 'run.json');
      const query = SHORT.replace('fetch,websocket', 'ajax,xhr').replace('payload=0', 'payload=500');
      const others = ['--transports', 'fetch,websocket,sockjs', '--payload', '0', '--seed', '8'];
      const words = ['--plan', `https://elsewhere.example/?${query}&autostart=1`, ...others];
      ended = await shootout(...words, '--json', '--out', file, ...conditions);
      report = createReport(parse(await readFile(file, 'utf8')));
    });

    it('repeats the plan, with other transports and another payload where that is asked for', () => {
      const { plan, trials } = report.result;
      assert.equal(formatPlan(plan), SHORT.replace('seed=7', 'seed=8'));
      for (const { samples } of trials) assert.equal(samples.roundTripMs.length, 5);
    });

    it('keeps connections, and tells what opening one costs', () => {
      const { trials, coldSetUpMs, environment, statusBefore, statusAfter } = report.result;
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

    it('says the verdict in words, with all that it rests on', () => {
      const text = formatText(report);
      const [headline, detail] = text.split('\n');
      assert.match(headline, /SockJS [\d.]+x as fast as fetch\.$/);
      assert.match(detail, /^SockJS was [\d.]+ ms (faster|slower) per message \(95% CI /);
      assert.match(detail, /[\d.]+x as fast as fetch \(95% CI [\d.]+–[\d.]+\), .* on one machine/);
      assert.match(detail, /round-trip time of [\d.]+ ms\. 6 blocks/);
      assert.deepEqual(cellsOf(text, 'Transport'), ['fetch', 'WebSocket', 'SockJS']);
      assert.deepEqual(cellsOf(text, 'Protocol'), ['http/1.1', 'websocket', 'websocket']);
      assert.equal(cellsOf(text, 'Saves against fetch, ms')[0], 'baseline');
      assert.deepEqual(cellsOf(text, 'Failures'), ['0', '0', '0']);
      assert.match(cellsOf(text, 'Valid')[0], /^yes:/);
      assert.deepEqual(cellsOf(text, 'Others’ messages meanwhile'), ['0']);
      assert.match(cellsOf(text, 'Measured by')[0], /^Node\.js v\d/);
      assert.match(text, /\nPlan: http:.+\?transports=fetch,websocket,sockjs&blocks=6&.*&seed=8\n$/);
      assert.doesNotMatch(text, /AJAX|browser/i);
      assert.match(formatMarkdown(report), /^### SockShootout\n\n\*\*.+ as fast as fetch\.\*\* /);
    });

    it('says what it will do, how far it is, and ends with 1 for the one --fail-if that holds', () => {
      const [reason, ...others] = WORDS.flatMap((word) => listFailures([{ transport: 'sockjs', word }], report));
      assert.ok(reason.startsWith(`--fail-if 'sockjs ${report.verdict.word}': `), reason);
      assert.deepEqual([ended.code, ended.out, others], [1, '', []]);
      const [plan, progress, ...more] = ended.err.trimEnd().split('\n');
      assert.match(plan, /^6 blocks of 5 /);
      assert.match(plan, / fetch, websocket, sockjs: .* \d+ s\.$/);
      assert.equal(progress, '0 %  block 1 of 6');
      assert.deepEqual(
        more.filter((line) => line.startsWith('--fail-if')),
        [reason],
      );
      assert.equal(more.at(-1), reason);
    });

    it('is a file whose plan can be repeated; every sample is written as CSV', async () => {
      const makePlan = await choose(['--url', server.origin, '--plan', file]);
      assert.deepEqual(makePlan(1), report.result.plan);
      const { code, out } = await shootout('--plan', file, '--csv');
      assert.equal(code, 0);
      assert.equal(out.trim().split('\r\n').length, 1 + 6 * 3 * 5);
    });
  });

  it('makes a plan of a preset', async () => {
    const makePlan = await choose(['--url', server.origin, '--preset', 'quick', '--seed', '7']);
    const { transports, blocks, seed } = makePlan(1);
    assert.deepEqual([transports, blocks, seed], [['fetch', 'websocket', 'sockjs'], 6, 7]);
  });

  it('explains itself', async () => {
    assert.deepEqual(await runProgram('cli/shootout.js', ['--help']), { code: 0, out: HELP, err: '' });
  });
});

describe('a run that cannot begin', () => {
  const url = ['--url', 'http://127.0.0.1:1'];

  it('ends with 2 where no server answers', async () => {
    const ended = await runProgram('cli/shootout.js', url);
    assertRefused(ended, '--url', 'no echo');
    assert.match(ended.err, / SockShootout at http:\/\/127\.0\.0\.1:1, /);
  });

  it('is refused where another site answers', async () => {
    const other = createServer((_req, res) => res.end('<h1>Hello</h1>')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = /** @type {AddressInfo} */ (other.address());
    const origin = `http://127.0.0.1:${port}`;
    const { fetch } = await createTransports(origin, ['fetch']);
    const { signal } = new AbortController();
    const refusal = await refusalOf(() => lookAround(fetch, { origin, payloadBytes: 0, signal }));
    other.close();
    assertComplaint(refusal, '--url', 'not JSON');
    assert.match(refusal.message, /got no echo/);
  });

  it('ends with 2 for wrong words, before anything is asked of the server', async () => {
    const [out, plan] = await Promise.all([
      runProgram('cli/shootout.js', [...url, '--out', '/nowhere/x.json']),
      runProgram('cli/shootout.js', [...url, '--plan', SHORT.replace('blocks=6', 'blocks=5')]),
    ]);
    assertRefused(out, '--out', '“/nowhere/x.json”');
    assertRefused(plan, 'blocks', '“5”');
  });

  it('ends with 2 for a condition on what the plan does not compare', async () => {
    const plan = parsePlan(new URLSearchParams(SHORT)) ?? assert.fail(SHORT);
    const wrongs = ['fetch slower', 'sockjs-eventsource slower'];
    for (const condition of wrongs) {
      const refusal = await refusalOf(() => checkConditions([parseCondition(condition)], plan));
      assertComplaint(refusal, '--fail-if', `“${condition}”`);
      assert.match(refusal.message, / websocket, sockjs, .* against fetch, /);
    }
    const ended = await shootout('--plan', SHORT, '--fail-if', wrongs[0]);
    assertRefused(ended, '--fail-if', `“${wrongs[0]}”`);
  });

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
    it(`${words.join(' ') || 'none'}: refused, by name`, async () => {
      const refusal = await refusalOf(() => choose(words));
      assertComplaint(refusal, name, got);
      assert.ok(refusal.message.includes(expected), refusal.message);
    });
  }

  /** @type {[string[], RegExp][]} */
  const others = [
    [[...url, '--speed'], /^Unknown option '--speed'/],
    [[...url, 'more'], /^Unexpected argument 'more'/],
    [[...url, '--seed'], /^Option '--seed <value>' argument/],
    [[...url, '--seed', '-1'], /'--seed' argument is ambiguous/],
    [[...url, '--plan', 'package.json'], /SockShootout: schema: /],
    [[...url, '--json', '--csv'], /, got --json and --csv$/],
  ];
  for (const [words, expected] of others) {
    it(`${words.join(' ')}: refused`, async () => {
      assert.match((await refusalOf(() => choose(words))).message, expected);
    });
  }
});
