/**
 * What `npm run lab` makes of its words; none of this needs root.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseOptions } from '../../lab/options.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The user that owns nothing. */

/**
 * @param {string[]} words
 * @param {string[]} [nodeWords]
 */
async function run(words, nodeWords = []) {
  const child = spawn(process.execPath, [...nodeWords, path.join(ROOT, 'lab/index.js'), ...words], { stdio: 'pipe' });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (err += text));
  const [code] = await once(child, 'close');
  return { code, out, err };
}

describe('the options of the lab', () => {
  it('are the conditions, the iterations and the form', () => {
    const words = [
      '--rtt',
      '150.5',
      '--jitter',
      '50',
      '--loss',
      '0.5',
      '--rate',
      '1.6',
      '--iterations',
      '10,20',
      '--json',
    ];
    assert.deepEqual(parseOptions([...words, '--out', 'lab.json']), {
      isHelp: false,
      conditions: { rttMs: 150.5, jitterMs: 50, lossPercent: 0.5, mbitPerSecond: 1.6 },
      profile: undefined,
      iterations: [10, 20],
      format: 'json',
      out: 'lab.json',
    });
  });

  it('are those of 2012 as Markdown where only the round trip is given', () => {
    const { conditions, iterations, format, out } = parseOptions(['--rtt', '230']);
    assert.deepEqual(
      { conditions, iterations, format, out },
      {
        conditions: { rttMs: 230 },
        iterations: [10, 100, 1000],
        format: 'markdown',
        out: undefined,
      },
    );
  });

  it('may name a profile, which fixes the conditions', () => {
    const { conditions, profile } = parseOptions(['--profile', 'hspa']);
    assert.deepEqual(
      { conditions, profile },
      {
        conditions: { rttMs: 150, jitterMs: 50, mbitPerSecond: 1.6 },
        profile: 'hspa',
      },
    );
  });

  for (const [words, message] of /** @type {[string, string][]} */ ([
    ['', '--rtt: expected milliseconds, or --profile NAME, got nothing'],
    ['--jitter 5', '--rtt: expected milliseconds, or --profile NAME, got nothing'],
    ['--rtt soon', '--rtt: expected a number from 0 to 10000, got “soon”'],
    ['--rtt=', '--rtt: expected a number from 0 to 10000, got “”'],
    ['--rtt=-1', '--rtt: expected a number from 0 to 10000, got “-1”'],
    ['--rtt 10001', '--rtt: expected a number from 0 to 10000, got “10001”'],
    ['--rtt 10 --jitter 11', '--jitter: expected a number from 0 to 10, got “11”'],
    ['--jitter 11 --rtt 10', '--jitter: expected a number from 0 to 10, got “11”'],
    ['--rtt 10 --loss 101', '--loss: expected a number from 0 to 100, got “101”'],
    ['--rtt 10 --rate 0', '--rate: expected a number from 0.01 to 10000, got “0”'],
    ['--profile moon', '--profile: expected one of lan, wan, london-california, hspa, hsdpa-plus, got “moon”'],
    ['--profile toString', '--profile: expected one of lan, wan, london-california, hspa, hsdpa-plus, got “toString”'],
    [
      '--profile lan --rtt 5 --loss 1',
      '--profile: expected no condition beside it, as it fixes them all, got --rtt and --loss',
    ],
    ['--rtt 10 --iterations 0', 'Iterations: expected a whole number from 1 to 100,000, got “0”.'],
    ['--rtt 10 --iterations 10,', 'Iterations: expected a whole number from 1 to 100,000, got nothing.'],
  ])) {
    it(`are not “${words}”`, () => {
      assert.throws(() => parseOptions(words.split(' ').filter(Boolean)), { message });
    });
  }

  it('are not words that it does not know', () => {
    assert.throws(() => parseOptions(['--distance', '5']), /Unknown option '--distance'/);
    assert.throws(() => parseOptions(['230']), /Unexpected argument '230'/);
  });
});

describe('npm run lab', () => {
  it('tells its options, and each profile with its conditions and their source', async () => {
    const { code, out, err } = await run(['--help']);
    assert.deepEqual({ code, err }, { code: 0, err: '' });
    assert.match(out, /^usage: sudo npm run lab/);
    assert.match(out, /hspa: 150 ms round trip, ±50 ms jitter, no loss, 1\.6 Mbit\/s each way\n +\(.*Lighthouse/);
  });

  it('ends with 2 where an option is wrong', async () => {
    assert.deepEqual(await run(['--rtt', 'soon']), {
      code: 2,
      out: '',
      err: '--rtt: expected a number from 0 to 10000, got “soon”\n',
    });
  });

  it('ends with 2 for a user who is not root, and says how', async () => {
    // Whoever runs the test, and wherever the clone is, this one believes to be somebody else.
    const asSomebody = ['--import', 'data:text/javascript,process.getuid=()=>1000'];
    assert.deepEqual(await run(['--rtt', '20'], asSomebody), {
      code: 2,
      out: '',
      err: 'The lab needs root, to make network namespaces: run it with sudo\n',
    });
  });
});
