/** Streams through a real nginx, in front of two workers below a path: by every method, and what a cut costs. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { before, describe, it } from 'node:test';
import { streamMethods } from '../../core/net/stream/index.js';
import { formatStreamQuery } from '../../core/net/stream/stream.js';
import { runProgram } from '../../test/support/program.js';
import { withTwoWorkers } from '../../test/support/two-workers.js';
import { requireNginx, withNginx } from './support/nginx.js';

/**
 * @import { StreamDocument } from '../../core/experiments/stream/schema.js'
 * @import { Nginx } from './support/nginx.js'
 */

const BASE_PATH = '/shootout';
const ENV = { BASE_PATH, TRUST_PROXY: '1', JOB_SECRET: 'a-secret-of-both-workers' };
const PIECES = 20;
const PLAN = `methods=${Object.keys(streamMethods)}&today=fetch&pieces=${PIECES}&rate=20&spread=0&blocks=1&seed=3`;

before(requireNginx);

/** @param {(site: string, nginx: Nginx) => Promise<unknown>} use */
const withSite = (use) =>
  withTwoWorkers(
    (_workers, port) =>
      withNginx(['--base-path', BASE_PATH, '--workers', '2', '--port', String(port)], (nginx) =>
        use(`https://127.0.0.1:${nginx.port}${BASE_PATH}`, nginx),
      ),
    ENV,
  );

/** @param {string} plan @returns {Promise<StreamDocument>} */
async function run(plan) {
  /** @type {StreamDocument | undefined} */
  let document;
  await withSite(async (site, nginx) => {
    const args = ['run', 'stream', '--url', site, '--plan', `?${plan}`, '--json', '--quiet'];
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: nginx.certificatePath };
    const { out, err } = await runProgram('cli/sockshootout.js', args, { env });
    assert.ok(out, err);
    document = JSON.parse(out);
  });
  return /** @type {StreamDocument} */ (document);
}

describe('a stream through nginx', { concurrency: true }, () => {
  it('comes piece by piece, several at once, by every method', async () => {
    const { trials } = await run(`${PLAN}&at-once=3`);
    assert.equal(trials.length, Object.keys(streamMethods).length);
    for (const { streamedBy: method, streams } of trials) {
      for (const { atMs, reads, failure } of streams) {
        assert.deepEqual([method, failure, atMs.length], [method, undefined, PIECES]);
        // Held back they would come together; polls do.
        if (method !== 'poll' && reads) assert.ok(reads.length > PIECES / 2, `${method}: ${reads}`);
      }
    }
  });

  it('is lost at its cut, but by methods that resume, which lose nothing', async () => {
    const { trials } = await run(`${PLAN}&at-once=1&cut=reset`);
    for (const { streamedBy: method, streams } of trials) {
      const [{ atMs, lostAtMs, failure }] = streams;
      const { resumes } = streamMethods[method];
      const goesOn = resumes === true || method === 'poll';
      assert.deepEqual(
        { method, isWhole: atMs.length === PIECES, lost: lostAtMs.length, outcome: failure?.outcome },
        { method, isWhole: goesOn, lost: resumes ? 1 : 0, outcome: goesOn ? undefined : 'closed' },
      );
      // A client that is slow loses what it has not read when it is reset.
      assert.ok(goesOn || (atMs.length > 0 && atMs.length <= PIECES / 2), `${method}: ${atMs.length}`);
    }
  });

  it('comes piece by piece over HTTP/2', () =>
    withSite(async (site, { certificate }) => {
      const session = connect(new URL(site).origin, { ca: certificate });
      const query = formatStreamQuery({ pieces: PIECES, bytes: 12, rate: 20, spread: 0, seed: 1 });
      for (const path of ['/pieces', '/pieces/events']) {
        const stream = session.request({ ':path': `${BASE_PATH}${path}?${query}` });
        let chunkCount = 0;
        stream.on('data', () => chunkCount++);
        await once(stream, 'end');
        assert.ok(chunkCount > PIECES / 2, `${path}: ${chunkCount}`);
      }
      session.close();
    }));
});
