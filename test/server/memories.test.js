import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

/** How the server's sources remove from a memory what was put in first, or let a library do so. */
const REMOVAL = /new LRUCache\(|createRecords\(|(?:keys|values)\(\)\.next\(\)|\.splice\(0,|const \[oldest\]/g;

/** What is removed by whom. No visitor may lose what others made the server remember. */
const RULES = {
  'server/endpoints/feed.js': ['createRecords(: by address'],
  'server/endpoints/reach-probes.js': ['createRecords(: by address'],
  'server/field/records.js': ['new LRUCache(: found again where it is asked for'],
  'server/field/studies.js': ['new LRUCache(: read again where it is asked for'],
  'server/field/users.js': ['new LRUCache(: read again where it is asked for'],
  'server/http/made-once.js': ['new LRUCache(: made again where it is asked for, so only time is lost'],
  'server/saved-runs/matrix.js': ['new LRUCache(: drawn again where it is asked for'],
  'server/sockets/message-queue.js': ['.splice(0,: of one socket, and answered'],
  'server/sockets/socketio-recovery.js': ['const [oldest]: of one feed', '.splice(0,: of one feed'],
  'server/telemetry/records.js': ['createRecords(: its definition'],
  'server/telemetry/traffic.js': ['createRecords(: by address'],
};

describe('a memory of the server', () => {
  it('that is bounded by removing what is oldest has a rule by which nobody loses what is not theirs', () => {
    const files = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
    const found = files.flatMap((name) => {
      const file = path.posix.join('server', name);
      const removals = [...readFileSync(file, 'utf8').matchAll(REMOVAL)].map(([text]) => text);
      return removals.length > 0 ? [[file, removals]] : [];
    });
    const known = Object.entries(RULES).map(([file, rules]) => [file, rules.map((rule) => rule.split(': ')[0])]);
    assert.deepEqual(Object.fromEntries(found), Object.fromEntries(known));
  });
});
