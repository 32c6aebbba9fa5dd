/**
 * The arguments of `sockshootout run all`.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { formatPlan } from '../../core/experiment/plan/plan-link.js';
import { planPath } from '../../core/experiment/run/open-run.js';
import { titlesOf } from '../../cli/full-test/index.js';
import { createFullTestCommand, fieldsOf, parseFullTestOptions } from '../../cli/full-test/options.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';
import { fullTest } from '../../core/full-test/all.js';
import { linkOf, membersOf } from '../../core/full-test/plan.js';
import { assertComplaint, refusalOf } from '../support/complaint.js';
import { helpOf } from '../support/help.js';
import { WHOLE } from '../support/full-tests.js';

const members = membersOf(EXPERIMENTS);
const [ECHO, JOBS] = [
  'transports=fetch,sockjs&blocks=6&iterations=5&warmup=1&payload=0&seed=7',
  'deliveries=poll,sockjs&intervals=50&users=1&jobs=2&arrangement=all&min=0&max=100&limit=3000&blocks=6&seed=7',
];
const QUERY =
  'page=asks-and-sends&every=500&uses=fetch&considers=sockjs&news=30000&late=0&tests=shootout,jobs' +
  `&shootout=${encodeURIComponent(ECHO)}&jobs=${encodeURIComponent(JOBS)}`;

/** @param {string[]} args @param {typeof members} [measured] */
async function planOf(args, measured = members) {
  const options = await parseFullTestOptions(args, measured);
  return options.planAt(100);
}

/** @param {string[]} args @returns {Promise<string[]>} the names of the parts */
const namesIn = async (args) => (await planOf(args)).parts.map(({ experiment }) => experiment.name);

describe('the plan of a full test', () => {
  it('has the defaults of the situation, but for AJAX, which Node.js does not have', async () => {
    const { situation, parts } = await planOf([]);
    const { does, uses, considers, intervalMs } = situation;
    assert.deepEqual([does, uses, considers, intervalMs], ['asks-and-sends', 'fetch', 'sockjs', 1000]);
    const echo = parts.find(({ experiment }) => experiment.name === 'shootout');
    assert.deepEqual(echo?.plan.transports, ['fetch', 'sockjs']);
    assert.equal((await planOf(['--browser'])).situation.uses, 'ajax');
  });

  it('measures what the page does, or what is chosen', async () => {
    const asking = await namesIn(['--page', 'asks']);
    assert.deepEqual([asking.includes('shootout'), asking.includes('jobs')], [false, true]);
    assert.deepEqual(await namesIn(['--page', 'asks', '--tests', 'shootout']), ['shootout']);
  });

  it('answers for the usual distances, or for those that are given, of which it has no more to measure', async () => {
    const { distancesMs } = await parseFullTestOptions([], members);
    assert.deepEqual(distancesMs, [20, 100, 230]);
    const own = await parseFullTestOptions(['--distances', '300,5', '--plan', QUERY], members);
    assert.deepEqual([own.distancesMs, linkOf(own.planAt(100))], [[5, 300], linkOf(await planOf(['--plan', QUERY]))]);
  });

  it('has the situation and the seed that are given', async () => {
    const args = ['--every', '5000', '--considers', 'ws', '--news', '600', '--late', '20', '--seed', '7'];
    const { situation, parts } = await planOf([...args, '--message-matters', '5', '--news-matters', '30']);
    const { intervalMs, considers, newsMs, lateMs, messageMattersMs, newsMattersMs } = situation;
    assert.deepEqual([intervalMs, considers, newsMs, lateMs], [5000, 'ws', 600, 20]);
    assert.deepEqual([messageMattersMs, newsMattersMs], [5, 30]);
    assert.deepEqual(new Set(parts.map(({ plan }) => plan.seed)), new Set([7]));
  });

  it('has the size of news for polling and push, in its link, and none if none is given', async () => {
    const sized = await planOf(['--news-bytes', '20000', '--tests', 'shootout,jobs']);
    const jobsOf = (/** @type {typeof sized} */ { parts }) =>
      parts.find(({ experiment }) => experiment.name === 'jobs')?.plan;
    assert.deepEqual([sized.situation.newsBytes, jobsOf(sized)?.newsBytes], [20_000, 20_000]);
    assert.equal(linkOf(await planOf(['--plan', linkOf(sized)])), linkOf(sized));
    const small = await planOf(['--tests', 'jobs']);
    assert.ok(!('newsBytes' in small.situation) && !('newsBytes' in (jobsOf(small) ?? {})));
    assert.doesNotMatch(linkOf(small), /bytes/);
    assertComplaint(await refusalOf(() => planOf(['--news-bytes', '100'])), '--news-bytes', '100');
  });

  it('is that of a link, in any of its forms', async () => {
    for (const link of [`https://elsewhere.example/?${QUERY}&autostart=1`, `/all?${QUERY}`, `?${QUERY}`, QUERY])
      assert.equal(linkOf(await planOf(['--plan', link])), linkOf(await planOf(['--plan', `/?${QUERY}`])));
    const { parts } = await planOf(['--plan', QUERY]);
    assert.deepEqual(
      parts.map(({ experiment, plan }) => formatPlan(experiment, plan)),
      [ECHO, JOBS],
    );
  });

  it('is made anew for another situation, as those of a link are for its own', async () => {
    const { parts } = await planOf(['--plan', QUERY, '--considers', 'ws']);
    assert.deepEqual(parts[0].plan.transports, ['fetch', 'ws']);
    const [{ experiment, plan }] = (await planOf(['--plan', QUERY, '--tests', 'shootout'])).parts;
    assert.equal(formatPlan(experiment, plan), ECHO);
  });
});

