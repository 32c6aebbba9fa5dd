/**
 * The command line as its user has it: a process of its own, against a real server.
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
import { fitPlan } from '../../cli/fit-plan.js';
import { parsePayloadOptions } from '../../cli/payload-options.js';
import { payload as payloadKind } from '../../core/documents/payload.js';
import { parseRun } from '../../core/documents/parse-result.js';
import { byteCountOf } from '../../core/experiments/payload-budget.js';
import { formatPayloadPlan, trialsOf } from '../../core/experiments/payload-plan.js';
import { describePayload } from '../../core/experiments/payload-report.js';
import { openServer } from '../support/server.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A plan that is over in a second. */
const SHORT =
  'transports=fetch,websocket-text,websocket-binary,sockjs&directions=up,down,echo&sizes=0,1000,100000&repeats=6&seed=7';

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
 * @param {{ onProgress?: (text: string, child: import('node:child_process').ChildProcess) => void }} [options] gets all of
 *   standard error so far
 */
async function payload(words, { onProgress } = {}) {
  const child = spawn(process.execPath, ['cli/payload.js', ...words], { cwd: ROOT });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => {
    err += text;
    onProgress?.(err, child);
  });
  const [code] = await once(child, 'close');
  return { code, out, err };
}

/**
 * @param {string} json
 * @returns {import('../../core/documents/payload.js').PayloadDocument}
 */
const parse = (json) => parseRun(json, valibot, payloadKind);

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

