import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withOwnServer } from '../../cli/own-server.js';

describe('a server of one’s own', () => {
  it('has all of its threads: it looks at a run that it is sent', async () => {
    const { status, answer } = await withOwnServer(async (origin) => {
      const response = await fetch(`${origin}/api/results`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ document: {} }),
      });
      return { status: response.status, answer: await response.json() };
    });
    assert.equal(status, 400, JSON.stringify(answer));
    assert.equal(answer.error.code, 'bad-run');
  });
});
