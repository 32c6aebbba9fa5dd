/**
 * A client that resets its connection is no fault of the server, whose log says so.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn, setTimeout as waitMs } from 'node:timers/promises';
import { createLinesLog } from '../support/lines-log.js';
import { openServer } from '../support/server.js';
import { createShootout, postSubmission } from '../support/submissions.js';

/** @import { TestServer } from '../support/server.js' */

const BODY = JSON.stringify({ document: createShootout() });
const PAUSES_MS = [0, 1, 3, 10];

/** @param {string} path @param {number} length */
const postHead = (path, length) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
/** @param {string} path */
const getHead = (path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

describe('a connection that its client resets', () => {
  const { log, lines } = createLinesLog();
  /** @type {TestServer} */
  let server;
  let id = '';
  before(async () => {
    const limits = {
      savesPerHour: 10_000,
      documentsPerMinute: 10_000,
    };
    server = await openServer({ log, limits });
    id = (await postSubmission(server.origin, { document: createShootout() })).answer.id;
  });
  after(() => server.close());

  /** @param {string} sent @param {() => Promise<unknown>} wait before the reset */
  async function reset(sent, wait) {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(sent);
    await wait();
    socket.resetAndDestroy();
  }

  /** Gives the log's lines about what was sent on connections that were reset. @param {string} sent */
  async function resetOften(sent) {
    const first = lines.length;
    // In the same turn: then the server reads a request on a connection that has no address any more.
    await reset(sent, nextTurn);
    for (const ms of PAUSES_MS) await reset(sent, () => waitMs(ms));
    const requestsOf = () => lines.slice(first).filter(({ req }) => req);
    while (requestsOf().length < 1 + PAUSES_MS.length) await waitMs(5);
    return lines.slice(first);
  }

  for (const [what, sent] of /** @type {const} */ ([
    ['in the middle of an upload', postHead('/api/results', 2 * BODY.length) + BODY],
    ['before an upload', postHead('/api/results', BODY.length)],
    ['in the middle of a form of 2019', postHead('/submission', 5000) + BODY.slice(0, 100)],
    ['after an upload', postHead('/api/results', BODY.length) + BODY],
    ['while a list is made', getHead('/results')],
    ['while an answer is made', getHead('/api/results')],
  ])) {
    it(`is no error and no 500: ${what}`, async () => {
      const found = await resetOften(sent);
      assert.deepEqual(
        found.filter(({ level, res, err }) => level > 30 || res?.status >= 500 || err),
        [],
      );
      const cut = found.find(({ res }) => res?.status === 499);
      assert.equal(cut?.msg, 'request whose answer was not sent');
    });
  }

  for (const path of ['', '.csv']) {
    it(`is no error and no 500: while a document is sent${path && `, as ${path}`}`, async () => {
      const found = await resetOften(getHead(`/api/results/${id}${path}`));
      // Others than those of requests say what the server did meanwhile.
      const wrong = found.filter(({ level, res }) => level > 30 || (res && ![200, 499].includes(res.status)));
      assert.deepEqual(wrong, []);
    });
  }

  it('leaves others their answers, and their lines', async () => {
    await resetOften(postHead('/api/results', 2 * BODY.length) + BODY);
    assert.equal((await postSubmission(server.origin, { document: createShootout() })).status, 201);
    const { msg, level, res } = lines.findLast(({ req }) => req) ?? assert.fail();
    assert.deepEqual([msg, level, res], ['request', 30, { status: 201 }]);
  });
});
