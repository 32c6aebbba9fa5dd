/**
 * What the lab makes of its arguments; none of this needs root.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { createCommand, parseArguments } from '../../cli/program/command.js';
import * as fieldLoad from '../../lab/commands/field-load.js';
import * as open from '../../lab/commands/open.js';
import * as run from '../../lab/commands/run.js';
import { TakeDownError, throwUnlessCancelled } from '../../lab/machine.js';
import { addLinkOptions, parseConditions, parseCut, PROFILES } from '../../lab/options.js';
import { directionsOf, netemLimitOf } from '../../lab/shaper.js';
import { assertComplaint, assertRefused, complaintOf, refusalOf } from '../support/complaint.js';
import { runCommand, runProgram } from '../support/program.js';

const COMMANDS = { open, run, 'field-load': fieldLoad };

/** @param {string} words of the command line, of which the first is a command @returns {Promise<Error>} */
function refusalOfWords(words) {
  const [name, ...args] = words.split(' ');
  return refusalOf(() => COMMANDS[/** @type {keyof typeof COMMANDS} */ (name)].main(args));
}

/** @param {string} words */
const parse = (words) =>
  parseConditions(parseArguments(addLinkOptions(createCommand('lab', '')), words.split(' ').filter(Boolean)));

describe('the conditions of a link', () => {
  it('are those that were asked for', () => {
    assert.deepEqual(parse('--rtt 150.5 --jitter 50 --loss 0.5 --rate 1.6'), {
      rttMs: 150.5,
      jitterMs: 50,
      lossPercent: 0.5,
      mbitPerSecond: 1.6,
    });
    assert.deepEqual(parse('--rtt 230'), { rttMs: 230 });
  });

  it('may limit the server, also with a profile', () => {
    const conditions = parse('--profile hspa --cpus 0.125 --memory 1024');
    assert.deepEqual(conditions, { rttMs: 150, jitterMs: 50, mbitPerSecond: 1.6, cpus: 0.125, memoryMib: 1024 });
  });

  it('may be those of a profile', () => {
    assert.deepEqual(parse('--profile hspa'), { rttMs: 150, jitterMs: 50, mbitPerSecond: 1.6 });
  });

  it('may make the two directions different', () => {
    const conditions = parse('--rtt 100 --rtt-up 80 --jitter 10 --rate 20 --rate-up 1');
    assert.deepEqual(directionsOf(conditions), {
      up: { delayMs: 80, jitterMs: 8, lossPercent: 0, mbitPerSecond: 1 },
      down: { delayMs: 20, jitterMs: 2, lossPercent: 0, mbitPerSecond: 20 },
    });
    assert.equal(directionsOf({ rttMs: 100 }).up.delayMs, 50);
  });

  it('may have a queue, of both directions, in each the time at its rate', () => {
    const conditions = parse('--rtt 100 --rate 8 --rate-up 2 --queue 300');
    assert.deepEqual(conditions, { rttMs: 100, mbitPerSecond: 8, mbitPerSecondUp: 2, queueMs: 300 });
    const { up, down } = directionsOf(conditions);
    assert.deepEqual([up.queueMs, down.queueMs], [300, 300]);
    // 350 ms at 2 and at 8 Mbit/s, in packets of 1500 bytes: the 50 ms of delay count, as netem holds those packets, too.
    assert.deepEqual([netemLimitOf(up), netemLimitOf(down)], [59, 234]);
    assert.equal(netemLimitOf(directionsOf(parse('--rtt 100 --rate 8')).up), 100_000);
  });

  it('may change while the link is in use, each change from the conditions before it', () => {
    const conditions = parse('--rtt 230 --loss 1 --then rtt=100@30s --then loss=0,rate=5@60.5s');
    assert.deepEqual(conditions, {
      rttMs: 230,
      lossPercent: 1,
      changes: [
        { afterMs: 30_000, rttMs: 100, lossPercent: 1 },
        { afterMs: 60_500, rttMs: 100, lossPercent: 0, mbitPerSecond: 5 },
      ],
    });
    const changed = parse('--profile london-california --then rtt=100@1s');
    assert.deepEqual(changed, { rttMs: 227, changes: [{ afterMs: 1000, rttMs: 100 }] });
  });

  for (const [words, option, got] of [
    ['', '--rtt', 'nothing'],
    ['--rtt 10 --rtt-up 11', '--rtt-up', '“11”'],
    ['--rtt 10 --rate-up 0', '--rate-up', '“0”'],
    ['--rtt 10 --then rtt=5', '--then', '“rtt=5”'],
    ['--rtt 10 --then rtt=@5s', '--then', '“rtt=@5s”'],
    ['--rtt 10 --then speed=5@5s', '--then', '“speed=5@5s”'],
    ['--rtt 10 --then rtt=soon@5s', '--then rtt=soon@5s: --rtt', '“soon”'],
    ['--rtt 10 --rtt-up 8 --then rtt=5@5s', '--then rtt=5@5s: --rtt-up', '“8”'],
    ['--rtt 10 --then rtt=5@5s --then rtt=6@5s', '--then', '“rtt=6@5s”'],
    ['--rtt 10 --then rtt=5@86401s', '--then', '“rtt=5@86401s”'],
    [`--rtt 10${' --then rtt=5@5s'.repeat(101)}`, '--then', '101'],
    ['--rtt 10 --cpus 0.1', '--cpus', '“0.1”'],
    ['--profile lan --rate-up 5', '--profile', '--rate-up'],
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
    ['--rtt 10 --rate 5 --queue 0', '--queue', '“0”'],
    ['--rtt 10 --queue 100', '--queue', 'none'],
    ['--rtt 10 --then queue=100@5s', '--then queue=100@5s: --queue', 'none'],
    ['--profile moon', '--profile', '“moon”'],
    ['--profile toString', '--profile', '“toString”'],
    ['--profile lan --rtt 5 --loss 1', '--profile', '--rtt and --loss'],
  ]) {
    it(`are not “${words.slice(0, 80)}”`, () => {
      assert.throws(() => parse(words), complaintOf(option, got));
    });
  }

  it('are not words that it does not know', () => {
    assert.throws(() => parse('--distance 5'), /unknown option '--distance'/);
    assert.throws(() => parse('230'), /too many arguments.*: “230”/);
  });
});

