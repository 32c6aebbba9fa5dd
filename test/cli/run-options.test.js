/**
 * The arguments of `sockshootout run NAME`.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatPlan } from '../../core/experiment/plan/plan-link.js';
import { loadClient } from '../../cli/clients/index.js';
import { fitSizes } from '../../cli/clients/payload.js';
import { completePlan } from '../../cli/clients/shootout.js';
import { nodeTransportsOf } from '../../cli/net/transports.js';
import { createRunCommand } from '../../cli/run/command.js';
import { parseRunOptions } from '../../cli/run/options.js';
import { EXPERIMENTS, findExperiment } from '../../core/experiments/all.js';
import { bytesOf } from '../../core/experiments/payload/plan.js';
import { trialsOf } from '../../core/experiments/payload/trials.js';
import { assertComplaint, refusalOf } from '../support/complaint.js';
import { helpOf } from '../support/help.js';
import { useGolden } from '../support/golden.js';

const matchGolden = useGolden(import.meta.url);

const SHOOTOUT = 'transports=fetch,websocket,sockjs&blocks=6&iterations=5&warmup=1&payload=0&seed=7';
const PAYLOAD =
  'transports=fetch,websocket-text,websocket-binary,sockjs&directions=up,down,echo&sizes=0,1000,100000&repeats=6&seed=7';

/**
 * @param {string} name
 * @param {string[]} args
 */
async function parse(name, args) {
  const experiment = findExperiment(name) ?? assert.fail(name);
  return parseRunOptions(args, { experiment, client: await loadClient(name) });
}

/**
 * @param {string} name
 * @param {...string} args
 * @returns {Promise<string>} the plan's link
 */
async function queryOf(name, ...args) {
  return formatPlan(findExperiment(name) ?? assert.fail(), (await parse(name, args)).plan);
}

describe('the plan', () => {
  it('has what Node can measure, and with a browser what the page measures', async () => {
    assert.match(await queryOf('in-flight'), /^transports=fetch,ws,sockjs&depths=1,2,4,8,16,32&blocks=6&seed=\d+$/);
    assert.match(await queryOf('in-flight', '--browser'), /^transports=ajax,sockjs&/);
    assert.match(await queryOf('payload'), /^transports=fetch,websocket-text,websocket-binary,sockjs&/);
    assert.match(await queryOf('payload', '--browser'), /^transports=ajax,fetch,/);
    assert.equal(await queryOf('classic'), 'transport=ajax&iterations=10,100,1000');
    assert.equal(await queryOf('countdown'), 'iterations=100&kind=both');
  });

  it('is that of a link, which options change', async () => {
    const link = `https://elsewhere.example/payloadtest?${PAYLOAD}&autostart=1`;
    const whole = PAYLOAD.replace('&repeats', '&budget=200&repeats').replace('&dir', '&connections=kept&dir');
    assert.equal(await queryOf('payload', '--plan', link), whole);
    const changed = ['--sizes', '5', '--transports', 'sockjs', '--seed', '8'];
    assert.equal(
      await queryOf('payload', '--plan', `?${PAYLOAD}`, ...changed),
      'transports=sockjs&connections=kept&directions=up,down,echo&sizes=5&budget=200&repeats=6&seed=8',
    );
    assert.equal(await queryOf('shootout', '--plan', SHOOTOUT), SHOOTOUT);
    const classic = 'http://x/socktest?iterations=10,20&autostart=1';
    assert.equal(await queryOf('classic', '--plan', classic), 'transport=sockjs&iterations=10,20');
    // As a page repeats it, and in its order.
    const repeated = classic.replace('10,20', '20,10,20');
    assert.equal(await queryOf('classic', '--plan', repeated), 'transport=sockjs&iterations=20,10,20');
    assert.equal(await queryOf('countdown', '--plan', 'http://x/countdown?kind=xhr'), 'iterations=100&kind=xhr');
  });

  it('is refused beside a stress test where it would be ignored', async () => {
    await assert.rejects(parse('jobs', ['--stress', '--fail-if', 'invalid']), /--fail-if/);
  });

  it('is that of a file with a run', async () => {
    for (const [name, file] of Object.entries({
      jobs: 'jobs-whole',
      classic: 'classic-ajax',
      shootout: 'shootout-far',
    })) {
      assert.notEqual(await queryOf(name, '--browser', '--plan', `test/fixtures/saved-runs/${file}.json`), '');
    }
  });

  it('is that of a preset', async () => {
    assert.match(await queryOf('jobs', '--preset', 'as-in-2018', '--users', '3'), /&intervals=500,250&users=3&/);
    assert.match(await queryOf('payload', '--preset', 'published'), /^preset=published&transports=fetch,/);
  });

  it('of the home page is made for the round trip', async () => {
    const { plan } = await parse('shootout', ['--preset', 'quick', '--seed', '7', '--payload', '9']);
    const { transports, blocks, seed, payloadBytes } = completePlan(plan, 1).plan;
    assert.deepEqual([transports, blocks, seed, payloadBytes], [['fetch', 'ws', 'sockjs'], 6, 7, 9]);
    const chosen = await parse('shootout', ['--blocks', '7', '--iterations', '8']);
    const { plan: whole } = completePlan(chosen.plan, 1);
    assert.deepEqual([whole.blocks, whole.iterations], [7, 8]);
  });
});

