import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertComplaint } from '../support/complaint.js';
import { runProgram } from '../support/program.js';
import { openServer } from '../support/server.js';

/** @import { TestServer } from '../support/server.js' */

const BASE_PATH = '/shootout';

describe('the command line at a site below a path', () => {
  /** @type {TestServer} */
  let server;
  before(async () => (server = await openServer({ env: { BASE_PATH } })));
  after(() => server.close());

  /** @param {string[]} args */
  const run = (...args) =>
    runProgram('cli/sockshootout.js', ['run', ...args, '--quiet', '--json', '--label', 'below'], {
      env: { PATH: process.env.PATH },
    });

  it('measures and shares at a URL with a path, with and without the last slash', async () => {
    const plan = ['--users', '1', '--jobs', '1', '--max', '50', '--blocks', '1', '--seed', '1'];
    const deliveries = ['--deliveries', 'sse'];
    const transports = ['--transports', 'fetch,sockjs,socketio', '--blocks', '6', '--iterations', '2', '--seed', '1'];
    const site = server.origin + BASE_PATH;
    const runs = await Promise.all([
      run('jobs', ...plan, ...deliveries, '--url', `${site}/`),
      run('shootout', ...transports, '--url', site),
    ]);
    for (const { code, out, err } of runs) {
      const { environment } = JSON.parse(out);
      assert.equal(environment.url, `${site}/`);
      const [, url] = /Shared: (.*)\n/.exec(err) ?? assert.fail(err);
      assert.ok(url.startsWith(`${site}/results/`), url);
      assert.equal((await fetch(url)).status, 200);
      assert.ok(err.includes(`Study: ${site}/c?label=below\n`), err);
      assert.equal(code, 0, err);
    }
  });

  it('says what it asked where there is no site at the path', async () => {
    const { code, err } = await run('shootout', '--url', `${server.origin}/elsewhere`);
    assertComplaint(err, '--url', 'no echo');
    assert.ok(err.includes(`${server.origin}/elsewhere`), err);
    assert.equal(code, 2);
  });
});
