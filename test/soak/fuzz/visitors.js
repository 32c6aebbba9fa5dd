/**
 * Well-behaved visitors, one for each kind of exchange: while others send nonsense, theirs must be right: every answer, in
 * order, once, with nobody else's bytes. What each says, only it says.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf as packetOf, SEPARATOR, SOCKETIO_PATH } from '../../support/socketio-session.js';
import { openWebSocket } from '../../support/web-socket.js';

/**
 * @import { IncomingMessage } from 'node:http'
 * @typedef {(method: string, path: string, body?: string | Buffer) => Promise<{ status: number, body: Buffer }>} Ask
 * @typedef {{ port: number, ask: Ask, name: string }} Place `name`: of this run of the visitor
 * @typedef {(round: number) => Promise<void>} Visit one exchange, or a few at once
 * @typedef {{ visit: Visit, leave?(): unknown }} Visitor
 */

/** None of the fuzz: the server may give an address only a share of what there is. */
const VISITOR_ADDRESS = '127.0.0.3';
const LOCAL = { localAddress: VISITOR_ADDRESS };
const PAUSE_MS = 5;
const AT_ONCE = 5;

/** @param {string} name @param {number} round */
const countsOf = (name, round) =>
  Array.from({ length: AT_ONCE }, (_, index) => ({ count: round * AT_ONCE + index + 1, tag: `visitor-${name}` }));

/** @param {{ count: number, tag: string }} message @param {number} step */
const answerTo = ({ count, tag }, step) => ({ count: count + step, tag });

/** @param {Place} place @param {string} path @param {{ step: number, open?: string, read?(text: string): unknown[], write?(text: string): string }} kind */
async function openEcho(
  { port, name },
  path,
  { step, open, read = (text) => [JSON.parse(text)], write = (text) => text },
) {
  const client = await openWebSocket(`ws://127.0.0.1:${port}${path}`, LOCAL);
  if (open !== undefined) assert.equal(await client.next(), open);
  return {
    /** @type {Visit} */
    async visit(round) {
      const messages = countsOf(name, round);
      for (const message of messages) client.socket.send(write(JSON.stringify(message)));
      const got = [];
      while (got.length < messages.length) got.push(...read(await client.next()));
      assert.deepEqual(
        got,
        messages.map((message) => answerTo(message, step)),
      );
    },
    leave: client.close,
  };
}

const SOCKJS = {
  open: 'o',
  write: (/** @type {string} */ text) => JSON.stringify([text]),
  read: (/** @type {string} */ frame) => {
    if (frame === 'h') return [];
    assert.equal(frame[0], 'a', frame);
    return JSON.parse(frame.slice(1)).map((/** @type {string} */ text) => JSON.parse(text));
  },
};

/** @param {string} frame of the server of 2012 */
const readValues = (frame) => (frame === 'h' ? [] : JSON.parse(frame.slice(1)));

/**
 * @param {{ name: string, next(): Promise<string[]>, send(packet: string): unknown }} session `next`: its next packets
 * @returns {Visitor} leaves by a packet
 */
const visitSocketio = ({ name, next, send }) => ({
  async visit(round) {
    const messages = countsOf(name, round);
    for (const message of messages) await send(packetOf(message));
    /** @type {string[]} */
    const got = [];
    while (got.length < messages.length) {
      for (const packet of await next()) {
        // A heartbeat wants its answer.
        if (packet === '2') await send('3');
        else got.push(packet);
      }
    }
    assert.deepEqual(
      got,
      messages.map((message) => packetOf(answerTo(message, 1))),
    );
  },
  leave: () => send('1'),
});

