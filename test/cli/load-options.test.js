/**
 * The arguments of `sockshootout load`, and its report.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseLoadOptions } from '../../cli/load/index.js';
import { formatReport, reportOf, rowOf } from '../../cli/load/report.js';
import { createTally } from '../../cli/load/send.js';
import { assertComplaint, refusalOf } from '../support/complaint.js';

/** @param {string} args */
const parse = (args) => parseLoadOptions(args.split(' ').filter(Boolean));

describe('the options of a load', () => {
  it('are by default those of 2019: 10,000 requests over 100 connections', () => {
    assert.deepEqual(parse(''), {
      plan: { transport: 'ajax', requests: 10_000, concurrency: 100, durationS: 600 },
      baseUrl: undefined,
      format: 'text',
      out: undefined,
      isQuiet: false,
    });
  });

  it('have one target, a transport, bounds and a format', () => {
    const bounds = '--requests 1000000 --concurrency 1000 --duration 1';
    const options = parse(`--url http://host:8000 --transport sockjs ${bounds} --json -q`);
    assert.deepEqual(options.plan, { transport: 'sockjs', requests: 1_000_000, concurrency: 1000, durationS: 1 });
    assert.deepEqual([options.baseUrl, options.format, options.isQuiet], ['http://host:8000', 'json', true]);
    assert.equal(parse('--markdown').format, 'markdown');
  });

  it('open no connection that would have no message', () => {
    assert.equal(parse('--requests 5').plan.concurrency, 5);
  });

  for (const [args, option, got] of [
    ['--requests 0', '--requests', '“0”'],
    ['--requests 1000001', '--requests', '“1000001”'],
    ['--concurrency 1001', '--concurrency', '“1001”'],
    ['--concurrency 1.5', '--concurrency', '“1.5”'],
    ['--duration 601', '--duration', '“601”'],
    ['--transport fetch', '--transport', '“fetch”'],
    ['--url ftp://host', '--url', '“ftp://host”'],
    ['--url http://host/?path', '--url', '“http://host/?path”'],
  ]) {
    it(`are not ${args}`, async () => {
      assertComplaint(await refusalOf(() => parse(args)), option, got);
    });
  }

  it('have one format', async () => {
    const { message } = await refusalOf(() => parse('--json --markdown'));
    assert.equal(message, "option '--json' cannot be used with option '--markdown'");
  });
});

const NOT_BUSY = { busiest: 0, isCutOff: false };

/** @param {number} count of answers within a second */
function tallyOf(count) {
  const latenciesMs = Array.from({ length: count }, (_, index) => index + 1);
  return { ...createTally(), latenciesMs, completedCount: count, elapsedMs: 1000 };
}

describe('the report of a load', () => {
  const { plan } = parse('--requests 200');
  const startedAt = new Date('2026-11-23T00:00:00Z');

  it('has requests per second, percentiles and the largest latency', () => {
    const { busiest, ...row } = rowOf('one process', tallyOf(200), { busiest: 0.5, isCutOff: false });
    assert.equal(busiest, 0.5);
    assert.deepEqual(row, {
      ...{
        server: 'one process',
        isCutOff: false,
        answered: 200,
        completed: 200,
        errors: {},
        seconds: 1,
        perSecond: 200,
      },
      // Type 7: 1 + 199 p.
      ...{ p50Ms: 100.5, p90Ms: 180.1, p99Ms: 198.01, maxMs: 200 },
    });
  });

  it('has a row for each server, and says that they shared the CPUs with the load', () => {
    const rows = [
      rowOf('one process', tallyOf(200), { busiest: 0.5, isCutOff: false }),
      rowOf('2 processes', tallyOf(300), { busiest: 0.95, isCutOff: false }),
    ];
    const report = reportOf(plan, { startedAt, rows, sharesCpus: true });
    const text = formatReport(report, 'text');
    assert.match(text, /^one process +200 .*\n2 processes +300 /m);
    assert.match(text, /^The load and the servers shared \d+ CPUs?: /m);
    // Beside the load on the same CPUs, their ratio says nothing of servers with CPUs of their own.
    assert.doesNotMatch(text, /ratio/i);
    assert.match(text, /^2 processes: this client was .* busy /m);
    assert.match(
      formatReport(report, 'markdown'),
      /^\| one process \| 200 \| 101 \| 180 \| 198 \| 200 \| 200 \| 0 \|$/m,
    );
    assert.equal(JSON.parse(formatReport(report, 'json')).rows.length, 2);
  });

  it('counts errors by kind, tells of limits where it was refused, and of what was not sent', () => {
    const errors = new Map([
      ['status 503', 20],
      ['timeout', 1],
      ['not connected (timeout)', 4],
    ]);
    const row = rowOf('http://host', { ...tallyOf(100), errors, completedCount: 121 }, NOT_BUSY);
    const text = formatReport(reportOf(plan, { startedAt, rows: [row], sharesCpus: false }), 'text');
    assert.match(text, / 100 +20 status 503, 1 timeout, 4 not connected \(timeout\)$/m);
    assert.match(text, /SECURITY\.md/);
    assert.match(text, /^http:\/\/host: only 121 of 200 messages were sent\.$/m);
    assert.doesNotMatch(text, /shared/);
  });

  it('has no figures where nothing was answered', () => {
    const row = rowOf('http://host', createTally(), NOT_BUSY);
    assert.deepEqual([row.perSecond, row.p50Ms, row.maxMs], [undefined, undefined, undefined]);
    assert.match(
      formatReport(reportOf(plan, { startedAt, rows: [row], sharesCpus: false }), 'text'),
      /^http:\/\/host +–/m,
    );
  });
});
