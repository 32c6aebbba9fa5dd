/**
 * `sockshootout lab run` as its user has it: the document of a run over a link, which the site takes, and titles by the
 * link; and the commands of docs/payload.md.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { PROFILES } from '../../lab/options.js';
import { pressCtrlCAt, runProgram } from '../../test/support/program.js';
import { openServer } from '../../test/support/server.js';
import { postSubmission } from '../../test/support/submissions.js';

/** @import { TestServer } from '../../test/support/server.js' */

/** For what hangs: nothing takes nearly as long. */
const LIMIT_MS = 300_000;
const LIMITS = '--cpus 0.5 --memory 1024';
const PLAN = '--transports fetch,ws --blocks 6 --iterations 2 --json';

describe('sockshootout lab run', { concurrency: true }, () => {
  /** @type {TestServer} */
  let server;
  /** @type {string} */
  let folder;
  before(async () => {
    server = await openServer();
    folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-lab-'));
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  /** @param {string} args @param {Parameters<typeof runProgram>[2]} [options] */
  const run = (args, options) => runProgram('cli/sockshootout.js', ['lab', 'run', ...args.split(' ')], options);

  /** @param {string} args @returns {Promise<any>} the document */
  async function measure(args) {
    const { code, out, err } = await run(args);
    assert.equal(code, 0, err);
    return JSON.parse(out);
  }

  /** @param {unknown} document @returns {Promise<string>} the page of that run, when it is shared */
  async function share(document) {
    const { status, answer } = await postSubmission(server.origin, { document });
    assert.equal(status, 201, JSON.stringify(answer));
    return (await fetch(server.origin + answer.url)).text();
  }

  it('goes over TLS and HTTP/2 with --h2, from Node.js and from Chromium', { timeout: LIMIT_MS }, async () => {
    const fromNode = await measure(`shootout --rtt 5 --h2 ${PLAN}`);
    assert.match(fromNode.environment.url, /^https:/);
    const fromPage = await measure('in-flight --rtt 5 --h2 --browser --transports ajax --depths 1,4 --blocks 2 --json');
    for (const { protocol } of fromPage.trials) assert.equal(protocol, 'h2');
  });

  it('measures all, and shares it with the runs that it is made of', { timeout: LIMIT_MS }, async () => {
    const document = await measure('all --rtt 20 --tests shootout,jobs,in-flight --json');
    assert.equal(document.environment.link.rttMs, 20);
    const { status, answer } = await postSubmission(server.origin, { document });
    assert.equal(status, 201, JSON.stringify(answer));
    const { parts } = await (await fetch(`${server.origin}/api/results/${answer.id}`)).json();
    assert.deepEqual(Object.keys(parts).sort(), ['in-flight', 'jobs', 'shootout']);
    const line = answer.digest['full-test'].lines.find((/** @type {any} */ one) => one.experiment === 'in-flight');
    // What was measured over a path is no news of one machine.
    assert.ok(line.figure, line.word);
  });

  it('has its link and ping in a document that can be shared', { timeout: LIMIT_MS }, async () => {
    const document = await measure(`shootout --rtt 60 --rtt-up 45 --then rtt=50@1s ${LIMITS} ${PLAN}`);
    const { kind, ping, ...conditions } = document.environment.link;
    assert.match(kind, /^(netem|tun)$/);
    const changes = [{ afterMs: 1000, rttMs: 50, rttUpMs: 45 }];
    assert.deepEqual(conditions, { rttMs: 60, rttUpMs: 45, cpus: 0.5, memoryMib: 1024, changes });
    assert.ok(ping.minMs >= 60 && ping.minMs <= ping.meanMs, JSON.stringify(ping));
    const trips = document.trials.flatMap((/** @type {any} */ { samples }) => samples.roundTripMs);
    assert.equal(trips.length, 24);
    assert.ok(Math.min(...trips) >= 50, `${Math.min(...trips)} ms`);
    const html = await share(document);
    assert.match(html, /<title>[^<]*\(.*, emulated, 60 ms, then 50 ms, server with 0\.5 CPUs, 1024 MiB, Node\.js/);
  });

  it('measures in Chromium, too', { timeout: LIMIT_MS }, async () => {
    const file = path.join(folder, 'classic.json');
    const { code, err } = await run(`classic --profile wan --transport sockjs --iterations 10 --json --out ${file}`);
    assert.equal(code, 0, err);
    const document = JSON.parse(await readFile(file, 'utf8'));
    assert.match(document.environment.userAgent, /Chrome/);
    assert.equal(document.environment.link.rttMs, 40);
    assert.match(await share(document), /<title>[^<]*emulated, 40 ms, Chrome/);
  });

  it(
    'measures a network of docs/payload.md by the command there, here with a smaller plan',
    { timeout: LIMIT_MS },
    async () => {
      const docs = await readFile('docs/payload.md', 'utf8');
      const commands = [...docs.matchAll(/^sudo npx sockshootout lab run (.+) --preset published (.+)$/gm)];
      assert.deepEqual(
        commands.map(([, options]) => options),
        ['lan', 'wan', 'hsdpa-plus'].map((name) => `payload --profile ${name} --browser`),
      );
      // Of each profile payload.test.js has a run.
      const [, options, output] = commands[1];
      const file = path.join(folder, 'wan.json');
      const { code, err } = await run(`${options} --sizes 1,1000 --directions up ${output.replace(/\S+$/, file)}`);
      assert.equal(code, 0, err);
      const { environment, trials } = JSON.parse(await readFile(file, 'utf8'));
      assert.deepEqual([environment.link.rttMs, trials.length > 0], [PROFILES.wan.conditions.rttMs, true]);
    },
  );

  it('prints what was measured until Ctrl-C', { timeout: LIMIT_MS }, async () => {
    const press = pressCtrlCAt('20%');
    const { code, out, err } = await run('shootout --rtt 50 --preset standard --json', { onProgress: press });
    assert.equal(code, 1, err);
    const { ending, environment, trials } = JSON.parse(out);
    assert.equal(ending.kind, 'cancelled');
    assert.equal(environment.link.rttMs, 50);
    assert.ok(trials.length > 0);
  });
});
