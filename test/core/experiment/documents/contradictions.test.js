/**
 * Documents that fit their format and cannot be true, made of real ones.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findContradictions, openDocument, PROTOCOLS } from '../../../../core/experiment/documents/contradictions.js';
import { isDocumentOf } from '../../../../core/experiment/run/open-run.js';
import { EXPERIMENTS, findExperiment } from '../../../../core/experiments/all.js';
import { CHECKS, COMPARED, SOCKJS_ORDER } from '../../../../core/experiments/reach/plan.js';
import { usableProtocolsOf } from '../../../../core/experiments/reach/schema.js';
import {
  DELIVERY_LABELS,
  LABELS,
  NEW_CONNECTION_LABELS,
  TRANSFER_LABELS,
} from '../../../../core/experiment/answer/labels.js';
import { readFixture, SAVED_DOCUMENTS } from '../../../support/saved-documents.js';

/** @import { Experiment } from '../../../../core/experiment/contract.js' */

/** Within the hour in which all of them were made. */
const NOW_MS = Date.parse('2026-11-22T01:30:00.000Z');
const OVERRIDE = '\u202e';

/** @param {any} document @returns {Experiment} */
const experimentOf = (document) =>
  EXPERIMENTS.find((one) => isDocumentOf(one, document)) ?? assert.fail(document.schema);

/** @param {string} name @returns {any} */
const read = (name) => JSON.parse(readFixture(`${name}.json`));

/** @param {any} document @param {number} [nowMs] @param {Experiment} [experiment] */
const pathsOf = (document, nowMs = NOW_MS, experiment = experimentOf(document)) =>
  findContradictions(experiment, document, { nowMs }).map(({ path }) => path);

/** @param {any} document @returns {any[]} */
const trialsOf = ({ trials, runs, tests }) => trials ?? (runs ?? tests).map((/** @type {any} */ { trial }) => trial);

/** @type {Readonly<Record<string, string>>} where the trials of a document are, by experiment */
const TRIAL_PATHS = {
  'shootout-whole': 'trials.#',
  'in-flight-whole': 'trials.#',
  'fixed-rate-whole': 'trials.#',
  'jobs-whole': 'trials.#',
  'payload-whole': 'trials.#',
  'countdown-whole': 'tests.#.trial',
  'classic-whole': 'runs.#.trial',
};
const NAMES = Object.keys(TRIAL_PATHS);
/** Whose trials say when they began. */
const TIMED = NAMES.filter((name) => trialsOf(read(name))[0].startedAtMs !== undefined);
/** Whose trials say who answered. */
const ANSWERED = NAMES.filter((name) => trialsOf(read(name)).filter(({ server }) => server).length > 1);

/** @param {string} name @param {number} index @param {string} field */
const pathOf = (name, index, field) => `${TRIAL_PATHS[name].replace('#', String(index))}.${field}`;

describe('a document that was measured', () => {
  for (const name of SAVED_DOCUMENTS) {
    it(`does not contradict itself: ${name}`, () => {
      assert.deepEqual(pathsOf(read(name)), []);
      const stored = JSON.parse(readFixture(`${name}.json`));
      const opened = openDocument(experimentOf(stored), stored, { nowMs: NOW_MS });
      assert.deepEqual(opened, { document: read(name), marks: [] });
    });
  }
});