describe('the budget of payload', () => {
  const url = ['--url', 'http://127.0.0.1:1'];
  /** @param {...string} args */
  const budgetOf = async (...args) => (await parse('payload', args)).own;

  it('of time limits a run at a distance, but no plan that is repeated', async () => {
    assert.equal(await budgetOf(), undefined);
    assert.equal(await budgetOf(...url), 60_000);
    assert.equal(await budgetOf(...url, '--preset', 'published'), undefined);
    assert.equal(await budgetOf(...url, '--plan', PAYLOAD), undefined);
    assert.equal(await budgetOf(...url, '--plan', PAYLOAD, '--budget-s', '5'), 5000);
  });

  it('of bytes is part of the plan', async () => {
    assert.equal((await parse('payload', [])).plan.budget, 200);
    assert.equal((await parse('payload', ['--plan', PAYLOAD, '--budget', '7'])).plan.budget, 7);
  });

  it('leaves out what does not fit, and leaves nothing to one that no size fits', async (t) => {
    const { plan } = await parse('payload', ['--sizes', '1000,1000000', '--seed', '1']);
    const speed = { roundTripMs: 1, upBytesPerSecond: 1e6, downBytesPerSecond: 1e6 };
    const whole = fitSizes(plan, { speed });
    assert.deepEqual(whole.plan, plan);
    assert.equal(trialsOf(whole.plan).length, 2 * 4 * 3 * 6);
    const byteCount = bytesOf(plan, 1000) + bytesOf(plan, 1e6);
    assert.match(whole.text, new RegExp(`^${(byteCount / 1e6).toFixed(1)} MB .+ 2 min\\.$`));

    const part = fitSizes(plan, { speed, budgetMs: 10_000 });
    assert.deepEqual(part.plan.sizes, [1000]);

    const nothing = { ...plan, sizes: [1_000_000] };
    const { message } = await refusalOf(() => fitSizes(nothing, { speed, budgetMs: 1000 }));
    matchGolden(t, 'payload', [whole.text, part.text, message]);
  });
});

/** @type {Record<string, [args: string[], name: string, got?: string][]>} what is refused by its name, and what it got */
const WRONGS = {
  shootout: [
    [['--link', 'lan'], '--link', 'lan'],
    [['--link', '{"kind":"wire"}'], '--link: kind', 'wire'],
    [['--url', ''], '--url', 'nothing'],
    [['--url', 'ftp://x'], '--url', '“ftp://x”'],
    [['--url', 'http://x/socktest?iterations=10'], '--url', '“http://x/socktest?iterations=10”'],
    [['--url', 'http://me:secret@x'], '--url', '“http://me:secret@x”'],
    [['--label', 'x'], '--url', 'none'],
    [['--place', 'Bonn', '--url', 'http://x'], '--label', 'none'],
    [['--label', 'x'.repeat(81), '--url', 'http://x'], '--label', 'xxx'],
    [['--label', 'x', '--place', 'a\u0007', '--url', 'http://x'], '--place', 'a'],
    [['--seed', 'x'], '--seed', '“x”'],
    [['--payload', '1000001'], '--payload', '“1000001”'],
    [['--preset', 'slow'], '--preset', '“slow”'],
    [['--transports', 'websocket,sockjs'], '--transports', '“websocket,sockjs”'],
    [['--transports', 'ajax,fetch'], 'transports', 'ajax; add --browser'],
    [['--plan', SHOOTOUT.replace('fetch', 'ajax')], 'transports', 'ajax;'],
    [['--plan', SHOOTOUT.replace('blocks=6', 'blocks=5')], 'blocks', '“5”'],
    [['--plan', 'http://x/?autostart=1'], '--plan', 'a link without one'],
    [['--fail-if', 'sockjs'], '--fail-if', '“sockjs”'],
    [['--fail-if', 'pigeon slower'], '--fail-if', '“pigeon slower”'],
  ],
  'in-flight': [
    [['--depths', '2,4'], '--depths', '“2,4”'],
    [['--transports', 'ajax'], 'transports', 'ajax; add --browser'],
    [['--fail-if', 'sockjs'], '--fail-if', '“sockjs”'],
    [['--fail-if', 'p50_ms>x'], '--fail-if', '“p50_ms>x”'],
  ],
  jobs: [
    [['--users', '0'], '--users', '“0”'],
    [['--jobs', '101'], '--jobs', '“101”'],
    [['--min', '20', '--max', '10'], '--min', '20'],
    [['--max', 'x'], '--max', '“x”'],
    [['--interval', '5'], '--interval', '“5”'],
    [['--deliveries', 'poll,pigeon'], '--deliveries', '“poll,pigeon”'],
    [['--limit', '99'], '--limit', '“99”'],
    [['--seed', '-1'], '--seed', '“-1”'],
    [['--users', '1000', '--jobs', '11'], 'users times jobs', '11000'],
    [['--plan', '?interval=250'], 'interval', 'interval “250”'],
    [['--plan', 'users=0'], 'users', '“0”'],
    [['--plan', 'http://x/?autostart=1'], '--plan', 'a link without one'],
    [['--stress', '--max-users', '0'], '--max-users', '“0”'],
  ],
  payload: [
    [['--sizes', '1,x'], '--sizes', '“1,x”'],
    [['--sizes', '16777217'], '--sizes', '“16777217”'],
    [['--directions', 'left'], '--directions', '“left”'],
    [['--transports', 'pigeon'], '--transports', '“pigeon”'],
    [['--transports', 'ajax'], 'transports', 'ajax'],
    [['--plan', PAYLOAD.replace('fetch', 'ajax')], 'transports', 'ajax'],
    [['--repeats', '5'], '--repeats', '“5”'],
    [['--plan', PAYLOAD.replace('repeats=6', 'repeats=5')], 'repeats', '“5”'],
    [['--preset', 'published', '--sizes', '7'], '--sizes', '“7”'],
    [['--budget', '0'], '--budget', '“0”'],
    [['--budget', '1', '--sizes', '10000000'], '--budget', '1'],
    [['--budget-s', 'x'], '--budget-s', '“x”'],
    [['--plan', 'http://x/?autostart=1'], '--plan', 'a link without one'],
  ],
  countdown: [
    [['--iterations', '1001'], '--iterations', '“1001”'],
    [['--kind', 'pigeon'], '--kind', '“pigeon”'],
  ],
  classic: [
    [['--transport', 'xhr'], '--transport', '“xhr”'],
    [['--iterations', '10,0'], '--iterations', '“10,0”'],
  ],
};

