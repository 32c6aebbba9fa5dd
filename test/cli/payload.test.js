/**
 * The command line as its user has it: a process of its own, against a real server.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as valibot from 'valibot';
import { fitPlan } from '../../cli/payload/fit-plan.js';
import { formatPayload } from '../../cli/payload/format.js';
import { HELP, parsePayloadOptions } from '../../cli/payload/options.js';
import { payload as payloadKind } from '../../core/experiments/payload/index.js';
import { parseDocument } from '../../core/experiment/documents/parse-document.js';
import { costsOf } from '../../core/experiments/payload/budget.js';
import {
  describePayloadPlan,
  formatPayloadPlan,
  parsePayloadPlan,
  trialsOf,
} from '../../core/experiments/payload/plan.js';
import { payload as experiment } from '../../core/experiments/payload/index.js';
import { assertComplaint, assertRefused, refusalOf } from '../support/complaint.js';
import { useGolden } from '../support/golden.js';
import { runProgram } from '../support/program.js';
import { openServer } from '../support/server.js';

/**
 * @import { PayloadDocument } from '../../core/experiments/payload/document.js'
 * @import { RunOptions } from '../support/program.js'
 * @import { TestServer } from '../support/server.js'
 */

/** A plan that is over in a second. */
const SHORT =
  'transports=fetch,websocket-text,websocket-binary,sockjs&directions=up,down,echo&sizes=0,1000,100000&repeats=6&seed=7';

const matchGolden = useGolden(import.meta.url);

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
const payload = (words, options) => runProgram('cli/payload.js', words, options);

/**
 * @param {string} json
 * @returns {PayloadDocument}
 */
const parse = (json) => parseDocument(json, valibot, payloadKind);

/** @param {string} query of a link */
function planOf(query) {
  const plan = parsePayloadPlan(new URLSearchParams(query), { seed: 0 });
  assert.ok(plan);
  return plan;
}

// What it does else: test/soak/cli-payload.test.js.
describe('npm run payload', () => {
  it('starts a server of its own where it is given none, and writes a run that is read back, and repeated', async () => {
    const file = path.join(folder, 'run.json');
    const { code, out, err } = await payload(['--sizes', '0,1000,100000', '--seed', '7', '--json', '--out', file]);
    assert.deepEqual([code, out], [0, ''], err);
    assert.ok(err.startsWith(`${describePayloadPlan(planOf(SHORT))} 11.3 MB `), err);
    assert.match(err, / about \d+ s\.\n0 % {2}block 1 of 6\n/);
    const document = parse(await readFile(file, 'utf8'));
    assert.equal(formatPayloadPlan(document.plan), SHORT);
    assert.equal(document.trials.length, 4 * 3 * 3 * 6);
    assert.deepEqual(
      document.trials.filter(({ failure }) => failure),
      [],
    );
    assert.ok(document.statusBefore && document.statusAfter);
    // Its own server is gone.
    await assert.rejects(fetch(document.environment.url));
    assertText(formatPayload(document));

    const csv = await payload(['--url', server.origin, '--plan', file, '--directions', 'echo', '--csv', '--quiet']);
    assert.deepEqual([csv.code, csv.err], [0, '']);
    assert.equal(csv.out.trim().split('\r\n').length, 1 + 4 * 3 * 6);
  });

  /** That it says in words what a size costs, in a run of SHORT. @param {string} text */
  function assertText(text) {
    for (const direction of ['Up', 'Down', 'Echo']) {
      assert.equal(text.match(new RegExp(`^${direction}, fetch against .+\\.$`, 'gm'))?.length, 3);
      assert.match(text, new RegExp(`\n${direction}, SockJS .+ than WebSocket text`));
      assert.match(text, new RegExp(`\n${direction}\nSize +Transport +Protocol `));
    }
    assert.equal(text.match(/\n100 kB +SockJS +websocket +[\d.]+ \([\d.]+ to [\d.]+\) .+ 6 +0\n/g)?.length, 3);
    assert.match(text, /Node\.js v\S+, at http:\/\/127\.0\.0\.1:\d+\/\n/);
    assert.match(text, new RegExp(`\nPlan: http:\\S+/payloadtest\\?${SHORT}\n$`));
    assert.doesNotMatch(text, /AJAX/);
  }

  it('ends with 2 where no server answers', async () => {
    const ended = await payload(['--url', 'http://127.0.0.1:1']);
    assertRefused(ended, '--url', 'no payload');
    assert.match(ended.err, /http:\/\/127\.0\.0\.1:1, .+\n$/);
  });

  it('explains itself', async () => {
    const { code, out } = await payload(['--help']);
    assert.equal(code, 0);
    assert.equal(out, HELP);
    assert.match(out, /^usage: npm run payload /);
  });
});

