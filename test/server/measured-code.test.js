import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { init, parse } from 'es-module-lexer';
import { moduleOf, streamMethods } from '../../core/net/stream/index.js';
import { readCode, readMeasuredCodes } from '../../server/measured-code.js';

await init;

describe('the code of streams', () => {
  it('is there for each method', () => {
    const modules = readMeasuredCodes().map(({ module }) => module);
    for (const name of Object.keys(streamMethods)) assert.ok(modules.includes(moduleOf(name)), name);
  });

  for (const { module, text } of readMeasuredCodes()) {
    it(`of ${module} fits a screen, says first what it does, and is a module without types and imports`, () => {
      const [imports, exports] = parse(text);
      assert.deepEqual([imports.length, exports.length], [0, 1]);
      assert.match(text, /^\/\/ [A-Z].*\n(\/\/ .*\n)*export /);
      assert.doesNotMatch(text, /@|\/\*/);
      assert.ok(text.split('\n').length <= 30, text);
    });
  }
});

describe('the code of a module', () => {
  for (const file of ['net/feed/keep-open', 'net/feed/ping', 'net/feed/follow-socket', 'net/load/chunk-window']) {
    it(`of ${file} exports what the module does, and says in plain comments what it does`, async () => {
      const text = readCode(file);
      assert.deepEqual(
        parse(text)[1].map((one) => one.type === 'direct' && one.name),
        Object.keys(await import(`../../core/${file}.js`)),
      );
      assert.match(text, /^(import .*\n|\n)*\/\/ [A-Z]/);
      assert.doesNotMatch(text, /@|\/\*/);
    });
  }

  it('keeps its example', () => {
    assert.match(readCode('net/load/chunk-window'), /\/\/ For example:\n\/\/ const chunks = createChunkWindow/);
  });
});