describe('the time for which a link is cut', () => {
  it('is some seconds, up to a minute, or for good', () => {
    assert.deepEqual(['1s', '20s', '2.5s', '60s', 'forget'].map(parseCut), [1000, 20_000, 2500, 60_000, 'forget']);
  });

  for (const text of ['0s', '0.9s', '60.1s', '61s', '20', '20ms', '-5s', 's', '', 'soon']) {
    it(`is not “${text}”`, () => {
      assert.throws(() => parseCut(text), complaintOf('--cut', `“${text}”`));
    });
  }
});

describe('the arguments of a run over a link', () => {
  it('are those of the link, and all others in their order', () => {
    const { values, given, others } = run.divideArgs(
      'cuts --json --rtt 230 --blocks 6 --loss=1 --then rtt=5@5s --out x'.split(' '),
    );
    assert.deepEqual({ ...values }, { rtt: '230', loss: '1', then: ['rtt=5@5s'] });
    assert.deepEqual([given, others], ['cuts', ['--json', '--blocks', '6', '--out', 'x']]);
  });

  it('are none of the link after --', () => {
    for (const json of ['', '--json ']) {
      const { values, others } = run.divideArgs(`cuts --rtt 230 ${json}--rate 5 -- --rate 20`.split(' '));
      assert.deepEqual({ ...values }, { rtt: '230', rate: '5' });
      assert.deepEqual(others, [...json.split(' ').filter(Boolean), '--rate', '20']);
    }
  });
});