/** @type {Record<string, (place: Place) => Promise<Visitor>>} */
const VISITORS = {
  ajaxecho: async ({ ask, name }) => ({
    async visit(round) {
      for (const message of countsOf(name, round)) {
        const query = `count=${message.count}&tag=${message.tag}`;
        assert.deepEqual(await askJson(ask, 'GET', `/ajaxecho?${query}`), answerTo(message, 1));
        assert.deepEqual(await askJson(ask, 'POST', '/ajaxecho', JSON.stringify(message)), answerTo(message, 1));
        assert.deepEqual(await askJson(ask, 'GET', `/xhr?${query}`), answerTo(message, -1));
      }
    },
  }),
  pipeline: async ({ port, name }) => ({
    async visit(round) {
      const messages = countsOf(name, round);
      const heads = messages.map(
        ({ count, tag }, index) =>
          `GET /ajaxecho?count=${count}&tag=${tag}${index === AT_ONCE - 1 ? '&close=1' : ''} HTTP/1.1\r\nHost: x\r\n\r\n`,
      );
      const text = await sendAndRead(port, heads.join(''));
      const got = text.split(/HTTP\/1\.1 200 OK\r\n/).slice(1);
      const bodies = got.map((one) => JSON.parse(one.slice(one.indexOf('\r\n\r\n') + 4)));
      assert.deepEqual(
        bodies.map(({ count, tag }) => ({ count, tag })),
        messages.map((message) => answerTo(message, 1)),
      );
    },
  }),
  ws: (place) => openEcho(place, '/ws', { step: -1 }),
  'ws echo': (place) => openEcho(place, '/ws/echo', { step: 1 }),
  'reach ws': (place) => openEcho(place, '/reach/ws?probe=visitor-probe', { step: 0 }),
  'payload ws': (place) => openEcho(place, '/payload/ws/echo', { step: 0 }),
  'sockjs raw': (place) => openEcho(place, '/echo/websocket', { step: 1 }),
  sockjs: (place) => openEcho(place, '/echo/visitor/visitor/websocket', { step: 1, ...SOCKJS }),
  'sockjs 2012': (place) =>
    openEcho(place, '/echo2012/visitor/visitor/websocket', { step: 1, ...SOCKJS, read: readValues }),
  'payload sockjs': (place) =>
    openEcho(place, '/payload/sockjs/visitor/visitor/websocket?direction=echo', { step: 0, ...SOCKJS }),
  'sockjs fallback': async ({ ask, name }) => {
    const path = `/echo/visitor/visitor-${name}`;
    assert.equal(String((await ask('POST', `${path}/xhr`)).body), 'o\n');
    return {
      async visit(round) {
        const messages = countsOf(name, round);
        const texts = messages.map((message) => JSON.stringify(message));
        assert.equal((await ask('POST', `${path}/xhr_send`, JSON.stringify(texts))).status, 204);
        const got = [];
        while (got.length < messages.length) {
          got.push(...SOCKJS.read(String((await ask('POST', `${path}/xhr`)).body).trimEnd()));
        }
        assert.deepEqual(
          got,
          messages.map((message) => answerTo(message, 1)),
        );
      },
    };
  },
  socketio: async ({ port, name }) => {
    const client = await openWebSocket(`ws://127.0.0.1:${port}${SOCKETIO_PATH}&transport=websocket`, LOCAL);
    await client.next();
    assert.match(await client.ask('40'), /^40\{/);
    return visitSocketio({
      name,
      next: async () => [await client.next()],
      send: client.socket.send.bind(client.socket),
    });
  },
  'socketio by polls': async ({ ask, name }) => {
    const path = `${SOCKETIO_PATH}&transport=polling`;
    const { sid } = JSON.parse(String((await ask('GET', path)).body).slice(1));
    const own = `${path}&sid=${sid}`;
    const send = async (/** @type {string} */ packets) =>
      assert.deepEqual(await ask('POST', own, packets), { status: 200, body: Buffer.from('ok') });
    const next = async () => String((await ask('GET', own)).body).split(SEPARATOR);
    await send('40');
    assert.match((await next())[0], /^40\{/);
    return visitSocketio({ name, next, send });
  },
  sse: async ({ ask, name, port }) => {
    const stream = request({ port, host: '127.0.0.1', path: `/sse/visitor-${name}`, agent: false, ...LOCAL }).end();
    const [response] = /** @type {[IncomingMessage]} */ (await once(stream, 'response'));
    response.on('error', () => {});
    stream.on('error', () => {});
    const events = readEvents(response);
    return {
      async visit(round) {
        for (const message of countsOf(name, round)) {
          assert.equal((await ask('POST', `/sse/visitor-${name}`, JSON.stringify(message))).status, 204);
          assert.deepEqual((await events.next()).value, answerTo(message, 1));
        }
      },
      leave: () => stream.destroy(),
    };
  },
  payload: async ({ ask }) => ({
    async visit() {
      const bytes = randomBytes(20_000);
      assert.ok((await ask('POST', '/payload/echo', bytes)).body.equals(bytes));
      assert.equal((await askJson(ask, 'POST', '/payload/up', bytes)).bytes, bytes.length);
      assert.equal((await ask('GET', '/payload/down?bytes=5000')).body.length, 5000);
    },
  }),
  jobs: async ({ ask }) => ({
    async visit() {
      const { id } = await askJson(ask, 'POST', '/job?min=10&max=20&bytes=2000');
      const done = await ask('GET', `/job/${id}?wait=20000`);
      assert.equal(done.body.length, 2000);
      assert.deepEqual(JSON.parse(String(done.body)).id, id);
      const events = String((await ask('GET', `/job/events?ids=${id}`)).body);
      assert.equal(JSON.parse(String(/^data: (.*)$/m.exec(events)?.[1])).id, id);
    },
  }),
};

/**
 * @param {number} port @param {(what: string) => void} onFailure the first of each visitor, who then leaves
 * @returns {Promise<() => Promise<void>>} ends them all, each after one round at least
 */
export async function startVisitors(port, onFailure) {
  const agent = new Agent({ keepAlive: true, ...LOCAL });
  const ask = createAsk(port, agent);
  const name = randomBytes(4).toString('hex');
  let isOver = false;
  const ended = Object.entries(VISITORS).map(async ([kind, open]) => {
    let round = 0;
    try {
      const { visit, leave } = await open({ port, ask, name: `${kind.replaceAll(' ', '-')}-${name}` });
      try {
        for (; !isOver || round === 0; round++) {
          await visit(round);
          await sleep(PAUSE_MS);
        }
      } finally {
        // A request on its way would be cut off with the others.
        await leave?.();
      }
    } catch (error) {
      onFailure(`visitor (${kind}), round ${round}: ${error instanceof Error ? error.stack : error}`);
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(ended);
    agent.destroy();
  };
}

/** @param {number} port @param {Agent} agent @returns {Ask} */
function createAsk(port, agent) {
  return async (method, path, body) => {
    const headers = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const asked = request({ port, host: '127.0.0.1', method, path, agent, headers });
    asked.end(body);
    const [response] = /** @type {[IncomingMessage]} */ (await once(asked, 'response'));
    const chunks = [];
    for await (const chunk of response) chunks.push(chunk);
    return { status: Number(response.statusCode), body: Buffer.concat(chunks) };
  };
}

/** @param {Ask} ask @param {Parameters<Ask>} args @returns {Promise<any>} */
const askJson = async (ask, ...args) => JSON.parse(String((await ask(...args)).body));

/** @param {AsyncIterable<Buffer>} response @returns {AsyncGenerator<unknown>} */
async function* readEvents(response) {
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    const events = text.split('\n\n');
    text = String(events.pop());
    for (const event of events) if (event.startsWith('data: ')) yield JSON.parse(event.slice(6));
  }
}

/** @param {number} port @param {string} bytes @returns {Promise<string>} what came until the server closed */
async function sendAndRead(port, bytes) {
  const socket = connect({ port, host: '127.0.0.1', ...LOCAL });
  socket.write(bytes);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}