describe('npm run payload', () => {
  it('starts a server of its own where it is given none, and says in words what a size costs', async () => {
    const words = ['--sizes', '0,1000,100000', '--seed', '7'];
    const { code, out, err } = await payload(words);
    assert.equal(code, 0, err);
    assert.match(err, /^6 blocks; .+ 11\.3 MB to and fro, about \d+ s\.\n0 % {2}block 1 of 6\n/);
    assert.match(out, /^Up, fetch against WebSocket text: .+\.\n\n/);
    for (const direction of ['Up', 'Down', 'Echo']) {
      assert.match(out, new RegExp(`\n${direction}, SockJS .+ than WebSocket text`));
      assert.match(
        out,
        new RegExp(`\n${direction}\nSize +Transport +Protocol +Time, ms +p50, ms +MB/s +Times as fast`),
      );
    }
    assert.equal(out.match(/\n100 kB +SockJS +websocket +[\d.]+ \([\d.]+ to [\d.]+\) .+ 6 +0\n/g)?.length, 3);
    assert.match(out, /\nMeasured by Node\.js v\S+, at http:\/\/127\.0\.0\.1:\d+\/\n/);
    assert.match(out, new RegExp(`\nPlan: http:\\S+/payloadtest\\?${SHORT}\n$`));
    assert.doesNotMatch(out, /AJAX/);
  });

  it('writes a run that is read back, with every message in it, and repeats its plan', async () => {
    const file = path.join(folder, 'run.json');
    const words = ['--url', server.origin, '--plan', `${server.origin}/payloadtest?${SHORT}&autostart=1`];
    const { code, out, err } = await payload([...words, '--json', '--out', file, '--quiet']);
    assert.deepEqual([code, out, err], [0, '', '']);
    const document = parse(await readFile(file, 'utf8'));
    assert.equal(formatPayloadPlan(document.plan), SHORT);
    assert.equal(document.trials.length, 4 * 3 * 3 * 6);
    assert.deepEqual(
      document.trials.filter(({ failure }) => failure),
      [],
    );
    assert.ok(document.statusBefore && document.statusAfter);

    const csv = await payload(['--url', server.origin, '--plan', file, '--directions', 'echo', '--csv', '--quiet']);
    assert.equal(csv.out.trim().split('\r\n').length, 1 + 4 * 3 * 6);
  });

  it('repeats the way of the published figures, as Markdown', async () => {
    const words = [
      '--url',
      server.origin,
      '--published',
      '--sizes',
      '1,100000',
      '--transports',
      'fetch,websocket-text',
    ];
    const { code, out, err } = await payload([...words, '--markdown']);
    assert.equal(code, 0, err);
    assert.match(
      err,
      /^As published, but without 500 B, .+: 100 of 1 B, 10 of 100 kB, back-to-back, .+\n0 % {2}block 1 of 2\n/,
    );
    assert.match(out, /^### SockShootout, payload as published\n/);
    assert.match(out, /\| Better pass, ms a message \|/);
  });

  it('strikes out the sizes that the budget does not fit, and says so', async () => {
    const words = ['--url', server.origin, '--sizes', '1,1000,1000000', '--budget-mb', '1', '--transports', 'fetch'];
    const { code, out, err } = await payload([...words, '--json']);
    assert.equal(code, 0, err);
    assert.match(err, / Struck out by the budget: 1 MB \(--budget-mb\)\.\n/);
    assert.deepEqual(parse(out).plan.sizes, [1, 1000]);
  });

  it('keeps what was measured at Ctrl-C, and ends with 1', async () => {
    const words = ['--url', server.origin, '--plan', SHORT.replace('repeats=6', 'repeats=50'), '--json'];
    const { code, out, err } = await payload(words, { onProgress: pressCtrlCAt('0 %') });
    assert.equal(code, 1);
    const { trials, ending } = parse(out);
    assert.deepEqual(ending, { kind: 'cancelled', reason: 'The run was cancelled.' });
    assert.ok(trials.length > 0 && trials.length < 4 * 3 * 3 * 50, String(trials.length));
    assert.match(err, /\nThe run was cancelled\.\n$/);
  });

  it('ends with 1 where a size is not carried, with all the others in its table', async () => {
    const small = await openServer({ limits: { payloadBytes: 1_500_000 } });
    try {
      const words = ['--url', small.origin, '--sizes', '1,2000000', '--directions', 'down', '--transports', 'fetch'];
      const { code, out, err } = await payload(words);
      assert.equal(code, 1);
      assert.match(err, /\n6 of 12 messages failed, the first 2 MB down by fetch: .*1500000.*\n$/);
      assert.match(out, /\n1 B +fetch .+ 6 +0\n2 MB +fetch .+ 0 +6 rejected\n/);
    } finally {
      await small.close();
    }
  });

  it('ends with 2 where no server answers', async () => {
    const { code, out, err } = await payload(['--url', 'http://127.0.0.1:1']);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /^--url: expected a SockShootout at http:\/\/127\.0\.0\.1:1, got no payload from there: .+\n$/);
  });

  it('explains itself', async () => {
    const { code, out } = await payload(['--help']);
    assert.equal(code, 0);
    assert.match(out, /^usage: npm run payload -- \[options\]/);
  });

  it('measures AJAX, too, on the site’s own page', async () => {
    const plan = SHORT.replace('fetch', 'ajax');
    const { code, out, err } = await payload([
      '--url',
      server.origin,
      '--browser',
      '--plan',
      plan,
      '--json',
      '--quiet',
    ]);
    assert.equal(code, 0, err);
    const document = parse(out);
    assert.equal(formatPayloadPlan(document.plan), plan);
    assert.match(document.environment.userAgent, /Chrome\//);
    assert.match(describePayload(document.plan, document.trials)[0], /^Up, AJAX against WebSocket text: /);
  });
});

describe('the options', () => {
  /** @param {...string} words */
  const optionsOf = async (...words) => {
    const options = await parsePayloadOptions(words);
    assert.ok(options);
    return options;
  };
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

  it('go before the plan that they stand beside', async () => {
    const { plan } = await optionsOf('--plan', `?${SHORT}`, '--sizes', '5', '--transports', 'sockjs', '--seed', '8');
    assert.equal(formatPayloadPlan(plan), 'transports=sockjs&directions=up,down,echo&sizes=5&repeats=6&seed=8');
  });

  /** @type {[string[], RegExp][]} */
  const wrongs = [
    [['--url', 'http://x/payloadtest'], /^--url: expected .* and no more, got “http:\/\/x\/payloadtest”$/],
    [['--speed'], /^Unknown option '--speed'/],
    [['--sizes', '1,x'], /^--sizes: expected 1 to 12 whole numbers of bytes from 0 to 16777216, .*got “1,x”$/],
    [['--sizes', '16777217'], /^--sizes: expected .*, got “16777217”$/],
    [['--directions', 'left'], /^--directions: expected at least one of up, down, echo, .*, got “left”$/],
    [['--transports', 'pigeon'], /^--transports: expected at least one of .*, got “pigeon”$/],
    [['--transports', 'ajax'], /^transports: expected only fetch, .* without --browser, got ajax; add --browser/],
    [['--plan', SHORT.replace('fetch', 'ajax')], /^transports: expected only fetch, .*, got ajax; /],
    [['--repeats', '5'], /^--repeats: expected a whole number from 6 to 50, got “5”$/],
    [['--plan', SHORT.replace('repeats=6', 'repeats=5')], /^repeats: expected .* from 6 to 50, got “5”$/],
    [['--published', '--repeats', '7'], /^--repeats: expected none for a run as published/],
    [['--published', '--sizes', '7'], /^--sizes: expected, as published, at least one of 1, 500, .*, got “7”$/],
    [['--budget-mb', '0'], /^--budget-mb: expected a whole number from 1 to 100000, got “0”$/],
    [['--budget-s', 'x'], /^--budget-s: expected a whole number from 1 to 3600, got “x”$/],
    [['--plan', 'http://x/?autostart=1'], /^--plan: expected a link with a plan of sizes, got one without$/],
    [['--plan', 'package.json'], /^This is no run of SockShootout: schema: /],
    [['--json', '--csv'], /^Expected at most one of --json, --csv and --markdown, got --json and --csv$/],
  ];
  for (const [words, message] of wrongs) {
    it(`${words.join(' ')}: refused, by name`, async () => {
      await assert.rejects(parsePayloadOptions(words), { message });
    });
  }

  it('leave nothing to a budget that no size fits', async () => {
    const { plan } = await optionsOf('--sizes', '1000000', '--seed', '1');
    const speed = { roundTripMs: 1, upBytesPerSecond: 1e6, downBytesPerSecond: 1e6 };
    const whole = fitPlan(plan, { speed, budget: {} });
    assert.deepEqual(whole.plan, plan);
    assert.equal(trialsOf(whole.plan).length, 4 * 3 * 6);
    assert.equal(whole.words, `${(byteCountOf(plan) / 1e6).toFixed(1)} MB to and fro, about 112 s.`);
    assert.throws(() => fitPlan(plan, { speed, budget: { ms: 1000, bytes: 1e6 } }), {
      name: 'Error',
      message: 'Expected a budget that the smallest size fits, but all are struck out: 1 MB (--budget-s, --budget-mb)',
    });
  });
});
