/**
 * What a server is sent is not always what a page made. Of many spoilt runs each is either refused by name or saved as it
 * is, with a digest that follows from its samples; none breaks the server. Seeded, so they are the same each time.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { boundDigest } from '../../core/experiment/documents/digest.js';
import { digestOf } from '../../core/experiment/documents/document-digest.js';
import { findExperiment } from '../../core/experiments/all.js';
import { createRandom } from '../../core/base/random.js';
import { wholeSchema } from '../../server/saved-runs/schemas.js';
import { openServer } from './server.js';
import { createShootout, postSubmission } from './submissions.js';

/** @import { TestServer } from './server.js' */

const AT_ONCE = 8;
const SEED = 20261121;

const WEIRD = [
  null, true, false, 0, -1, -0.5, 1.7e308, 4294967296, 0.1, '', 'x', '\u0000', '\ud800', 'x'.repeat(501), 'x'.repeat(1000), 'x'.repeat(1001), '<script>alert(1)</script>',
  'http://[', 'ftp://x/', '2026-13-01T00:00:00.000Z', 'ajax', 'sockjs', 'constructor', [], {}, [[]], [null], { length: 1 },
]; // prettier-ignore
const NAMES = ['__proto__', 'constructor', 'toString', 'verdict', '0', '', 'schema', 'ending', 'label'];

/** @param {ReturnType<typeof createRandom>} random */
function createMutator(random) {
  /** @template T @param {readonly T[]} list @returns {T} */
  const pick = (list) => list[Math.floor(random() * list.length)];

  /** Every object and list in a value, the value itself included. @param {any} value @returns {any[]} */
  const nodesOf = (value) =>
    value && typeof value === 'object' ? [value, ...Object.values(value).flatMap(nodesOf)] : [];

  /** @type {((node: any) => void)[]} */
  const changes = [
    (node) => delete node[pick(Object.keys(node))],
    (node) => (node[pick(Object.keys(node))] = pick(WEIRD)),
    (node) =>
      Object.defineProperty(node, pick(NAMES), {
        value: pick(WEIRD),
        enumerable: true,
        configurable: true,
        writable: true,
      }),
    (node) => {
      const [one, other] = [pick(Object.keys(node)), pick(Object.keys(node))];
      [node[one], node[other]] = [node[other], node[one]];
    },
    (node) => {
      const key = pick(Object.keys(node));
      if (typeof node[key] === 'number') node[key] *= random() * 4 - 1;
    },
    (node) => {
      const key = pick(Object.keys(node));
      if (typeof node[key] === 'number') node[key] += 1 / 8;
    },
    (node) => {
      if (Array.isArray(node)) node.splice(Math.floor(random() * node.length), 1, ...node.slice(0, 2));
    },
    (node) => {
      if (Array.isArray(node)) node.reverse();
    },
    (node) => {
      if (Array.isArray(node)) node.fill(pick([0, 1e-9, 3e8, 1e100]));
    },
  ];

  /** @param {string} text */
  const spoilText = (text) => {
    const at = Math.floor(random() * text.length);
    if (random() < 0.3) return text.slice(0, at);
    return text.slice(0, at) + String.fromCharCode(32 + Math.floor(random() * 95)) + text.slice(at + 1);
  };

  return (/** @type {unknown} */ submission) => {
    if (random() < 0.1) return spoilText(JSON.stringify(submission));
    const mutant = structuredClone(submission);
    for (let i = random() < 0.7 ? 1 : 3; i > 0; i--) {
      const node = pick(nodesOf(mutant).filter((one) => Object.keys(one).length > 0));
      pick(changes)(node);
    }
    return JSON.stringify(mutant);
  };
}

/** @param {number} count how many */
export function describeMutations(count) {
  describe(`${count} mutations of a run`, () => {
    /** @type {TestServer} */
    let server;
    before(
      async () =>
        (server = await openServer({
          limits: { savesPerHour: 1e9, readMsPerMinute: 1e9, documentsPerMinute: 1e9, submissionCount: 400 },
        })),
    );
    after(() => server.close());

    it('are each refused by name, or saved as they are', async (t) => {
      const plan = {
        transports: ['ajax', 'sockjs'],
        blocks: 6,
        iterations: 2,
        warmUpCount: 0,
        payloadBytes: 0,
        seed: 1,
      };
      const original = {
        document: createShootout({ plan, coldSetUpMs: { ajax: 1.5 } }),
        label: 'a label',
        note: 'a note',
        place: { name: 'here' },
      };
      const mutate = createMutator(createRandom(SEED));
      const mutants = Array.from({ length: count }, () => mutate(original));
      /** @type {Record<number, number>} */
      const counts = {};

      const work = async () => {
        for (let text = mutants.pop(); text !== undefined; text = mutants.pop()) {
          const { status, answer } = await postSubmission(server.origin, text);
          counts[status] = (counts[status] ?? 0) + 1;
          if (status === 201) await checkSaved(text, answer);
          else assert.ok(status === 400 && typeof answer.error.message === 'string', `${status}: ${text}`);
        }
      };
      /** @param {string} text @param {any} answer */
      const checkSaved = async (text, answer) => {
        const { document, ...run } = await (await fetch(`${server.origin}/api/results/${answer.id}`)).json();
        const sent = JSON.parse(text);
        assert.ok(isDeepStrictEqual(document, sent.document), text);
        v.assert(wholeSchema, { ...run, document });
        const digest = boundDigest(digestOf(findExperiment(run.experiment) ?? assert.fail(), sent.document));
        assert.deepEqual(run.digest, JSON.parse(JSON.stringify(digest)), text);
        for (const name of /** @type {const} */ (['label', 'note'])) {
          assert.equal(run[name] ?? '', (sent[name] ?? '').normalize('NFC').trim(), text);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));

      t.diagnostic(JSON.stringify(counts));
      // Some changes do no harm, or nothing was tested but refusals.
      assert.ok(counts[201] > count / 50 && counts[400] > count / 2, JSON.stringify(counts));
    });
  });
}