describe('sockshootout lab', () => {
  const lab = (/** @type {string} */ words) => runProgram('cli/sockshootout.js', ['lab', ...words.split(' ')]);

  it('ends with 2 and one line where it refuses', async () => assertRefused(await lab('close'), 'lab', '“close”'));

  it('tells the options of a command', async () => {
    const { code, out } = await lab('run --help');
    assert.equal(code, 0);
    assert.match(out, /^Usage: sudo np/);
  });

  for (const [words, option, got] of [
    ['open --loss 1', '--rtt', 'nothing'],
    ['open --rtt soon', '--rtt', '“soon”'],
    ['run dance --rtt 5', 'lab run', '“dance”'],
    ['run payload --profile moon', '--profile', '“moon”'],
    ['run shootout', '--rtt', 'nothing'],
    ['run shootout --rtt 5 --blocks 0', '--blocks', '“0”'],
    ['run cuts --cut 0s', '--cut', '“0s”'],
    ['run cuts --cut 61s', '--cut', '“61s”'],
    ['run shootout --cut 20s', '--cut', '“shootout”'],
    ['run all --cut 20s', '--cut', '“all”'],
    ['run cuts --cut 20s --blocks 0', '--blocks', '“0”'],
    ['run shootout --rtt 5 --out /no/such/folder/run.json', '--out', '“/no/such/folder/run.json”'],
  ]) {
    it(`refuses “${words}” before it starts anything`, async () =>
      assertComplaint(await refusalOfWords(words), option, got));
  }

  it('refuses another site than its own, before it starts anything', async () => {
    const { message } = await refusalOfWords('run shootout --rtt 5 --url http://localhost:8000');
    assert.match(message, /^--url cannot be used here: [^\n]+$/);
  });
});

describe('each command of the lab that a page prints', () => {
  const texts = ['core', 'public/js', 'views']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
    )
    .filter((file) => /\.(?:js|ejs)$/.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const printed = [...texts.matchAll(/(\w*) ?npx sockshootout lab run ([\w -]+)/g)];

  it('is whole', () => {
    assert.ok(printed.length >= 2);
    assert.equal(printed.length, texts.match(/lab run/g)?.length);
  });

  for (const [command, before, words] of printed)
    it(`asks for root, and is taken: “${command}”`, async () => {
      assert.equal(before, 'sudo');
      await run.parseRun(words.split(' '));
    });
});

describe('sockshootout lab run --cut', () => {
  for (const [words, option] of [
    ['--cuts dead', '--cuts'],
    ['--watch=30', '--watch'],
    ['--browser', '--browser'],
    ['--then rtt=5@5s', '--then'],
  ]) {
    it(`refuses ${words}, before it starts anything`, async () => {
      const { message } = await refusalOfWords(`run cuts --cut 20s ${words}`);
      assert.ok(message.includes(option) && message.includes('--cut'), message);
    });
  }
});

describe('what fails after Ctrl-C', () => {
  it('is not told, but that something may be left is', () => {
    throwUnlessCancelled(new Error('The browser has gone.'), AbortSignal.abort());
    const left = new TakeDownError('The lab could not be taken down: ip netns delete');
    assert.throws(() => throwUnlessCancelled(left, AbortSignal.abort()), left);
    const failure = new Error('Anything');
    assert.throws(() => throwUnlessCancelled(failure, new AbortController().signal), failure);
  });
});

// Each starts a program.
describe('npm run lab', { concurrency: true }, () => {
  it('tells its commands', async () => {
    const { code, out, err } = await runProgram('lab/index.js', ['--help']);
    assert.deepEqual({ code, err }, { code: 0, err: '' });
    assert.match(out, /^Usage: sudo np/);
    for (const name of Object.keys(COMMANDS)) assert.match(out, new RegExp(`^  ${name} +\\S`, 'm'));
  });

  it('tells the options of a command, and each profile with its conditions and their source', async () => {
    const { code, out } = await runProgram('lab/index.js', ['open', '--help']);
    assert.equal(code, 0);
    assert.match(out, /^Usage: sudo np.*\n {2}--rtt <ms> /s);
    const lines = out.split('\n');
    for (const [name, { source }] of Object.entries(PROFILES)) {
      const index = lines.findIndex((line) => line.startsWith(`  ${name}: `));
      assert.ok(lines[index + 1]?.includes(source), name);
    }
    const [hspa] = /^ +hspa: .*$/m.exec(out) ?? assert.fail(out);
    assert.deepEqual(hspa.match(/[\d.]+ (?:ms|Mbit)|no loss/g), ['150 ms', '50 ms', 'no loss', '1.6 Mbit']);
  });

  it('ends with 2 for a user who is not root, and says how', async () => {
    // Whoever runs the test, and wherever the clone is, this one believes to be somebody else.
    const asSomebody = [process.execPath, '--import', 'data:text/javascript,process.getuid=()=>1000'];
    const { code, out, err } = await runCommand([...asSomebody, 'lab/index.js', 'open', '--rtt', '20']);
    assert.deepEqual({ code, out }, { code: 2, out: '' });
    assert.match(err, /^.* needs root, .* with sudo\n$/);
  });
});