describe('a document contradicts itself', () => {
  for (const name of TIMED) {
    it(`where all trials start at 0: ${name}`, () => {
      const document = read(name);
      for (const trial of trialsOf(document)) trial.startedAtMs = 0;
      assert.equal(pathsOf(document)[0], pathOf(name, 1, 'startedAtMs'));
    });

    it(`where a trial starts before the last answer of the one before it: ${name}`, () => {
      const document = read(name);
      const [first, second] = trialsOf(document);
      second.startedAtMs = first.startedAtMs;
      assert.deepEqual(pathsOf(document), [pathOf(name, 1, 'startedAtMs')]);
    });
  }

  for (const name of ANSWERED) {
    it(`where another server answered a trial: ${name}`, () => {
      const document = read(name);
      const trials = trialsOf(document);
      const index = trials.findLastIndex(({ server }) => server);
      trials[index].server.server = 'fra-2';
      assert.deepEqual(pathsOf(document), [pathOf(name, index, 'server.server')]);
      trials[index].server = { ...trials[index].server, server: 'fra-1', worker: 7 };
      assert.deepEqual(pathsOf(document), []);
    });
  }

  for (const name of NAMES) {
    it(`where a protocol is none of the transport’s: ${name}`, () => {
      for (const index of trialsOf(read(name)).keys()) {
        const document = read(name);
        const trial = trialsOf(document)[index];
        const isSocket = trial.protocol === 'websocket';
        trial.protocol = isSocket ? 'h2' : 'websocket';
        assert.deepEqual(pathsOf(document), [pathOf(name, index, 'protocol')]);
        trial.protocol = isSocket ? 'websocket' : 'http/1.0';
        assert.deepEqual(pathsOf(document), []);
        delete trial.protocol;
        assert.deepEqual(pathsOf(document), []);
      }
    });

    it(`where it began before there was such a run, or after it was saved: ${name}`, () => {
      for (const date of ['9999-01-01T00:00:00.000Z', '2019-12-31T23:59:59.999Z']) {
        const document = read(name);
        const [record] = document.runs ?? document.tests ?? [document];
        record.startedAt = date;
        const where = document.runs ? 'runs.0.startedAt' : document.tests ? 'tests.0.startedAt' : 'startedAt';
        assert.deepEqual(pathsOf(document), [where], date);
      }
      const dayMs = 24 * 3600 * 1000;
      const record = read(name).runs?.at(-1) ?? read(name).tests?.at(-1) ?? read(name);
      assert.deepEqual(pathsOf(read(name), Date.parse(record.startedAt) - dayMs), []);
      assert.notDeepEqual(pathsOf(read(name), Date.parse(record.startedAt) - dayMs - 1), []);
    });

    it(`where a text of it turns what stands beside it, or cannot be seen: ${name}`, () => {
      for (const odd of [OVERRIDE, '\u2066', '\u200f', '\u061c', '\u200b', '\ufeff', '\n', '\u001b', '\u2028']) {
        const document = read(name);
        document.environment.userAgent += odd;
        assert.deepEqual(pathsOf(document), ['environment.userAgent'], JSON.stringify(odd));
      }
      const joined = read(name);
      joined.environment.userAgent += '\u200d';
      assert.deepEqual(pathsOf(joined), []);
    });
  }

  it('where the server before it, or one that answered, has such a name or place', () => {
    const document = read('shootout-whole');
    document.statusBefore.location += OVERRIDE;
    document.trials[3].server.version += OVERRIDE;
    assert.deepEqual(pathsOf(document), ['statusBefore.location', 'trials.3.server.version']);
  });

  it('where SockJS went over what was not asked for, or one of several users did', () => {
    const shootout = read('shootout-early');
    const index = shootout.trials.findIndex((/** @type {any} */ { transport }) => transport === 'sockjs-xhr-polling');
    shootout.trials[index].protocol = 'xhr-streaming';
    assert.deepEqual(pathsOf(shootout), [`trials.${index}.protocol`]);
    const jobs = read('jobs-whole');
    const delivery = jobs.trials.findIndex((/** @type {any} */ trial) => trial.delivery === 'sockjs');
    jobs.trials[delivery].protocol = 'websocket, xhr-streaming';
    assert.deepEqual(pathsOf(jobs), []);
    jobs.trials[delivery].protocol = 'h2, websocket';
    assert.deepEqual(pathsOf(jobs), [`trials.${delivery}.protocol`]);
  });
});

describe('the protocols that can be negotiated', () => {
  it('are known of everything that can be measured', () => {
    const labels = [LABELS, TRANSFER_LABELS, NEW_CONNECTION_LABELS, DELIVERY_LABELS].flatMap(Object.keys);
    assert.deepEqual(
      labels.filter((name) => !PROTOCOLS.has(name)),
      [],
    );
    const isUnknown = (/** @type {string} */ transport) => !usableProtocolsOf({ transport, check: 'latency' });
    assert.deepEqual([...SOCKJS_ORDER, ...COMPARED].filter(isUnknown), []);
    // These two always name a transport.
    const others = CHECKS.filter((check) => !usableProtocolsOf({ check }));
    assert.deepEqual(others, ['sockjs', 'latency']);
  });

  for (const [trial, protocol, isPossible] of /** @type {[object, string, boolean][]} */ ([
    [{ transport: 'ajax-new' }, 'websocket', false],
    [{ transport: 'ajax-new' }, 'h2', true],
    [{ transport: 'websocket-binary-new' }, 'h2', false],
    [{ transport: 'websocket-binary-new' }, 'websocket', true],
    [{ check: 'sockjs', transport: 'xhr-polling' }, 'xhr-streaming', false],
    [{ check: 'latency', transport: 'fallback' }, 'websocket', false],
    [{ check: 'latency', transport: 'fallback' }, 'xhr-polling', true],
    [{ check: 'fallback' }, 'websocket', true],
    [{ check: 'fallback' }, 'h2', false],
    [{ check: 'http' }, 'websocket', false],
    [{ check: 'http' }, 'http/1.1', true],
    [{ check: 'text' }, 'h2', false],
    [{ check: 'text' }, 'websocket', true],
  ])) {
    it(`${isPossible ? 'have' : 'do not have'} ${protocol} for ${Object.values(trial).join(' ')}`, () => {
      const document = { environment: {}, trials: [{ ...trial, protocol }] };
      const experiment = findExperiment('check' in trial ? 'reach' : 'payload');
      assert.deepEqual(pathsOf(document, NOW_MS, experiment), isPossible ? [] : ['trials.0.protocol']);
    });
  }
});

describe('a document that was stored or downloaded', () => {
  it('opens with what cannot be true of it, and with texts that turn nothing', () => {
    const document = read('fixed-rate-whole');
    document.environment.userAgent = `Chrome${OVERRIDE}/1`;
    document.trials[1].failures = [{ outcome: 'closed', message: `gone\u001b[31m${OVERRIDE}` }];
    for (const trial of document.trials) trial.startedAtMs = 0;
    const { document: opened, marks } = openDocument(experimentOf(document), document, { nowMs: NOW_MS });
    assert.equal(opened.environment.userAgent, 'Chrome /1');
    assert.equal(opened.trials[1].failures[0].message, 'gone [31m ');
    assert.deepEqual(
      { ...opened, environment: 0, trials: opened.trials.length },
      { ...document, environment: 0, trials: document.trials.length },
    );
    assert.ok(marks.length > 1 && marks.length <= 6);
    assert.ok(marks[0].startsWith('environment.userAgent: expected '), marks[0]);
    assert.doesNotMatch(marks.join(), /\p{Cf}|\p{Cc}/u);
  });
});
