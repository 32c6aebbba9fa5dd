/** What a client may ask of a stream, and the IDs by which it goes on with one. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dueTimesOf } from '../../../core/net/stream/stream.js';
import { createStreams, pieceOf } from '../../../server/endpoints/streams.js';

const STREAM = { pieces: 4, bytes: 12, rate: 100, spread: 50, seed: 7 };
const QUERY = 'pieces=4&bytes=12&rate=100&spread=50&seed=7';
const SECRET = Buffer.from('secret');
const START_MS = 1_234_567_890_123;

/** @param {number} [startMs] */
function createClock(startMs = START_MS) {
  let nowMs = startMs;
  const now = () => nowMs;
  return { now, streams: createStreams({ secret: SECRET, now }), go: (/** @type {number} */ ms) => void (nowMs += ms) };
}

describe('a stream', () => {
  it('is made of the options of a query, or of a message', () => {
    const { streams } = createClock();
    for (const asked of [streams.parseQuery(QUERY), streams.parseAsk(JSON.stringify(STREAM))]) {
      const { stream, since, isResumed } = asked;
      const { id, startMs, dueMs, ...options } = stream;
      assert.deepEqual(options, STREAM);
      assert.deepEqual([startMs, since, isResumed], [START_MS, 0, false]);
      assert.deepEqual(dueMs, dueTimesOf(STREAM));
      assert.match(id, /^[\w-]{48}$/);
    }
  });

  it('is known by its ID to every worker, with its cut, however large its options are', () => {
    const { now, streams } = createClock();
    const others = createStreams({ secret: SECRET, now });
    for (const options of [
      { ...STREAM, cut: 3 },
      { pieces: 1000, bytes: 500, rate: 100, spread: 100, seed: 2 ** 32 - 1, cut: 999 },
    ]) {
      const { stream } = streams.parseAsk(JSON.stringify(options));
      const resumed = others.parseQuery(`id=${stream.id}&since=2`);
      assert.deepEqual(resumed.stream, stream);
      assert.deepEqual([resumed.since, resumed.isResumed], [2, true]);
    }
  });

  it('has another ID each time, which none without the secret knows', () => {
    const { streams, now } = createClock();
    const [first, second] = [streams.parseQuery(QUERY).stream, streams.parseQuery(QUERY).stream];
    assert.notEqual(first.id, second.id);
    const stranger = createStreams({ secret: Buffer.from('another'), now });
    assert.throws(() => stranger.parseQuery(`id=${first.id}`), { code: 'not-found', status: 404 });
  });

  it('can be resumed for two minutes', () => {
    const { streams, go } = createClock();
    const { id } = streams.parseQuery(QUERY).stream;
    go(120_000);
    assert.equal(streams.parseQuery(`id=${id}`).since, 0);
    go(1);
    assert.throws(() => streams.parseQuery(`id=${id}`), { code: 'not-found' });
  });

  it('has a trial and a tag where they are given', () => {
    const { streams } = createClock();
    const { trialId, tag } = streams.parseQuery(`${QUERY}&trial=abcdefghijkl&tag=a-1`);
    assert.deepEqual([trialId, tag], ['abcdefghijkl', 'a-1']);
    const bare = streams.parseAsk(JSON.stringify(STREAM));
    assert.deepEqual([bare.trialId, bare.tag], [undefined, undefined]);
  });

  /** What is wrong, and what is said of it. @type {[query: string, code: string, message: string][]} */
  const REFUSED = [
    ['', 'bad-option', 'pieces: expected a whole number from 2 to 1000, got none'],
    [QUERY.replace('4', '1'), 'bad-option', 'pieces: expected a whole number from 2 to 1000, got 1'],
    [QUERY.replace('12', '501'), 'bad-option', 'bytes: expected a whole number from 1 to 500, got 501'],
    [QUERY.replace('rate=100', 'rate=x'), 'bad-option', "rate: expected a whole number from 0 to 100, got 'x'"],
    [QUERY.replace('50', '101'), 'bad-option', 'spread: expected a whole number from 0 to 100, got 101'],
    [QUERY.replace('seed=7', 'seed='), 'bad-option', "seed: expected a whole number from 0 to 4294967295, got ''"],
    [`${QUERY}&cut=0`, 'bad-option', 'cut: expected a whole number from 1 to 3, got 0'],
    [`${QUERY}&cut=4`, 'bad-option', 'cut: expected a whole number from 1 to 3, got 4'],
    ['pieces=62&bytes=1&rate=1&spread=0&seed=1', 'bad-option', 'pieces: expected at most 60 s of pieces, got 61 s'],
    [`${QUERY}&since=1`, 'bad-option', 'id: expected one beside since, got none'],
    [
      `${QUERY}&trial=short`,
      'bad-option',
      "trial: expected 12 letters, digits, _ or -, not all of them A, got 'short'",
    ],
    [`${QUERY}&tag=a.b`, 'bad-option', "tag: expected 1 to 16 letters, digits, _ or -, got 'a.b'"],
    [`${QUERY}&pieces=4`, 'bad-option', 'pieces: expected one value, got more than one'],
    ['id=none', 'not-found', 'id: expected the ID of a stream from this server'],
  ];
  for (const [query, code, message] of REFUSED) {
    it(`is refused for ${query || 'nothing'}`, () => {
      const { streams } = createClock();
      assert.throws(() => streams.parseQuery(query), { code, message });
    });
  }

  it('is refused for a message that is no object, has a value of another type, or what is not known', () => {
    const { streams } = createClock();
    /** @param {unknown} value */
    const ask = (value) => () => streams.parseAsk(JSON.stringify(value));
    assert.throws(ask([]), { code: 'bad-json' });
    assert.throws(ask({ ...STREAM, rate: '100' }), {
      message: "rate: expected a whole number from 0 to 100, got '100'",
    });
    assert.throws(ask({ ...STREAM, tag: 5 }), { message: /^tag: expected 1 to 16/ });
    assert.throws(ask({ ...STREAM, speed: 5 }), { message: /^option: expected pieces or .*, got 'speed'$/ });
  });

  it('is resumed with what its ID says, and from a piece that it has', () => {
    const { streams } = createClock();
    const { id } = streams.parseQuery(QUERY).stream;
    assert.throws(() => streams.parseQuery(`id=${id}&seed=8`), { message: /^seed: expected none/ });
    assert.throws(() => streams.parseQuery(`id=${id}&since=5`), { message: /^since: .* from 0 to 4, got 5$/ });
    assert.equal(streams.parseQuery(`id=${id}&since=4`).since, 4);
  });
});

describe('a piece', () => {
  it('names its stream if it is the first over a connection, and says that it is the last', () => {
    const { streams } = createClock();
    const asked = streams.parseQuery(`${QUERY}&tag=a`);
    const { id } = asked.stream;
    assert.deepEqual(pieceOf(asked, 0, 0.04), { tag: 'a', n: 0, ms: 0, id, text: 'it may take ' });
    assert.deepEqual(pieceOf(asked, 1, 12.34), { tag: 'a', n: 1, ms: 12.3, text: 'a while unti' });
    assert.deepEqual(pieceOf(streams.parseQuery(`id=${id}&since=3`), 3, 20), {
      ...{ n: 3, ms: 20, id },
      ...{ text: 'answer is he', last: true },
    });
  });
});
