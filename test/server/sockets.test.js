import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openServer } from '../support/server.js';
import { openSession } from '../support/sockjs-session.js';
import { openWebSocket } from '../support/web-socket.js';

/** @import { TestServer } from '../support/server.js' */

const MIB = 1024 * 1024;
/** @param {unknown} value */
const json = (value) => JSON.stringify(value);

/** How a message goes over each socket: its path, its step, its framing there and back. */
const SOCKETS = {
  '/ws': { step: -1, frame: (/** @type {string} */ text) => text, unframe: (/** @type {string} */ text) => text },
  ...Object.fromEntries(
    ['/ws/echo', '/echo/websocket', '/echo2012/websocket'].map((path) => [
      path,
      { step: 1, frame: (/** @type {string} */ text) => text, unframe: (/** @type {string} */ text) => text },
    ]),
  ),
  '/echo/000/session/websocket': {
    step: 1,
    frame: (/** @type {string} */ text) => json([text]),
    unframe: (/** @type {string} */ frame) => JSON.parse(frame.slice(1))[0],
  },
  '/echo2012/000/session/websocket': {
    step: 1,
    frame: (/** @type {string} */ text) => json([text]),
    unframe: (/** @type {string} */ frame) => /^a\[(\{.*\})\]$/.exec(frame)?.[1] ?? '',
  },
};

