import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import { boundDigest, createDigest, DIGEST_LIMITS } from '../../../../core/experiment/documents/digest.js';
import { digestOf } from '../../../../core/experiment/documents/document-digest.js';
import { createDocumentCheck, EXPERIMENTS } from '../../../../core/experiments/all.js';
import { createHostileDocument } from '../../../support/hostile-documents.js';
import { readSavedDocument, SAVED_DOCUMENTS } from '../../../support/saved-documents.js';

/** One character, of two of UTF-16's halves and four bytes. */
const LARGEST = '\u{1f680}';
/** As JSON it has six bytes, before it is shown as a space. */
const CONTROL = '\u0001';

const check = createDocumentCheck(v);
const schema = createDigest(v, EXPERIMENTS);

/** @param {any} digest */
const asJson = (digest) => JSON.parse(JSON.stringify(digest));
/** @param {any} digest */
const bytesOf = (digest) => Buffer.byteLength(JSON.stringify(digest));
/** @param {string} text */
const charactersOf = (text) => [...text].length;

const SMALL = {
  server: 'fra-1',
  transports: ['ajax'],
  headline: 'h',
  detail: 'd',
  sampleCount: 1,
  failureCount: 0,
};

/** Larger than any that is saved. @param {string} character */
const createLargest = (character) => ({
  ...Object.fromEntries(
    ['origin', 'link', 'server', 'location', 'version', 'browser'].map((name) => [name, character.repeat(1_000_000)]),
  ),
  transports: Array.from({ length: 12 }, (_, i) => `${i}${LARGEST.repeat(98)}`),
  headline: character.repeat(1_000_000),
  detail: character.repeat(1_000_000),
  sampleCount: Number.MAX_SAFE_INTEGER,
  failureCount: Number.MAX_SAFE_INTEGER,
});

describe('a digest within its limits', () => {
  it('is as it was where it keeps to them, and is up to the last character', () => {
    for (const character of ['x', LARGEST]) {
      const most = { ...SMALL, headline: character.repeat(300), detail: character.repeat(2000) };
      for (const digest of [SMALL, most]) assert.deepEqual(boundDigest(digest), digest);
    }
    for (const name of SAVED_DOCUMENTS) {
      const { digest } = readSavedDocument(name);
      assert.deepEqual(boundDigest(digest), digest, name);
    }
  });

  it('ends its texts in … where they were longer, and counts characters, not the halves of UTF-16', () => {
    for (const character of ['x', LARGEST]) {
      const { headline, detail, server } = boundDigest({
        ...SMALL,
        headline: character.repeat(301),
        detail: character.repeat(2001),
        server: character.repeat(501),
      });
      assert.equal(headline, `${character.repeat(299)}…`);
      assert.equal(detail, `${character.repeat(1999)}…`);
      assert.equal(server, `${character.repeat(499)}…`);
    }
  });

  it('takes at most 16 KiB, of which the detail gets what the others leave', () => {
    for (const character of ['x', LARGEST, CONTROL, '"', '\u202e', '\u20ac']) {
      const bounded = boundDigest(createLargest(character));
      assert.ok(bytesOf(bounded) <= DIGEST_LIMITS.bytes, `${bytesOf(bounded)} bytes`);
      assert.ok(v.is(schema, bounded));
      assert.ok(bounded.detail.endsWith('…'));
    }
    const large = boundDigest({ ...createLargest(LARGEST), transports: ['ajax'] });
    assert.ok(charactersOf(large.detail) < 2000);
    // No more is cut than has to be: another character would have four bytes.
    assert.ok(bytesOf(large) > DIGEST_LIMITS.bytes - 4, `${bytesOf(large)} bytes`);
  });

  it('lists the first hundred runs of a classic test', () => {
    const classic = Array.from({ length: 1000 }, (_, i) => ({ iterations: i + 1 }));
    assert.deepEqual(boundDigest({ ...SMALL, classic }).classic, classic.slice(0, 100));
  });

  for (const name of SAVED_DOCUMENTS) {
    it(`is what ${name} has with the longest texts that a document may have`, () => {
      const { experiment, document } = check(createHostileDocument(name, LARGEST.repeat(500)));
      const digest = asJson(boundDigest(digestOf(experiment, document)));
      v.assert(schema, digest);
      assert.ok(bytesOf(digest) <= DIGEST_LIMITS.bytes);
    });
  }
});
