import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { LIMITS } from '../../server/http/limits.js';
import { formatLimit, listFaults } from '../support/limits-table.js';

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
    ['submissionsPerAddress', 2, '2 an address'],
  ])) {
    it(`says ${expected} of ${name}`, () => assert.equal(formatLimit(name, value), expected));
  }
});
