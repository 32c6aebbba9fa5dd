import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { sendRaw } from '../support/raw-http.js';
import { openServer } from '../support/server.js';
import { createShootout, postSubmission } from '../support/submissions.js';

const LIMITS = { savesPerHour: 10_000, documentsPerMinute: 10_000 };

describe('/api/results, when many ask at once or often', () => {
  it('allows so many saves and so many deletions an hour, and so many documents a minute', async () => {
    const small = await openServer({ limits: { savesPerHour: 2, deletionsPerHour: 1, documentsPerMinute: 1 } });
    try {
      const { answer } = await postSubmission(small.origin, { document: createShootout() });
      const remove = () => fetch(`${small.origin}/api/results/${answer.id}`, { method: 'DELETE' });
      assert.deepEqual([(await remove()).status, (await remove()).status], [401, 429]);
      assert.equal((await postSubmission(small.origin, {})).status, 400);
      const many = await postSubmission(small.origin, {});
      assert.deepEqual([many.status, many.answer.error.code], [429, 'too-many']);
      assert.ok(many.headers.get('ratelimit'));
      const url = `${small.origin}/api/results/${answer.id}`;
      assert.deepEqual([(await fetch(url)).status, (await fetch(`${url}.csv`)).status], [200, 429]);
    } finally {
      await small.close();
    }
  });

  it('allows so many milliseconds a minute for the pages and the lists', async () => {
    const small = await openServer({ limits: { readMsPerMinute: 0.001 } });
    const paths = ['/api/results', '/results', '/c', '/?label=x', '/', '/api/studies/x', '/no-such-page'];
    try {
      const statuses = [];
      for (const path of paths) statuses.push((await fetch(small.origin + path)).status);
      assert.deepEqual(statuses, [200, ...paths.slice(1).map(() => 429)]);
    } finally {
      await small.close();
    }
  });

  it('allows so many milliseconds a minute for what makes every worker answer', async () => {
    const small = await openServer({ limits: { trafficMsPerMinute: 0.001 } });
    try {
      for (const path of ['/traffic/0123456789ab', '/reach/seen?probe=example-1']) {
        const statuses = [];
        for (let i = 0; i < 2; i++) statuses.push((await fetch(small.origin + path)).status);
        assert.deepEqual(statuses, [200, 429], path);
      }
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
      const slow = [connect(small.port, '127.0.0.1'), connect(small.port, '127.0.0.1')];
      const asked = new Promise((resolve) => {
        let count = 0;
        onAsked = () => {
          if (++count === 2) resolve(undefined);
        };
      });
      const request = `GET /api/results/${answer.id} HTTP/1.1\r\nHost: x\r\n\r\n`;
      slow[0].write(request);
      slow[1].write(request.replace(' HTTP', '.csv HTTP'));
      await asked;
      small.store.getDocument = getDocument;
      for (const path of [url, `${url}.csv`]) {
        const busy = await fetch(path);
        assert.deepEqual([busy.status, busy.headers.get('retry-after')], [503, '1']);
        assert.equal((await busy.json()).error.code, 'busy');
      }
      for (const client of slow) client.destroy();
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
      const slow = [connect(small.port, '127.0.0.1'), connect(small.port, '127.0.0.1')];
      const request = `GET /api/results/${answer.id} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 2001:db8:1:200::1\r\n\r\n`;
      for (const client of slow) client.write(request);
      while (askedCount < 2) await new Promise(setImmediate);
      small.store.getDocument = getDocument;
      const refused = await ask('2001:db8:1:2ff::2');
      assert.deepEqual([refused.status, (await refused.json()).error.code], [429, 'too-many']);
      assert.equal((await ask('2001:db8:1:300::1')).status, 200);
      for (const client of slow) client.destroy();
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
