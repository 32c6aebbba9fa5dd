import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { maxHeaderSize } from 'node:http';
import { describe, it } from 'node:test';
import { MAX_DOCUMENT_BYTES } from '../../core/experiment/documents/check.js';
import { DIGEST_LIMITS } from '../../core/experiment/documents/digest.js';
import { MAX_SAMPLES } from '../../core/experiment/plan/fields.js';
import { MAX_RECORDS } from '../../core/experiment/documents/lone-trials.js';
import { MAX_NAMES } from '../../core/experiments/countdown/submission.js';
import { MAX_WAIT_MS } from '../../server/endpoints/job.js';
import { LIMITS } from '../../server/http/limits.js';
import { MAX_FORM_BYTES, MAX_SUBMISSION_BYTES } from '../../server/saved-runs/submission.js';
import { WAITING_COUNT } from '../../server/sockets/message-queue.js';
import { MAX_JSON_DEPTH, MAX_JSON_STRUCTURE } from '../../server/http/json.js';
import { MESSAGES_AT_ONCE } from '../../server/sockets/limits.js';
import { MAX_FRAME_STRUCTURE } from '../../server/sockets/sockjs-frames.js';
import { LIBRARY_BYTES } from '../../server/sockets/socketio-sessions.js';
import { LOG_EVERY_MS } from '../../server/sockets/sockjs-sessions.js';

/**
 * The table of limits in SECURITY.md: what it must say of each, and what it says.
 */

/** In words, the largest first of which a value is a whole number. @type {Readonly<Record<string, [unit: string, size: number][]>>} */
const UNITS = {
  Bytes: [['MiB', 1024 * 1024], ['KiB', 1024], ['bytes', 1]],
  // Minutes are said in seconds, as timeouts are.
  Ms: [['h', 3_600_000], ['s', 1000], ['ms', 1]],
}; // prettier-ignore

/**
 * @param {string} name that ends in, or has within it, what it counts: `messageBytes`, `drainMs`, `savesPerHour`
 * @param {number} value
 * @returns {string} with its unit
 * @example formatLimit('messageBytes', 1048576) // '1 MiB'
 * @example formatLimit('readMsPerMinute', 6000) // '6 s a minute'
 */
function formatLimit(name, value) {
  const [, of = '', per] = /^(.*?)(?:Per([A-Z][a-z]+))?$/.exec(name) ?? [];
  const units = UNITS[/(Bytes|Ms)(?![a-z])/.exec(of)?.[1] ?? ''];
  const [unit, size] = units?.find((one) => value >= one[1] && value % one[1] === 0) ?? ['', 1];
  const amount = [(value / size).toLocaleString('en'), unit].filter(Boolean).join(' ');
  return per ? `${amount} ${['Hour', 'Address'].includes(per) ? 'an' : 'a'} ${per.toLowerCase()}` : amount;
}

/**
 * @param {string} markdown
 * @returns {Map<string, { value: string, isExplained: boolean }>} by the limit's name; `isExplained` where it is said of what
 *   it is, and what is beyond it
 */
function readLimits(markdown) {
  const rows = [...markdown.matchAll(/^\| `(\w+)` *\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)];
  return new Map(
    rows.map(([, name, value, ...others]) => [
      name,
      { value: value.trim(), isExplained: others.every((cell) => cell.trim() !== '') },
    ]),
  );
}

/**
 * @param {string} markdown
 * @param {Readonly<Record<string, number>>} limits
 * @returns {string[]} what is wrong with the table, each with the row that is needed
 */
function listFaults(markdown, limits) {
  const rows = readLimits(markdown);
  const faults = Object.entries(limits).flatMap(([name, limit]) => {
    const row = rows.get(name);
    const value = formatLimit(name, limit);
    if (row?.value === value && row.isExplained) return [];
    return `${row ? 'wrong' : 'missing'}: | \`${name}\` | ${value} | of what | what happens beyond it |`;
  });
  const others = [...rows.keys()].filter((name) => !Object.hasOwn(limits, name));
  return [...faults, ...others.map((name) => `no such limit: \`${name}\``)];
}

const SECURITY = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8');