describe('the help', () => {
  for (const experiment of EXPERIMENTS) {
    it(`of ${experiment.name} says what the exit code 1 means`, async () => {
      const { failsIf = 'a message failed' } = experiment;
      const command = createRunCommand(experiment, await loadClient(experiment.name));
      assert.match(helpOf(command), new RegExp(`^  1  ${failsIf}.*, or a --fail-if`, 'm'));
    });

    it(`of ${experiment.name} lists the transports that work as it says, and their default`, async () => {
      const client = await loadClient(experiment.name);
      if (client.needsPage || !experiment.fields.transports) return;
      const { options } = createRunCommand(experiment, client);
      const help = options.find(({ long }) => long === '--transports')?.description ?? '';
      const [, here, elsewhere, standard] =
        /^any of (.*); with --browser also (.*); default: (.*)$/.exec(help) ?? assert.fail(help);
      assert.deepEqual(here.split(', '), nodeTransportsOf(experiment));
      for (const name of elsewhere.split(', '))
        await assert.rejects(parse(experiment.name, ['--transports', `fetch,${name}`]), /transports/);
      const { plan } = await parse(experiment.name, experiment.name === 'shootout' ? ['--preset', 'quick'] : []);
      assert.equal(plan.transports.join(','), standard);
    });
  }
});

describe('wrong arguments', () => {
  for (const [name, wrongs] of Object.entries(WRONGS)) {
    for (const [args, option, got] of wrongs) {
      it(`${name} ${args.join(' ')}: refused by name`, async () =>
        assertComplaint(await refusalOf(() => parse(name, args)), option, got));
    }

    it(`of ${name} are told what was expected`, async (t) => {
      const refusals = await Promise.all(wrongs.map(([args]) => refusalOf(() => parse(name, args))));
      matchGolden(
        t,
        name,
        refusals.map(({ message }) => message),
      );
    });
  }

  for (const [name, args, said] of /** @type {[string, string[], string][]} */ ([
    [
      'shootout',
      ['--preset', 'quick', '--plan', SHOOTOUT],
      "option '--preset <name>' cannot be used with option '--plan <link or file>'",
    ],
    ['jobs', ['--json', '--csv'], "option '--json' cannot be used with option '--csv'"],
    ['jobs', ['--stress', '--csv'], "option '--stress' cannot be used with option '--csv'"],
    ['jobs', ['--max-users', '10'], '--max-users needs --stress'],
    [
      'payload',
      ['--preset', 'published', '--repeats', '7'],
      '--repeats cannot be used with --preset published, which sets its own',
    ],
  ])) {
    it(`${name} ${args.join(' ')}: refused together`, async () =>
      assert.equal((await refusalOf(() => parse(name, args))).message, said));
  }

  /** @type {[args: string[], said: RegExp][]} */
  const others = [
    [['--user', '3'], /^unknown option '--user'\. Did you mean --users\?/],
    [['more'], /^too many arguments\. .*: “more”$/],
    [['--seed'], /^option '--seed <n>' argument missing$/],
    [['--out', '--json'], /^option '--out <file>' argument missing$/],
    [['--plan', '/nowhere.json'], /^--plan: .* got “\/nowhere\.json”: ENOENT/],
    [['--plan', 'package.json'], /: schema: /],
  ];
  for (const [args, said] of others) {
    it(`${args.join(' ')}: refused`, async () => {
      assert.match((await refusalOf(() => parse('jobs', args))).message, said);
    });
  }
});
