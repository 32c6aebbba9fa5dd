import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runProgram } from '../support/program.js';
import { openServer } from '../support/server.js';

/** @import { TestServer } from '../support/server.js' */

describe('sockshootout study', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server?.close());

  /** @param {...string} args */
  const study = (...args) => runProgram('cli/sockshootout.js', ['study', ...args]);

  it('makes a study, changes it by its key, and deletes it', async () => {
    const site = ['--url', server.origin];
    const made = await study(
      'shop',
      '--users',
      '--origin',
      'https://shop.example',
      '--sample',
      '5%',
      '--json',
      ...site,
    );
    assert.equal(made.code, 0, made.err);
    const { key, line, study: address } = JSON.parse(made.out);
    assert.ok(line.includes(`${server.origin}/field.js`) && line.includes('data-sample="5%"'));
    assert.equal(address, `${server.origin}/c?label=shop`);
    const again = await study('shop', '--users', '--origin', 'https://shop.example', ...site);
    assert.deepEqual([again.code, again.out], [1, '']);
    assert.match(again.err, /label: expected /);
    const stopped = await study('shop', '--key', key, '--stop', ...site);
    assert.match(stopped.out, /Measures none of the browsers/);
    assert.equal((await server.store.getFieldStudy('shop'))?.isOn, false);
    assert.equal((await study('shop', '--key', 'x'.repeat(32), '--start', ...site)).code, 1);
    assert.equal((await study('shop', '--key', key, '--delete', ...site)).code, 0);
    assert.equal(await server.store.getFieldStudy('shop'), undefined);
  });

  it('says what is wrong with its arguments', async () => {
    const site = ['--url', server.origin];
    for (const [args, name] of /** @type {[string[], string][]} */ ([
      [['shop', ...site], 'study: expected --users'],
      [['shop', '--users', ...site], '--origin: expected '],
      [['shop', '--users', '--origin', 'shop.example', ...site], '--origin: expected '],
      [['shop', '--users', '--origin', 'https://x.example', '--sample', '0', ...site], '--sample: expected '],
      [['shop', '--stop', ...site], '--stop: expected '],
      [['shop', '--key', 'x', ...site], '--key: expected '],
      [['shop', '--users', '--origin', 'https://x.example', '--url', 'nothing'], '--url: expected '],
    ])) {
      const { code, err } = await study(...args);
      assert.equal(code, 2, args.join(' '));
      assert.ok(err.includes(name), err);
    }
  });
});