describe('the table of limits in SECURITY.md', () => {
  it('has each of server/http/limits.js, with its value, and no other', () => {
    const faults = listFaults(SECURITY, LIMITS);
    assert.deepEqual(faults, [], `SECURITY.md:\n${faults.join('\n')}`);
  });

  it('is found to lack a limit that is new, and to have one that changed or went', () => {
    const others = Object.fromEntries(Object.entries(LIMITS).filter(([name]) => name !== 'drainMs'));
    const changed = { ...others, sessionCount: LIMITS.sessionCount + 1, pigeonCount: 64 };
    assert.deepEqual(
      listFaults(SECURITY, changed).map((fault) => [fault.split(':')[0], /`(\w+)`/.exec(fault)?.[1]]),
      [
        ['wrong', 'sessionCount'],
        ['missing', 'pigeonCount'],
        ['no such limit', 'drainMs'],
      ],
    );
  });

  it('is followed by those without a name, as they are', () => {
    const [, lines = ''] = /^Limits without a name:\n\n((?:- .*\n)+)/m.exec(SECURITY) ?? [];
    const count = (/** @type {number} */ value) => formatLimit('count', value);
    const bytes = (/** @type {number} */ value) => formatLimit('someBytes', value);
    const ms = (/** @type {number} */ value) => formatLimit('someMs', value);
    assert.equal(LOG_EVERY_MS, 60_000);
    assert.deepEqual(lines.trimEnd().split('\n'), [
      `- Headers: ${bytes(maxHeaderSize)}, else 431 (Node.js). Long poll: ${ms(MAX_WAIT_MS)}, then the incomplete job.`,
      `- Shared run: document ${bytes(MAX_DOCUMENT_BYTES)}, label, note and place ${bytes(MAX_SUBMISSION_BYTES - MAX_DOCUMENT_BYTES)}, else 413; ${count(MAX_SAMPLES)} samples, else 400.`,
      `- Digest of a shared run: headline ${count(DIGEST_LIMITS.headline)} characters, detail ${count(DIGEST_LIMITS.detail)}, digest ${bytes(DIGEST_LIMITS.bytes)}; what is longer is cut, and ends in “…”.`,
      `- Share of 2019: ${formatLimit('formBytes', MAX_FORM_BYTES)}, else 413; ${count(MAX_RECORDS)} runs, ${count(MAX_NAMES)} names of tests, else 400.`,
      `- Payload over HTTP: ${ms(2 * LIMITS.requestMs)} per exchange, then closed. ${count(WAITING_COUNT)} waiting messages per socket, else close with 1008.`,
      `- SockJS fallback: ${bytes(LIMITS.unsentBytes)} of unread answers, ${count(MESSAGES_AT_ONCE)} messages per request, else close with 1008.`,
      `- SockJS frame or post: ${count(MAX_FRAME_STRUCTURE)} structural characters (brackets, colons, commas), ${MAX_JSON_DEPTH} levels, else close with 1008; ${count(LIMITS.framesPerTurn)} messages per turn, the rest waits.`,
      `- Socket.IO: ${bytes(LIBRARY_BYTES)} per message and post (its library), else close with 1009, or 413; while it polls, ${bytes(LIMITS.unsentBytes)} of unread answers and ${count(MESSAGES_AT_ONCE)} packets per post, else its session ends.`,
      `- Socket.IO packet: ${count(MAX_JSON_STRUCTURE)} structural characters, ${MAX_JSON_DEPTH} levels, no binary data, else close with 1008; ${count(LIMITS.framesPerTurn)} packets per turn, the rest waits.`,
      `- JSON of an echo: ${count(MAX_JSON_STRUCTURE)} structural characters, ${MAX_JSON_DEPTH} levels, else error \`too-deep\`.`,
      '- Log about SockJS failures: one line per minute; it counts the others.',
    ]);
  });

  for (const [name, value, expected] of /** @type {const} */ ([
    ['messageBytes', 1024 * 1024, '1 MiB'],
    ['messageBytes', 1536, '1,536 bytes'],
    ['bodyBytesInFlight', 256 * 1024 * 1024, '256 MiB'],
    ['trafficKeptMs', 3_600_000, '1 h'],
    ['requestMs', 300_000, '300 s'],
    ['idleGraceMs', 1500, '1,500 ms'],
    ['waitingJobCount', 100_000, '100,000'],
    ['savesPerHour', 60, '60 an hour'],
    ['controlBytesPerSecond', 65_536, '64 KiB a second'],
    ['framesPerTurn', 64, '64 a turn'],
  ])) {
    it(`says ${expected} of ${name}`, () => assert.equal(formatLimit(name, value), expected));
  }
});
