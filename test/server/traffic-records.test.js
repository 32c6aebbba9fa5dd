import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTraffic } from '../../server/telemetry/traffic.js';

describe('the records of traffic', () => {
  it('forget the trial that was recorded longest ago, and what has not been recorded for long', () => {
    let nowMs = 0;
    const limits = { trafficTrialCount: 3, trafficKeptMs: 1000 };
    const traffic = createTraffic({ limits, visitorOf: () => '', countSocketEchoes: () => 0, now: () => nowMs });
    const known = () => ['a', 'b', 'c', 'd'].filter((run) => traffic.read(run).messageCount > 0).join('');
    for (const run of ['a', 'b', 'c', 'a']) {
      nowMs++;
      traffic.messageReceived(run);
    }
    assert.equal(known(), 'abc');
    traffic.messageReceived('d');
    assert.equal(known(), 'acd');
    nowMs = 1004;
    traffic.messageReceived('c');
    assert.equal(known(), 'acd');
    nowMs = 1005;
    assert.equal(known(), 'c');
    assert.equal(traffic.servedCount(), 6);
  });
});
