import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeAnswers } from '../../../core/recording/news.js';
import { START_MS } from '../../support/har.js';

/** @param {readonly object[]} answers @returns what is new of it as text: N for new, - for nothing new */
function judge(answers) {
  const timed = answers.map((answer, i) => ({
    status: 200,
    atMs: START_MS + 2000 * i,
    endMs: START_MS + 2000 * i + 100,
    ...answer,
  }));
  const { isNew, by, ignoresClock } = judgeAnswers(timed);
  return [isNew.map((one) => (one ? 'N' : '-')).join(''), by, ...(ignoresClock ? ['clock'] : [])];
}

/** @param {readonly unknown[]} values */
const bodies = (values) => values.map((value) => ({ body: typeof value === 'string' ? value : JSON.stringify(value) }));

describe('an answer is new', () => {
  for (const [name, values, expected] of /** @type {[string, unknown[], string][]} */ ([
    ['where its state is another', ['a', 'a', 'b', 'b', 'a', 'a'], 'N-N-N-'],
    ['where it has items since a cursor', [[], [], [1], [], [], [2], []], '--N--N-'],
    [
      'where a list within it has items',
      [
        { items: [], at: 1 },
        { items: [7], at: 2 },
        { items: [], at: 2 },
      ],
      'NN-',
    ],
    [
      'where something else than an empty list differs',
      [
        { errors: [], is: 'on' },
        { errors: [], is: 'off' },
      ],
      'NN',
    ],
    [
      'where a list gets empty and more changes',
      [
        { jobs: [1], done: 0 },
        { jobs: [], done: 1 },
      ],
      'NN',
    ],
    ['unless it says that there is nothing', ['', '{}', 'null', '[ ]', ''], '-----'],
    ['where a count changes', [{ unread: 0 }, { unread: 0 }, { unread: 3 }, { unread: 0 }], 'N-NN'],
  ])) {
    it(name, () => assert.deepEqual(judge(bodies(values)), [expected, 'body']));
  }

  it('whatever the server’s clock in it says', () => {
    for (const format of [
      (/** @type {number} */ ms) => ms,
      (/** @type {number} */ ms) => Math.round(ms / 1000),
      (/** @type {number} */ ms) => new Date(ms).toISOString(),
    ]) {
      const values = [1, 1, 2, 2, 2, 3].map((state, i) => ({ now: format(START_MS + 2000 * i + 60), state }));
      assert.deepEqual(judge(bodies(values)), ['N-N--N', 'body', 'clock']);
    }
  });

  it('where the time in it is that of an event', () => {
    const values = [0, 1, 2, 3].map((i) => ({ last: START_MS - 60_000 + i }));
    assert.deepEqual(judge(bodies(values)), ['NNNN', 'body']);
  });

  it('by its status, where bodies are missing and the server answers 304', () => {
    assert.deepEqual(judge([200, 304, 304, 200, 304].map((status) => ({ status, size: 9 }))), ['N--N-', 'status']);
  });

  it('by its body, where only answers with something new have one', () => {
    assert.deepEqual(judge([{ body: 'a' }, { status: 304 }, { body: 'b' }, { status: 304 }]), ['N-N-', 'body']);
    assert.deepEqual(judge([{ status: 204 }, { body: 'b' }, { status: 204 }]), ['-N-', 'body']);
  });

  it('by its ETag, then by its size, where bodies are missing', () => {
    const tags = ['"a"', '"a"', '"b"', '"b"'].map((etag) => ({ etag, size: 9 }));
    assert.deepEqual(judge(tags), ['N-N-', 'etag']);
    assert.deepEqual(judge([{ size: 2 }, { size: 2 }, { size: 90 }, { size: 2 }]), ['N-NN', 'size']);
    assert.deepEqual(judge([...tags, { size: 9 }]), ['N-N--', 'size']);
  });
});