describe('the plan in a file', () => {
  /** @type {string} */
  let folder;
  /** @type {string} */
  let file;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
    file = path.join(folder, 'run.json');
    await writeFile(file, JSON.stringify(WHOLE));
  });
  after(() => rm(folder, { recursive: true }));

  it('is that of its run', async () => {
    assert.equal(linkOf(await planOf(['--browser', '--plan', file])), planPath(fullTest, WHOLE));
  });

  it('is that of its run as PowerShell saves it, in UTF-16 with a byte-order mark', async () => {
    const saved = path.join(folder, 'powershell.json');
    await writeFile(saved, `\ufeff${JSON.stringify(WHOLE)}`, 'utf16le');
    assert.equal(linkOf(await planOf(['--browser', '--plan', saved])), planPath(fullTest, WHOLE));
  });

  it('is refused if only a page can measure it', async () => {
    assertComplaint(await refusalOf(() => planOf(['--plan', file])), 'uses', 'ajax; add --browser');
  });
});

describe('wrong arguments of run all', () => {
  for (const [args, option, got] of /** @type {[string[], string, string][]} */ ([
    [['--page', 'all'], '--page', '“all”'],
    [['--every', '5'], '--every', '“5”'],
    [['--distances', '5,x'], '--distances', '“5,x”'],
    [['--distances', '1,2,3,4,5,6'], '--distances', 'got 6'],
    [['--uses', 'ajax'], 'uses', 'ajax; add --browser'],
    [['--considers', 'ajax'], '--considers', '“ajax”'],
    [['--tests', 'countdown'], '--tests', '“countdown”'],
    [['--seed', 'x'], '--seed', '“x”'],
    [['--plan', 'http://x/?autostart=1'], '--plan', 'a link without one'],
    [['--plan', '/nowhere.json'], '--plan', 'ENOENT'],
    [['--plan', `tests=shootout&shootout=${encodeURIComponent('blocks=5')}`], 'blocks', '“5”'],
    [['--plan', QUERY.replace('fetch%2C', 'ajax%2C')], 'shootout', 'ajax; add --browser'],
    [['--fail-if', 'pigeon slower'], '--fail-if', '“pigeon slower”'],
    [['--fail-if', 'sockjs p50_ms>5'], '--fail-if', '“p50_ms” in “sockjs p50_ms>5”'],
    [['--url', 'http://x/?all'], '--url', '“http://x/?all”'],
  ])) {
    it(`${args.join(' ')}: refused by name`, async () =>
      assertComplaint(await refusalOf(() => planOf(args)), option, got));
  }
});

it('run all says how long each test takes, and all that are left', async () => {
  const { parts } = await planOf(['--plan', QUERY]);
  const [first, last] = titlesOf(parts, 1);
  assert.match(first, /^test 1 of 2: Sending a message, about \d+ s; \d+ s left$/);
  assert.match(last, /^test 2 of 2: Being notified, about \d+ s$/);
});

it('run all has each of its options in its help, and what the exit code 1 means', () => {
  const help = helpOf(createFullTestCommand(members));
  for (const { parameter } of Object.values(fieldsOf(members)))
    assert.match(help, new RegExp(`^ {2}--${parameter} `, 'm'));
  assert.match(help, new RegExp(`^ {2}1 {2}${fullTest.failsIf}, or a --fail-if`, 'm'));
});
