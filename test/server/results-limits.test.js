import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { sendRaw } from '../support/raw-http.js';
import { openServer } from '../support/server.js';
import { createShootout, postSubmission } from '../support/submissions.js';

const LIMITS = { savesPerHour: 10_000, readsPerMinute: 10_000 };

describe('/api/results, when many ask at once or often', () => {
  it('allows so many saves and so many deletions an hour, and so many reads a minute of the API and the pages', async () => {
    const small = await openServer({ limits: { savesPerHour: 2, deletionsPerHour: 1, readsPerMinute: 3 } });
    try {
      const { answer } = await postSubmission(small.origin, { document: createShootout() });
      const remove = () => fetch(`${small.origin}/api/results/${answer.id}`, { method: 'DELETE' });
      assert.deepEqual([(await remove()).status, (await remove()).status], [401, 429]);
      assert.equal((await postSubmission(small.origin, {})).status, 400);
      const many = await postSubmission(small.origin, {});
      assert.deepEqual([many.status, many.answer.error.code], [429, 'too-many']);
      assert.ok(many.headers.get('ratelimit'));
      const reads = [];
      for (const path of [
        '/api/results',
        '/results',
        `/results/${answer.id}`,
        '/c',
        '/api/results',
        '/?label=x',
        '/',
      ]) {
        reads.push((await fetch(small.origin + path)).status);
      }
      assert.deepEqual(reads, [200, 200, 200, 429, 429, 429, 200]);
    } finally {
      await small.close();
    }
  });

  it('sends so many documents at once, and has room again for those whose clients are gone', async () => {
    const small = await openServer({ limits: { ...LIMITS, answerCount: 2 } });
    try {
      const { answer } = await postSubmission(small.origin, { document: createShootout() });
      const url = `${small.origin}/api/results/${answer.id}`;
      const { getDocument } = small.store;
      /** @type {() => void} */
      let onAsked = () => {};
      small.store.getDocument = () => {
        onAsked();
        return new Promise(() => {});
      };
      // On one connection: the second answer stands in line behind the first.
      const slow = connect(small.port, '127.0.0.1');
      const asked = new Promise((resolve) => {
        let count = 0;
        onAsked = () => {
          if (++count === 2) resolve(undefined);
        };
      });
      const request = `GET /api/results/${answer.id} HTTP/1.1\r\nHost: x\r\n\r\n`;
      slow.write(request + request.replace(' HTTP', '.csv HTTP'));
      await asked;
      small.store.getDocument = getDocument;
      for (const path of [url, `${url}.csv`]) {
        const busy = await fetch(path);
        assert.deepEqual([busy.status, busy.headers.get('retry-after')], [503, '1']);
        assert.equal((await busy.json()).error.code, 'busy');
      }
      slow.destroy();
      const read = async () => {
        const response = await fetch(url);
        await response.text();
        return response.status;
      };
      let status = 503;
      // The server learns of it a moment later.
      while (status === 503) status = await read();
      assert.equal(status, 200);
      const both = await Promise.all([fetch(url), fetch(`${url}.csv`)]);
      assert.deepEqual(
        both.map((response) => response.status),
        [200, 200],
      );
    } finally {
      await small.close();
    }
  });

  it('sends few documents at once to one address, so that the others get theirs', async () => {
    const small = await openServer({ env: { TRUST_PROXY: '1' }, limits: { ...LIMITS, answerCount: 3 } });
    try {
      const { answer } = await postSubmission(small.origin, { document: createShootout() });
      const url = `${small.origin}/api/results/${answer.id}`;
      const ask = (/** @type {string} */ from) => fetch(url, { headers: { 'X-Forwarded-For': from } });
      const { getDocument } = small.store;
      let askedCount = 0;
      small.store.getDocument = () => {
        askedCount++;
        return new Promise(() => {});
      };
      const slow = connect(small.port, '127.0.0.1');
      const request = `GET /api/results/${answer.id} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 2001:db8:1:200::1\r\n\r\n`;
      slow.write(request + request);
      while (askedCount < 2) await new Promise(setImmediate);
      small.store.getDocument = getDocument;
      const refused = await ask('2001:db8:1:2ff::2');
      assert.deepEqual([refused.status, (await refused.json()).error.code], [429, 'too-many']);
      assert.equal((await ask('2001:db8:1:300::1')).status, 200);
      slow.destroy();
      let status = 429;
      // The server learns of it a moment later.
      while (status !== 200) ({ status } = await ask('2001:db8:1:2ff::2'));
    } finally {
      await small.close();
    }
  });

  it('ends the connection of a client that does not read a document', async () => {
    const small = await openServer({ limits: { ...LIMITS, answerMs: 50 } });
    try {
      const { answer } = await postSubmission(small.origin, { document: createShootout() });
      small.store.getDocument = () => new Promise(() => {});
      const text = await sendRaw(small.port, `GET /api/results/${answer.id} HTTP/1.1\r\nHost: x\r\n\r\n`);
      assert.equal(text, '');
    } finally {
      await small.close();
    }
  });
});
