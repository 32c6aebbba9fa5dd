import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { parseUrl } from '../../../core/base/base-url.js';

describe('parseUrl', () => {
  it('takes what is not ASCII however often it is called, and says nothing of what is no URL', () => {
    // V8 compiles what runs that often.
    for (let i = 0; i < 100_000; i++) assert.equal(parseUrl('https://Köln.example/')?.host, 'xn--kln-sna.example');
    assert.equal(parseUrl('/path', 'https://a.example')?.href, 'https://a.example/path');
    assert.deepEqual(
      ['', 'shop.example', 'http://'].map((text) => parseUrl(text)),
      [undefined, undefined, undefined],
    );
  });

  it('stands in place of URL.canParse, which Node.js 20 gets wrong', () => {
    const files = ['core', 'server', 'cli', 'public/js', 'lab'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
    );
    const users = files.filter((file) => file.endsWith('.js') && /\bcanParse\(/.test(readFileSync(file, 'utf8')));
    assert.deepEqual(users, []);
  });
});
