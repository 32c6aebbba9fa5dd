/**
 * The clients of the experiments before this site, by what they send and what they read: each works against the endpoints.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import SockJS from 'sockjs-client';
import { openServer } from '../support/server.js';
import { withTwoWorkers } from '../support/two-workers.js';
import { openWebSocket } from '../support/web-socket.js';

/** @import { TestServer } from '../support/server.js' */

const ITERATIONS = 20;
const COUNTS = Array.from({ length: ITERATIONS }, (_, i) => i + 1);

/** @type {TestServer} */
let server;
before(async () => {
  server = await openServer();
});
after(() => server.close());

/**
 * The loop of 2012's page: it sends text, and reads the count of the object that comes.
 *
 * @param {string} transport
 * @param {string} [origin]
 * @returns {Promise<number[]>} the counts, as the page read them
 */
function loopOf2012(transport, origin = server.origin) {
  // Its own limit for connecting is some round trips, which a busy machine exceeds.
  const socket = new SockJS(`${origin}/echo2012`, null, { transports: transport, timeout: 60_000 });
  /** @type {number[]} */
  const counts = [];
  return new Promise((resolve, reject) => {
    socket.onopen = () => socket.send(JSON.stringify({ count: 0 }));
    socket.onclose = ({ code, reason }) => reject(new Error(`${transport}: closed: ${code} ${reason}`));
    socket.onmessage = ({ data }) => {
      const { count } = /** @type {any} */ (data);
      counts.push(count);
      if (count < ITERATIONS) {
        socket.send(JSON.stringify({ count }));
        return;
      }
      socket.onclose = () => resolve(counts);
      socket.close();
    };
  });
}

/** @param {string} path of a session, and what is asked of it @param {string} [body] */
async function post(path, body = '') {
  const response = await fetch(`${server.origin}/echo2012/000/${path}`, { method: 'POST', body });
  return { status: response.status, text: await response.text() };
}