for (const [path, { step, frame, unframe }] of Object.entries(SOCKETS)) {
  describe(`the socket at ${path}`, () => {
    /** @type {TestServer} */
    let server;
    before(async () => {
      server = await openServer();
    });
    after(() => server.close());

    const open = async () => {
      const socket = await openWebSocket(`ws://127.0.0.1:${server.port}${path}`);
      if (path.includes('session')) assert.equal(await socket.next(), 'o');
      return {
        ...socket,
        /** @param {string} text */
        ask: async (text) => JSON.parse(unframe(await socket.ask(frame(text)))),
      };
    };

    /** @type {[string, object | string][]} message, answer (or its error code) */
    const table = [
      ['{"count":10}', { count: 10 + step }],
      ['{"count":0}', { count: step }],
      [`{"count":${Number.MAX_SAFE_INTEGER}}`, { count: Number.MAX_SAFE_INTEGER + step }],
      ['{"count":1,"body":"Söckchen","x":[{"y":null}]}', { count: 1 + step, body: 'Söckchen', x: [{ y: null }] }],
      ['{"count":-1}', 'bad-count'],
      ['{"count":"1"}', 'bad-count'],
      ['{"count":1.5}', 'bad-count'],
      ['{}', 'bad-count'],
      ['[]', 'bad-json'],
      ['null', 'bad-json'],
      ['"ping"', 'bad-json'],
      ['{"count":', 'bad-json'],
      [`{"count":1,"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'too-deep'],
    ];
    for (const [message, expected] of table) {
      it(`answers ${message.slice(0, 50)} and stays open`, async () => {
        const socket = await open();
        try {
          const answer = await socket.ask(message);
          if (typeof expected === 'string') assert.equal(answer.error.code, expected);
          else assert.deepEqual(answer, expected);
          assert.deepEqual(await socket.ask('{"count":5}'), { count: 5 + step });
        } finally {
          socket.close();
        }
      });
    }

    it('answers in the order it was asked', async () => {
      const socket = await open();
      try {
        for (let count = 0; count < 500; count++) socket.socket.send(frame(json({ count })));
        const answers = [];
        while (answers.length < 500) {
          const text = await socket.next();
          // SockJS may put several messages into one frame.
          answers.push(...(text.startsWith('a[') ? JSON.parse(text.slice(1)) : [text]));
        }
        assert.deepEqual(
          answers.map((answer) => (typeof answer === 'string' ? JSON.parse(answer) : answer).count),
          answers.map((_, count) => count + step),
        );
      } finally {
        socket.close();
      }
    });

    it('says who answers', async () => {
      const socket = await open();
      try {
        assert.equal((await socket.ask('{"whoami":true}')).server, 'test');
      } finally {
        socket.close();
      }
    });

    it('closes with 1009 on a message above the limit, and the server goes on', async () => {
      const socket = await open();
      socket.socket.send('x'.repeat(MIB + 1));
      assert.equal((await socket.closed).code, 1009);
      const next = await open();
      assert.deepEqual(await next.ask('{"count":5}'), { count: 5 + step });
      next.close();
    });

    it('closes with 1009 on a message that grows above the limit in fragments', async () => {
      const socket = await open();
      for (let part = 0; part < 20; part++) socket.socket.send('x'.repeat(MIB / 16), { fin: false });
      assert.equal((await socket.closed).code, 1009);
    });

    it('takes a message just below the limit', async () => {
      const socket = await open();
      try {
        const body = 'x'.repeat(MIB - 100);
        assert.equal((await socket.ask(json({ count: 1, body }))).body, body);
      } finally {
        socket.close();
      }
    });

    it('survives frames that break the protocol', async () => {
      for (const bytes of [
        [0x81, 0x05, 1, 2, 3], // not masked
        [0xf1, 0x80, 0, 0, 0, 0], // reserved bits
        [0x83, 0x80, 0, 0, 0, 0], // unknown opcode
        [0x89, 0xfe, 0x01, 0x00, 0, 0, 0, 0], // a ping that is too long
        [0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0], // a length beyond reason
        [0x81, 0x81, 0, 0, 0, 0, 0xff], // text that is not UTF-8
        [0x88, 0x81, 0, 0, 0, 0, 0x03], // half a close code
      ]) {
        const socket = await open();
        /** @type {any} */ (socket.socket)._socket.write(Buffer.from(bytes));
        /** @type {any} */ (socket.socket)._socket.end();
        await socket.closed;
      }
      const next = await open();
      assert.deepEqual(await next.ask('{"count":5}'), { count: 5 + step });
      next.close();
    });

    it('refuses what is not text', async () => {
      const socket = await open();
      try {
        if (path.includes('session')) {
          // SockJS parses whatever comes; a frame that holds no string is a message of another type.
          socket.socket.send('[{"count":1}]');
          assert.equal(JSON.parse(unframe(await socket.next())).error.code, 'bad-message');
        } else {
          socket.socket.send(Buffer.from('{"count":1}'));
          assert.equal(JSON.parse(unframe(await socket.next())).error.code, 'bad-message');
        }
      } finally {
        socket.close();
      }
    });
  });
}

describe('a frame of SockJS’s', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());

  /** @param {string} path */
  const open = async (path) => {
    const socket = await openWebSocket(`ws://127.0.0.1:${server.port}${path}`);
    assert.equal(await socket.next(), 'o');
    return socket;
  };

  it('whose first message closes the session may hold more, and the server goes on', async () => {
    const socket = await open('/jobs/000/session/websocket');
    socket.socket.send(json(['x'.repeat(2000), '{}', '{}']));
    assert.match(await socket.next(), /^c\[1009,/);
    await socket.closed;
    (await open('/jobs/000/session/websocket')).close();
  });

  it('that is full of messages is refused before it is parsed, and the server goes on', async () => {
    for (const prefix of ['/echo', '/echo2012', '/jobs']) {
      const path = `${prefix}/000/session/websocket`;
      const socket = await open(path);
      socket.socket.send(`[${Array(20_000).fill('{}').join(',')}]`);
      assert.match(await socket.next(), /^c\[1008,"Too many messages/, path);
      await socket.closed;
    }
  });

  it('may hold a long text with whatever in it', async () => {
    const socket = await open('/echo/000/session/websocket');
    const body = '[{"x":"\\\\"},'.repeat(20_000);
    const answer = JSON.parse((await socket.ask(json([json({ count: 1, body })]))).slice(1));
    assert.equal(JSON.parse(answer[0]).body, body);
    socket.close();
  });

  it('full of messages is not taken over a fallback, either', async () => {
    const session = await openSession(`${server.origin}/payload/sockjs?direction=up`, 'xhr-streaming');
    for (let i = 0; i < 20_000; i++) session.send('');
    const allAnswered = async () => {
      for (let i = 0; i < 20_000; i++) await session.next();
    };
    const end = await Promise.race([session.closed, allAnswered()]);
    assert.equal(end?.code, 1008);
    assert.match(end.reason, /^Too many messages/);
  });
});

describe('/ws', () => {
  it('answers ping with pong', async () => {
    const server = await openServer();
    const socket = await openWebSocket(`ws://127.0.0.1:${server.port}/ws`);
    try {
      assert.equal(await socket.ask('ping'), 'pong');
    } finally {
      socket.close();
      await server.close();
    }
  });

  it('closes a peer that answers no heartbeat', async () => {
    const server = await openServer({ limits: { heartbeatMs: 30 } });
    const socket = await openWebSocket(`ws://127.0.0.1:${server.port}/ws`, { autoPong: false });
    try {
      assert.equal((await socket.closed).code, 1006);
    } finally {
      await server.close();
    }
  });
});
