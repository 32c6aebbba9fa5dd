import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { init, parse } from 'es-module-lexer';
import { moduleOf, streamMethods } from '../../core/net/stream/index.js';
import { readMeasuredCodes } from '../../server/measured-code.js';

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
