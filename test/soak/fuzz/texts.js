/** What is said in bodies and messages: right, nearly right, and wrong in many ways. */
import { times } from './chance.js';

/** @import { Chance } from './chance.js' */

const WORDS = [
  'count',
  'whoami',
  'ping',
  'min',
  'least',
  'max',
  'most',
  'trial',
  'seed',
  'run',
  'bytes',
  'offset',
  'binary',
  'announce',
  'pieces',
  'since',
  '__proto__',
  'x',
];
/** Both halves of a pair, a lone one, and what SockJS escapes. */
const ODD_CHARACTERS = ['é', '😀', '\ud800', '\udfff', '\u2028', '\u200c', '\uffff', '\u0000', '\\', '"', '\n'];
const ODD_NUMBERS = ['0', '-0', '-1', '1.5', '1e400', '9007199254740991', '9007199254740992', '00', '0x10', 'NaN'];
/** More than a message may have in levels, or in brackets and commas. */
const DEEP = 40;
const MANY = 20_000;

/** @param {Chance} chance @param {string} tag @returns {string} a message that some endpoint takes */
function rightText({ between, is, pick }, tag) {
  return pick([
    () => `{"count":${between(0, 1000)},"tag":"${tag}"}`,
    () => `{"count":${between(1, 9)},"tag":"${tag}","body":"${'x'.repeat(between(0, is(0.1) ? 20_000 : 200))}"}`,
    () => `{"min":${between(0, 20)},"max":${between(20, 300)}}`,
    () => `{"seed":${between(0, 9)},"min":1,"max":5}`,
    () => `{"min":0,"max":9,"bytes":${between(190, 64_010)}}`,
    () => `{"bytes":${between(0, is(0.1) ? 300_000 : 3000)},"offset":${between(0, 9)}}`,
    () => '{"bytes":10,"binary":true}',
    () => `{"bytes":${between(0, 3000)},"binary":true,"announce":${is(0.9)}}`,
    () => '{"whoami":true}',
    () => `{"pieces":${between(2, 50)},"bytes":${between(1, 500)},"rate":${pick([0, 100])},"spread":50,"seed":1}`,
    () => `{"stop":"${between(0, 9)}"}`,
    () => `{"pieces":9,"bytes":5,"rate":100,"spread":0,"seed":1,"cut":${between(1, 8)},"tag":"${between(0, 9)}"}`,
    () => 'ping',
  ])();
}

/** @param {Chance} chance @param {string} tag @returns {string} */
function oddText(chance, tag) {
  const { between, is, pick } = chance;
  const word = pick(WORDS);
  return pick([
    () => '',
    () => pick(['null', 'true', '0', '""', '[]', '{}', '[[]]', '{"', '[,]', '"\\u12"', 'undefined', '\ufeff{}']),
    () => `{"${word}":${pick(ODD_NUMBERS)}}`,
    () => `{"${word}":"${pick(ODD_CHARACTERS)}","tag":"${tag}"}`,
    () => `{"count":1,"${word}":${JSON.stringify(pick([null, [], {}, 'x', false]))},"count":2}`,
    () => `{"count":1,"a":${'['.repeat(DEEP)}${is(0.5) ? ']'.repeat(DEEP) : ''}}`,
    () => (is(0.1) ? `[${'1,'.repeat(MANY)}1]` : '[1,2,3]'),
    () => rightText(chance, tag).slice(0, between(1, 12)),
    () => `${rightText(chance, tag)}${pick(ODD_CHARACTERS)}`,
  ])();
}

/** @param {Chance} chance @param {string} tag of the sequence, which echoes give back */
export const textOf = (chance, tag) => (chance.is(0.6) ? rightText(chance, tag) : oddText(chance, tag));

/** @param {Chance} chance @param {string} tag @returns {string} what SockJS's clients send: mostly a list of texts */
export function sockjsTextOf(chance, tag) {
  const { between, is, pick } = chance;
  const list = () => times(between(0, is(0.1) ? 60 : 4), () => textOf(chance, tag));
  return pick([
    () => JSON.stringify(list()),
    () => JSON.stringify(list()),
    () => JSON.stringify(list()),
    () => JSON.stringify(textOf(chance, tag)),
    () => JSON.stringify([list(), 1, null, { a: list() }, ...list()]),
    () => JSON.stringify(list()).slice(0, -1),
    () => textOf(chance, tag),
    () => '',
  ])();
}

/** @param {Chance} chance @param {string} tag @returns {string} a packet of Socket.IO's, mostly a message */
export function socketioTextOf(chance, tag) {
  const { between, is, pick } = chance;
  const value = () =>
    is(0.6) ? rightText(chance, tag) : is(0.5) ? JSON.stringify(textOf(chance, tag)) : oddText(chance, tag);
  const number = () => (is(0.2) ? pick(ODD_NUMBERS) : is(0.3) ? String(between(0, 1000)) : '');
  return pick([
    () => `42${number()}["message",${value()}]`,
    () => `42${number()}["message",${value()}]`,
    () => `42["message",${value()}]`,
    () => `42["message"${pick([']', ',1,2]', '', ',{"_placeholder":true,"num":0}]'])}`,
    () => `42["${pick(['error', 'disconnect', 'other', ...WORDS])}",${value()}]`,
    () =>
      `4${pick(['0', '0', '1', '3', '4', '5', '51-', '61-', '9', ''])}${pick(['', value(), '/other,', '["message"]'])}`,
    () => pick(['0', '1', '2', '2probe', '3', '3probe', '4', '5', '6', 'b', 'bAAAA', 'x']),
    () => Array.from({ length: between(2, 40) }, () => `42["message",${value()}]`).join('\x1e'),
  ])();
}

/** @param {Chance} chance @param {string} text @returns {Buffer} at times with bytes that are no UTF-8 */
export function encode(chance, text) {
  const bytes = Buffer.from(text);
  if (!chance.is(0.05)) return bytes;
  const at = chance.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), Buffer.of(chance.pick([0xff, 0xc0, 0x80, 0xed])), bytes.subarray(at)]);
}