describe('the SockJS page of 2012', () => {
  for (const transport of ['websocket', 'xhr-streaming', 'xhr-polling']) {
    it(`counts up by ${transport}`, async () => {
      assert.deepEqual(await loopOf2012(transport), COUNTS);
    });
  }

  it('counts up whichever worker it asks', () =>
    withTwoWorkers(async (workers) => {
      // Of sixteen sessions some belong to either worker.
      const loops = Array.from({ length: 16 }, (_, i) => loopOf2012('xhr-streaming', workers[i % 2].origin));
      for (const counts of await Promise.all(loops)) assert.deepEqual(counts, COUNTS);
    }));

  it('is counted under a name of its own', async () => {
    const echoCount = async () => {
      const text = await (await fetch(`${server.origin}/metrics`)).text();
      const name = 'sockshootout_echoes_total{transport="sockjs 2012 websocket",worker="0"} ';
      return Number(text.split(name)[1]?.split('\n')[0] ?? 0);
    };
    const before = await echoCount();
    await loopOf2012('websocket');
    assert.equal((await echoCount()) - before, ITERATIONS);
  });

  for (const [messages, code] of /** @type {[string, string][]} */ ([
    ['["x"]', 'bad-json'],
    ['[""]', 'bad-json'],
    ['["null"]', 'bad-json'],
    ['["{}"]', 'bad-count'],
    ['["{\\"count\\":\\"1\\"}"]', 'bad-count'],
    ['[{"count":1}]', 'bad-message'],
    ['[null]', 'bad-message'],
    ['null', 'bad-message'],
    [JSON.stringify([`{"count":1,"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`]), 'too-deep'],
  ])) {
    it(`gets an error object for ${messages.slice(0, 50)}, and goes on`, async () => {
      const { next, ask, close } = await openWebSocket(`ws://127.0.0.1:${server.port}/echo2012/000/bad/websocket`);
      assert.equal(await next(), 'o');
      const [{ error }] = JSON.parse(/** @type {string} */ (await ask(messages)).slice(1));
      assert.equal(error.code, code);
      assert.match(error.message, /\w+: expected .+/);
      assert.equal(await ask('["{\\"count\\":7}"]'), 'a[{"count":8}]');
      close();
    });
  }

  it('is closed after a frame that is no JSON, and the server goes on', async () => {
    const { socket, next, closed } = await openWebSocket(`ws://127.0.0.1:${server.port}/echo2012/000/bad/websocket`);
    assert.equal(await next(), 'o');
    socket.send('["{');
    assert.equal((await closed).code, 3000);
    assert.deepEqual(await loopOf2012('websocket'), COUNTS);
  });

  it('gets what waited between two polls in one frame, in order', async () => {
    await post('waiting/xhr');
    for (const count of [0, 1, 2]) await post('waiting/xhr_send', JSON.stringify([JSON.stringify({ count })]));
    assert.equal((await post('waiting/xhr')).text, 'a[{"count":1},{"count":2},{"count":3}]\n');
  });

  it('gets text over the raw WebSocket', async () => {
    const { ask, close } = await openWebSocket(`ws://127.0.0.1:${server.port}/echo2012/websocket`);
    assert.equal(await ask('{"count":0}'), '{"count":1}');
    close();
  });

  it('gets objects in the frames of a WebSocket', async () => {
    const { next, ask, close } = await openWebSocket(`ws://127.0.0.1:${server.port}/echo2012/000/old/websocket`);
    assert.equal(await next(), 'o');
    assert.equal(await ask('["{\\"count\\":0}"]'), 'a[{"count":1}]');
    assert.equal(await ask('["{\\"count\\":1,\\"text\\":\\"\\u2028\\"}"]'), 'a[{"count":2,"text":"\\u2028"}]');
    const refused = /** @type {string} */ (await ask('["{\\"count\\":-1}"]'));
    assert.equal(JSON.parse(refused.slice(1))[0].error.code, 'bad-count');
    assert.equal(await ask('["{\\"count\\":7}"]'), 'a[{"count":8}]');
    close();
  });

  it('gets objects in the frames of a fallback', async () => {
    assert.deepEqual(await post('polled/xhr'), { status: 200, text: 'o\n' });
    assert.equal((await post('polled/xhr_send', '["{\\"count\\":0}"]')).status, 204);
    assert.deepEqual(await post('polled/xhr'), { status: 200, text: 'a[{"count":1}]\n' });
    assert.equal((await post('polled/xhr_send', '["x","{\\"count\\":1}"]')).status, 204);
    const { text } = await post('polled/xhr');
    const [refused, answered] = JSON.parse(text.slice(1));
    assert.deepEqual([refused.error.code, answered], ['bad-json', { count: 2 }]);
  });

  it('counts up by the frames of xhr-polling', async () => {
    assert.equal((await post('loop/xhr')).text, 'o\n');
    for (let count = 0; count < ITERATIONS; count++) {
      assert.equal((await post('loop/xhr_send', JSON.stringify([JSON.stringify({ count })]))).status, 204);
      assert.equal((await post('loop/xhr')).text, `a[{"count":${count + 1}}]\n`);
    }
  });

  it('counts up by the frames of jsonp-polling, the last resort of old browsers', async () => {
    const url = `${server.origin}/echo2012/000/script/jsonp`;
    /** What the script that comes calls the page's function with. */
    const poll = async () => {
      const [, frame] = /^\/\*\*\/page\((".*")\);\r\n$/.exec(await (await fetch(`${url}?c=page`)).text()) ?? [];
      return JSON.parse(String(frame));
    };
    assert.equal(await poll(), 'o');
    for (let count = 0; count < ITERATIONS; count++) {
      const body = new URLSearchParams({ d: JSON.stringify([JSON.stringify({ count })]) });
      const sent = await fetch(`${url}_send`, { method: 'POST', body });
      assert.deepEqual([sent.status, await sent.text()], [200, 'ok']);
      assert.equal(await poll(), `a[{"count":${count + 1}}]`);
    }
  });

  it('still gets text from /echo', async () => {
    const { next, ask, close } = await openWebSocket(`ws://127.0.0.1:${server.port}/echo/000/new/websocket`);
    assert.equal(await next(), 'o');
    assert.equal(await ask('["{\\"count\\":0}"]'), 'a["{\\"count\\":1}"]');
    close();
  });
});

describe('the JMeter plan of 2018', () => {
  it('makes a job, numbers its polls until that is done, then makes the next', async () => {
    /** @type {string[]} */
    const ids = [];
    for (let number = 0; number < 3; number++) {
      const { id } = await (await fetch(`${server.origin}/job?min=60&max=60`, { method: 'POST' })).json();
      let attempt = 1;
      const ask = async () => {
        const response = await fetch(`${server.origin}/job/${id}?attempt=${attempt++}&thread=${number}`);
        assert.equal(response.status, 200);
        const job = await response.json();
        assert.equal(job.id, id);
        return job.complete;
      };
      while (!(await ask())) await sleep(20);
      ids.push(id);
    }
    assert.equal(new Set(ids).size, 3);
  });

  it('gets a clear error for a wait that is none', async () => {
    const { id } = await (await fetch(`${server.origin}/job?min=0&max=0`, { method: 'POST' })).json();
    const response = await fetch(`${server.origin}/job/${id}?attempt=1&wait=x`);
    assert.deepEqual([response.status, (await response.json()).error.code], [400, 'bad-option']);
  });
});
