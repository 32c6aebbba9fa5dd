import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLog } from '../../server/telemetry/log.js';

const MIB = 1024 * 1024;

describe('the log', () => {
  it('loses what is logged while a mebibyte waits for its reader', (t) => {
    const stdout = /** @type {{ writableLength?: number }} */ (process.stdout);
    const written = t.mock.method(process.stdout, 'write', () => true);
    const log = createLog({ logLevel: 'info' });
    for (const [value, word] of /** @type {const} */ ([
      [MIB - 1, 'kept'],
      [MIB, 'lost'],
      [0, 'kept again'],
    ])) {
      Object.defineProperty(stdout, 'writableLength', { value, configurable: true });
      log.info(word);
    }
    // Its own is the prototype's.
    delete stdout.writableLength;
    written.mock.restore();
    const words = written.mock.calls.map(({ arguments: [line] }) => JSON.parse(String(line)).msg);
    assert.deepEqual(words, ['kept', 'kept again']);
  });
});
