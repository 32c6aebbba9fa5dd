import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeJsonFile, formatCsvLine } from '../../../core/base/foreign-text.js';

describe('a file of JSON', () => {
  const text = '{"place":"Zürich"}';
  const little = Buffer.from(text, 'utf16le');
  const big = Buffer.from(little).swap16();
  for (const [name, ...parts] of /** @type {const} */ ([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte-order mark', Buffer.from('\ufeff'), Buffer.from(text)],
    ['UTF-16', little],
    ['UTF-16 with a byte-order mark, as PowerShell writes it', Buffer.from([0xff, 0xfe]), little],
    ['big-endian UTF-16', big],
    ['big-endian UTF-16 with a byte-order mark', Buffer.from([0xfe, 0xff]), big],
  ])) {
    it(`is read from ${name}`, () => assert.equal(decodeJsonFile(Buffer.concat(parts)), text));
  }
});

describe('a cell of CSV', () => {
  for (const [given, expected] of /** @type {const} */ ([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1+1', "'-1+1"],
    ['@SUM(1)', "'@SUM(1)"],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(1)', "'＠SUM(1)"],
    [' =1+1', "' =1+1"],
    ['\u00a0=1+1', "'\u00a0=1+1"],
    ['\u2028=1+1', "'\u2028=1+1"],
    ['\t=1+1', "'\t=1+1"],
    ['\n=1+1', '"\'\n=1+1"'],
    ['\r\n=1+1', '"\'\r\n=1+1"'],
    ['\r\n ＝1+1', '"\'\r\n ＝1+1"'],
  ])) {
    it(`is no formula: ${JSON.stringify(given)}`, () => assert.equal(formatCsvLine([given]), `${expected}\r\n`));
  }

  it('stays as it is where it is a figure, or begins as text does', () => {
    const cells = ['-1', '-0.25', '1.5 2.5', 'a=1', 'x\u202f1', '–', '−1', '', 'ok'];
    assert.equal(formatCsvLine([-2, 3, ...cells, undefined]), `${[-2, 3, ...cells, ''].join(',')}\r\n`);
  });
});