describe('the options', () => {
  /** @param {...string} words */
  const optionsOf = async (...words) => {
    const options = await parsePayloadOptions(words);
    assert.ok(options);
    return options;
  };
  /** @param {string[]} words */
  const refusalOfWords = (words) => refusalOf(() => parsePayloadOptions(words));
  const url = ['--url', 'http://127.0.0.1:1'];

  it('are a whole plan where there are none, with all that Node has', async () => {
    const { plan, origin, budget } = await optionsOf('--seed', '1');
    assert.equal(origin, undefined);
    assert.deepEqual(budget, { bytes: undefined, ms: undefined });
    assert.equal(
      formatPayloadPlan(plan),
      'transports=fetch,websocket-text,websocket-binary,sockjs&directions=up,down,echo&sizes=1,500,1000,10000,100000,1000000,10000000&repeats=6&seed=1',
    );
  });

  it('have AJAX with a browser', async () => {
    const { plan } = await optionsOf('--browser');
    assert.equal(plan.transports[0], 'ajax');
  });

  it('limit what a run at a distance costs, but no plan that is repeated unless told to', async () => {
    assert.deepEqual((await optionsOf(...url)).budget, { bytes: 200e6, ms: 60_000 });
    assert.deepEqual((await optionsOf(...url, '--plan', SHORT)).budget, { bytes: undefined, ms: undefined });
    assert.deepEqual((await optionsOf(...url, '--plan', SHORT, '--budget-s', '5')).budget, {
      bytes: undefined,
      ms: 5000,
    });
  });

  it('repeat the plan of a link', async () => {
    const { plan } = await optionsOf('--plan', `http://elsewhere.example/payloadtest?${SHORT}&autostart=1`);
    assert.equal(formatPayloadPlan(plan), SHORT);
  });

  it('go before the plan that they stand beside', async () => {
    const { plan } = await optionsOf('--plan', `?${SHORT}`, '--sizes', '5', '--transports', 'sockjs', '--seed', '8');
    assert.equal(formatPayloadPlan(plan), 'transports=sockjs&directions=up,down,echo&sizes=5&repeats=6&seed=8');
  });

  /** @type {[string[], string, string][]} words, what is refused by its name, what it got */
  const wrongs = [
    [['--url', 'http://x/payloadtest'], '--url', '“http://x/payloadtest”'],
    [['--sizes', '1,x'], '--sizes', '“1,x”'],
    [['--sizes', '16777217'], '--sizes', '“16777217”'],
    [['--directions', 'left'], '--directions', '“left”'],
    [['--transports', 'pigeon'], '--transports', '“pigeon”'],
    [['--transports', 'ajax'], 'transports', 'ajax'],
    [['--plan', SHORT.replace('fetch', 'ajax')], 'transports', 'ajax'],
    [['--repeats', '5'], '--repeats', '“5”'],
    [['--plan', SHORT.replace('repeats=6', 'repeats=5')], 'repeats', '“5”'],
    [['--published', '--repeats', '7'], '--repeats', 'one'],
    [['--budget-mb', '0'], '--budget-mb', '“0”'],
    [['--budget-s', 'x'], '--budget-s', '“x”'],
    [['--plan', 'http://x/?autostart=1'], '--plan', 'one without'],
  ];
  for (const [words, name, got] of wrongs) {
    it(`${words.join(' ')}: refused, by name`, async () => assertComplaint(await refusalOfWords(words), name, got));
  }

  /** @type {[string[], RegExp][]} words, what is said in other words */
  const others = [
    [['--published', '--sizes', '7'], /^--sizes: .+ got “7”$/],
    [['--json', '--csv'], /got --json and --csv$/],
    [['--plan', 'package.json'], /: schema: expected .+ got none$/],
    [['--speed'], /^Unknown option '--speed'/],
  ];
  for (const [words, message] of others) {
    it(`${words.join(' ')}: refused`, async () => assert.match((await refusalOfWords(words)).message, message));
  }

  it('say what they expected where they are refused', async (t) => {
    // The last two are in the words of others.
    const refusals = await Promise.all([...wrongs, ...others.slice(0, 2)].map(([words]) => refusalOfWords(words)));
    matchGolden(
      t,
      'payload',
      refusals.map(({ message }) => message),
    );
  });

  it('strike out what a budget does not fit, and leave nothing to one that no size fits', async (t) => {
    const { plan } = await optionsOf('--sizes', '1000,1000000', '--seed', '1');
    const speed = { roundTripMs: 1, upBytesPerSecond: 1e6, downBytesPerSecond: 1e6 };
    const whole = fitPlan(plan, { speed, budget: {} });
    assert.deepEqual(whole.plan, plan);
    assert.equal(trialsOf(whole.plan).length, 2 * 4 * 3 * 6);
    const byteCount = costsOf(plan, speed).reduce((sum, cost) => sum + cost.byteCount, 0);
    assert.match(whole.words, new RegExp(`^${(byteCount / 1e6).toFixed(1)} MB .+ 112 s\\.$`));

    const part = fitPlan(plan, { speed, budget: { bytes: 1e6 } });
    assert.deepEqual(part.plan.sizes, [1000]);
    assert.match(part.words, /1 MB \(--budget-mb\)\.$/);

    const nothing = { ...plan, sizes: [1_000_000] };
    const limits = { speed, budget: { ms: 1000, bytes: 1e6 } };
    const { message } = await refusalOf(() => fitPlan(nothing, limits));
    assert.match(message, / 1 MB \(--budget-s, --budget-mb\)$/);
    matchGolden(t, 'payload', [whole.words, part.words, message]);
  });
});

describe('the text of a run over sizes', () => {
  it('has words, then a table for each direction, then what it rests on', (t) => {
    const plan = planOf('transports=fetch,websocket-text,sockjs&directions=up,echo&sizes=1,1000&seed=7');
    /** @type {Record<string, number>} */
    const timesMs = { fetch: 4, 'websocket-text': 2, sockjs: 3 };
    const trials = trialsOf(plan).map((planned, i) => ({
      ...planned,
      protocol: planned.transport === 'fetch' ? 'http/1.1' : 'websocket',
      startedAtMs: 100 * i,
      durationMs: timesMs[planned.transport] * (1 + ((timesMs[planned.transport] * planned.block) % 5) / 50),
    }));
    const environment = { url: 'http://127.0.0.1/', userAgent: 'Node.js', isCrossOriginIsolated: false };
    const document = { schema: experiment.schema, startedAt: '2026-11-21T10:00:00.000Z', plan, environment, trials };
    const text = formatPayload(document);
    assert.equal(text.match(/^1 kB +SockJS +websocket +3\.\d+ .+ 6 +0$/gm)?.length, 2);
    matchGolden(t, 'payload', text);
  });
});
