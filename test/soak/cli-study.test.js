/**
 * What one line of a crontab does: the command measures a site, and shares its run in a study, which another prints.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { carryOut } from '../../cli/results.js';
import { parseResultsOptions } from '../../cli/results-options.js';
import { openServer } from '../support/server.js';
import { runProgram } from '../support/program.js';

/** @import { TestServer } from '../support/server.js' */

const PLAN = ['--transports', 'fetch,sockjs', '--blocks', '6', '--iterations', '2', '--seed', '1'];

describe('sockshootout run --label --place', () => {
  /** @type {TestServer} */
  let server;
  before(async () => (server = await openServer()));
  after(() => server.close());

  /** @param {TestServer} site @param {...string} args */
  const run = ({ origin }, ...args) =>
    runProgram('cli/sockshootout.js', ['run', 'shootout', ...PLAN, '--url', origin, '--quiet', ...args], {
      env: { PATH: process.env.PATH },
    });

  it('shares the run in the study, whose row has its figure, and says where', async () => {
    const { err } = await run(server, '--label', 'from here', '--place', ' Bonn ', '--json');
    const [, id] = /Shared: .*\/results\/([\w-]{16})\n/.exec(err) ?? assert.fail(err);
    assert.ok(err.includes(`Study: ${server.origin}/c?label=from%20here\n`), err);
    assert.match(err, /#delete=[\w-]{32}\n/);
    const shared = await (await fetch(`${server.origin}/api/results/${id}`)).json();
    assert.deepEqual([shared.label, shared.place], ['from here', { name: 'Bonn' }]);
    const study = await (await fetch(`${server.origin}/api/studies?label=from%20here`)).json();
    const [row] = study.rows;
    assert.deepEqual([study.rows.length, row.name, row.scope], [1, 'Bonn', 'machine']);
    const [answer] = shared.digest.answers;
    // A busy machine is a serious warning: then the run is counted, and its figure left out.
    const wanted = answer.isDoubtful ? [0, 1, undefined] : [1, 0, answer.amount.value];
    const [{ count, doubtfulCount, value }] = row.cells;
    assert.deepEqual([count, doubtfulCount, value], wanted);

    const { command } = parseResultsOptions(['study', 'from here']);
    const { text, value: printed } = await carryOut(/** @type {any} */ (command), server.store);
    assert.match(String(text), /\nBonn \(same machine\) /);
    assert.deepEqual(printed, study);
  });

  it('exits with 1 and prints the run if the site refuses it', async () => {
    const full = await openServer({ limits: { submissionCount: 0 } });
    try {
      const { code, out, err } = await run(full, '--label', 'x');
      assert.match(err, /^Not shared: /m);
      assert.equal(code, 1);
      assert.match(out, /SockJS/);
    } finally {
      await full.close();
    }
  });
});
