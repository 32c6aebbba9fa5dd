import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createJobs, formatJob } from '../../server/endpoints/jobs.js';
import { spawnServer } from '../support/server.js';
import { withServer } from '../support/two-workers.js';
import { openWebSocket } from '../support/web-socket.js';
import { withFolder } from '../support/folder.js';

const RUN = 'run-of_jobs1';
const SECRET = Buffer.from('a secret of this test');

describe('the memory of a server', () => {
  it('does not grow with the number of jobs that were made', async () => {
    const gc = exposeGc();
    const jobs = createJobs({ secret: SECRET });
    /** @param {number} count */
    const makeAndPoll = (count) => {
      for (let i = 0; i < count; i++) {
        const { id } = jobs.make({ trialId: RUN, seed: i, minMs: 0, maxMs: 10_000 });
        // Each tenth is polled, too, which is as much work.
        const job = i % 10 === 0 ? jobs.find(id) : undefined;
        if (job) assert.ok(formatJob(job, jobs.isComplete(job)).includes(id));
      }
    };
    await withServer({}, async ({ port }) => {
      const { socket, close } = await openWebSocket(`ws://127.0.0.1:${port}/ws/jobs?trial=${RUN}`);
      /** @param {number} count */
      const share = async (count) => {
        let leftCount = 2 * count;
        let sentCount = 0;
        const send = () => {
          if (sentCount++ < count) socket.send('{"max":0}');
        };
        const done = new Promise((resolve) => {
          socket.removeAllListeners('message').on('message', () => {
            leftCount--;
            if (leftCount % 2 === 0) send();
            if (leftCount === 0) resolve(undefined);
          });
        });
        for (let i = 0; i < 500; i++) send();
        await done;
      };
      const heapBytes = () => {
        gc();
        return process.memoryUsage().heapUsed;
      };
      makeAndPoll(2000);
      await share(2000);
      const before = heapBytes();
      makeAndPoll(200_000);
      await share(10_000);
      const grownBytes = heapBytes() - before;
      // A job that was kept would be at least its id.
      assert.ok(grownBytes < (210_000 * 48) / 4, `grown by ${grownBytes} bytes`);
      close();
    });
  });
});

describe('jobs', () => {
  it('outlast the process that made them', () =>
    withFolder(async (folder) => {
      const env = { DATA_DIR: path.join(folder, 'data') };
      const first = spawnServer(env);
      const made = await make(await first.origin(), 'min=1&max=1').finally(() => first.stop());
      const second = spawnServer(env);
      try {
        const { answer } = await ask(`${await second.origin()}/job/${made.id}`);
        assert.deepEqual(answer, { ...made, complete: true, durationMs: 1 });
      } finally {
        await second.stop();
      }
    }));
});

/** @param {string} origin @param {string} query */
const make = async (origin, query) => (await fetch(`${origin}/job?${query}`, { method: 'POST' })).json();

/** @param {string} url */
const ask = async (url) => ({ answer: await (await fetch(url)).json() });

/** @returns {() => void} collects what is garbage, which a program may not ask for by itself */
function exposeGc() {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}
