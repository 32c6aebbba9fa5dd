import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  checkAnswer,
  createMessages,
  createOffsets,
  toText,
  OFFSET_SPAN,
} from '../../../../core/net/transfer/content.js';
import { createRandom } from '../../../../core/base/random.js';
import { answerTo, spoil } from '../../../support/scripted-transfer.js';

const createMessage = createMessages(2000);
const DIRECTIONS = /** @type {const} */ (['up', 'down', 'echo']);
const FORMS = /** @type {const} */ (['text', 'binary']);

/** @param {Partial<Parameters<typeof createMessage>[0]>} [options] */
const make = (options) => createMessage({ direction: 'echo', bytes: 1000, offset: 3, form: 'text', ...options });

describe('a message', () => {
  it('is the part of the content that it says, and text only where text is sent', () => {
    const whole = make({ offset: 0 });
    const part = make({ offset: 7, bytes: 100 });
    assert.deepEqual(part.binary, whole.binary.subarray(7, 107));
    assert.equal(part.text, toText(part.binary));
    assert.equal(part.text?.length, 100);
    assert.deepEqual(
      [make({ direction: 'down' }), make({ form: 'binary' })].map(({ text }) => text),
      [undefined, undefined],
    );
    assert.equal(make({ offset: OFFSET_SPAN - 1, bytes: 2000 }).binary.length, 2000);
  });

  it('begins where its neighbour does not', () => {
    assert.deepEqual(((next) => [next(), next(), next()])(createOffsets(() => 0.5)), [
      OFFSET_SPAN / 2,
      OFFSET_SPAN / 2 + 1,
      OFFSET_SPAN / 2,
    ]);
    const next = createOffsets(createRandom(1));
    const offsets = Array.from({ length: 100 }, next);
    assert.ok(offsets.every((offset) => Number.isInteger(offset) && offset >= 0 && offset < OFFSET_SPAN));
  });
});

describe('the check of an answer', () => {
  for (const direction of DIRECTIONS) {
    for (const form of FORMS) {
      for (const bytes of [0, 1, 1000]) {
        it(`${direction}, ${form}, ${bytes} B: takes the right one`, () => {
          const message = make({ direction, form, bytes });
          assert.equal(checkAnswer(message, answerTo(message)), undefined);
        });
      }

      it(`${direction}, ${form}: finds a wrong byte, and one too few`, () => {
        const message = make({ direction, form });
        for (const bytes of [spoil(message.binary), message.binary.subarray(1)]) {
          assert.equal(checkAnswer(message, answerTo(message, bytes))?.outcome, 'mismatch');
        }
      });

      it(`${direction}, ${form}: knows a refusal by its words`, () => {
        const message = make({ direction, form });
        const error = checkAnswer(message, '{"error":{"code":"too-large","message":"bytes: expected less"}}');
        assert.deepEqual([error?.outcome, error?.message], ['rejected', 'bytes: expected less']);
      });
    }
  }

  it('says which byte it was, or how many came', () => {
    const message = make();
    const [expected, got] = [message.binary[999], message.binary[999] ^ 1];
    assert.equal(
      checkAnswer(message, answerTo(message, spoil(message.binary)))?.message,
      `Byte 999 of 1000: expected ${expected}, got ${got}.`,
    );
    assert.equal(checkAnswer(message, 'abc')?.message, 'Expected 1000 bytes, got 3.');
  });

  it('takes neither text for bytes nor bytes for text', () => {
    /** @type {[message: ReturnType<typeof make>, answer: string | ArrayBuffer, expected: string, got: string][]} */
    const wrongs = [
      [make({ form: 'binary' }), String(make().text), 'Expected 1000 bytes in binary', 'text of 1000.'],
      [make(), new ArrayBuffer(1000), 'Expected text of 1000', '1000 in binary form.'],
      [make({ direction: 'up' }), '', 'from the server', 'nothing.'],
      [make({ direction: 'up' }), '{"bytes":', 'from the server', '“{"bytes":”.'],
    ];
    for (const [message, answer, expected, got] of wrongs) {
      const error = checkAnswer(message, answer);
      assert.equal(error?.outcome, 'mismatch');
      const [said, came] = error.message.split(', got ');
      assert.ok(said.includes(expected), error.message);
      assert.equal(came, got);
    }
  });
});
