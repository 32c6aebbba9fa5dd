/**
 * What `npm run lab` makes of its words; none of this needs root.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HELP, parseOptions } from '../../lab/commands/tables.js';
import { PROFILES } from '../../lab/options.js';
import { assertRefused, complaintOf } from '../support/complaint.js';
import { runCommand, runProgram } from '../support/program.js';

/** @param {string[]} words that do not ask for help */
const parse = (words) => parseOptions(words) ?? assert.fail('Expected options, got none');

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
      conditions: { rttMs: 150.5, jitterMs: 50, lossPercent: 0.5, mbitPerSecond: 1.6 },
      profile: undefined,
      iterations: [10, 20],
      format: 'json',
      out: 'lab.json',
    });
  });

  it('are those of 2012 as Markdown where only the round trip is given', () => {
    const { conditions, iterations, format, out } = parse(['--rtt', '230']);
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
    const { conditions, profile } = parse(['--profile', 'hspa']);
    assert.deepEqual(
      { conditions, profile },
      {
        conditions: { rttMs: 150, jitterMs: 50, mbitPerSecond: 1.6 },
        profile: 'hspa',
      },
    );
  });

  for (const [words, option, got] of [
    ['', '--rtt', 'nothing'],
    ['--jitter 5', '--rtt', 'nothing'],
    ['--rtt soon', '--rtt', '“soon”'],
    ['--rtt=', '--rtt', '“”'],
    ['--rtt=-1', '--rtt', '“-1”'],
    ['--rtt 10001', '--rtt', '“10001”'],
    ['--rtt 10 --jitter 11', '--jitter', '“11”'],
    ['--jitter 11 --rtt 10', '--jitter', '“11”'],
    ['--rtt 10 --loss 101', '--loss', '“101”'],
    ['--rtt 10 --rate 0', '--rate', '“0”'],
    ['--rtt 10 --rate 10001', '--rate', '“10001”'],
    ['--profile moon', '--profile', '“moon”'],
    ['--profile toString', '--profile', '“toString”'],
    ['--profile lan --rtt 5 --loss 1', '--profile', '--rtt and --loss'],
    ['--rtt 10 --iterations 0', 'Iterations', '“0”'],
    ['--rtt 10 --iterations 10,', 'Iterations', 'nothing'],
  ]) {
    it(`are not “${words}”`, () => {
      assert.throws(() => parseOptions(words.split(' ').filter(Boolean)), complaintOf(option, got));
    });
  }

  it('are not words that it does not know', () => {
    assert.throws(() => parseOptions(['--distance', '5']), /Unknown option '--distance'/);
    assert.throws(() => parseOptions(['230']), /Unexpected argument '230'/);
  });
});

describe('npm run lab', () => {
  it('tells its options, and each profile with its conditions and their source', async () => {
    assert.deepEqual(await runProgram('lab/index.js', ['--help']), { code: 0, out: HELP, err: '' });
    assert.match(HELP, /^usage: sudo npm/);
    const lines = HELP.split('\n');
    for (const [name, { source }] of Object.entries(PROFILES)) {
      const index = lines.findIndex((line) => line.startsWith(`    ${name}: `));
      assert.ok(lines[index + 1]?.includes(source), name);
    }
    const [hspa] = /^ +hspa: .*$/m.exec(HELP) ?? assert.fail(HELP);
    assert.deepEqual(hspa.match(/[\d.]+ (?:ms|Mbit)|no loss/g), ['150 ms', '50 ms', 'no loss', '1.6 Mbit']);
  });

  it('ends with 2 where an option is wrong', async () => {
    assertRefused(await runProgram('lab/index.js', ['--rtt', 'soon']), '--rtt', '“soon”\n');
  });

  it('ends with 2 for a user who is not root, and says how', async () => {
    // Whoever runs the test, and wherever the clone is, this one believes to be somebody else.
    const asSomebody = [process.execPath, '--import', 'data:text/javascript,process.getuid=()=>1000'];
    const { code, out, err } = await runCommand([...asSomebody, 'lab/index.js', '--rtt', '20']);
    assert.deepEqual({ code, out }, { code: 2, out: '' });
    assert.match(err, /^.* needs root, .* with sudo\n$/);
  });
});
