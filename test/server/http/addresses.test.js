import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findVisitor } from '../../../server/http/addresses.js';
import { withServer } from '../../support/two-workers.js';

const PROXY = '192.0.2.1';

/** @param {string | undefined} forwarded @param {number} [hops] @param {string} [remoteAddress] */
const find = (forwarded, hops = 1, remoteAddress = PROXY) =>
  findVisitor(/** @type {any} */ ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }), hops);

describe('the address of a visitor', () => {
  it('is what as many proxies say as are trusted', () => {
    assert.deepEqual(
      [0, 1, 2, 3].map((hops) => find('9.9.9.9, 1.2.3.4', hops).address),
      [PROXY, '1.2.3.4', '9.9.9.9', '9.9.9.9'],
    );
    assert.deepEqual(find(undefined), { address: PROXY, isKnown: true });
    assert.equal(find('9.9.9.9, 1.2.3.4,').address, '1.2.3.4');
  });

  for (const [written, address] of [
    // As Azure's Application Gateway writes it.
    ['203.0.113.7:61598', '203.0.113.7'],
    ['[2001:db8::7]:61598', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['2001:db8:0:0:0:0:0:7:61598', '2001:db8:0:0:0:0:0:7'],
    ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
    ['[::ffff:203.0.113.7]:80', '::ffff:203.0.113.7'],
    ['fe80::7%eth0', 'fe80::7'],
    ['fe80::7%25eth0', 'fe80::7'],
    ['[fe80::7%eth0]:443', 'fe80::7'],
    [' \t203.0.113.7 ', '203.0.113.7'],
  ]) {
    it(`is without port, brackets and zone: ${written.trim()}`, () => {
      assert.deepEqual(find(written), { address, isKnown: true });
    });
  }

  it('is without a zone also where the socket has one', () => {
    assert.equal(find(undefined, 0, 'fe80::7%eth0').address, 'fe80::7');
  });

  for (const text of [
    'unknown',
    '_hidden',
    '203.0.113.7:x',
    '203.0.113.7:123456',
    '203.0.113',
    '1.2.3.4.5',
    '010.0.0.1',
    '[2001:db8::7',
    '[]',
    '[203.0.113.7]x',
    'for=203.0.113.7',
    '2001:db8::g',
    '-',
    ':80',
    '%',
    'a'.repeat(9999),
  ]) {
    // prettier-ignore
    it(`is the proxy’s where it says what is none: ${text.slice(0, 20)}`, () => {
      assert.deepEqual(find(text), { address: PROXY, isKnown: false });
      assert.deepEqual(find(`${text}, 1.2.3.4`, 2), { address: '1.2.3.4', isKnown: false });
      assert.deepEqual(find(`9.9.9.9, ${text}`, 2), { address: PROXY, isKnown: false });
    });
  }
});

describe('the limits of a visitor', () => {
  it('hold whatever port the proxy adds to the address, on pages and for sessions', () =>
    withServer(
      { env: { TRUST_PROXY: '1' }, limits: { readMsPerMinute: 0.001, sessionCount: 4 } },
      async ({ origin }) => {
        const statuses = { page: /** @type {number[]} */ ([]), session: /** @type {number[]} */ ([]) };
        for (let i = 0; i < 4; i++) {
          const headers = { 'X-Forwarded-For': `203.0.113.7:${61598 + i}` };
          statuses.page.push((await fetch(`${origin}/results`, { headers })).status);
          statuses.session.push((await fetch(`${origin}/sse/visitor-${i}`, { headers })).status);
        }
        assert.deepEqual(statuses, { page: [200, 429, 429, 429], session: [200, 200, 200, 429] });
      },
    ));
});

describe('/metrics behind a trusted proxy', () => {
  it('is not for those whom the proxy does not name, though its own address may read it', () =>
    withServer({ env: { TRUST_PROXY: '1' } }, async ({ origin }) => {
      const statusOf = async (/** @type {string} */ forwarded) =>
        (await fetch(`${origin}/metrics`, { headers: { 'X-Forwarded-For': forwarded } })).status;
      assert.deepEqual([await statusOf('127.0.0.1'), await statusOf('unknown')], [200, 403]);
    }));
});
