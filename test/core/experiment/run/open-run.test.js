import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isStopped, isWhole, openPart, openRun } from '../../../../core/experiment/run/open-run.js';
import { EXPERIMENTS, findExperiment } from '../../../../core/experiments/all.js';
import { SUBMISSION_SCHEMA } from '../../../../core/experiments/countdown/submission.js';
import { fullTest } from '../../../../core/full-test/all.js';
import { readSavedDocument, SAVED_DOCUMENTS } from '../../../support/saved-documents.js';

const countdown = findExperiment('countdown') ?? assert.fail();

describe('a stored document', () => {
  for (const name of SAVED_DOCUMENTS) {
    it(`opens as one part with a plan of its experiment, and trials that it reads: ${name}`, () => {
      const { experiment, document } = readSavedDocument(name);
      const { parts } = openRun(experiment, document);
      assert.equal(parts.length, 1);
      const [{ plan, trials, environment }] = parts;
      assert.notEqual(experiment.describePlan(plan), '');
      assert.ok(trials.length > 0);
      for (const trial of trials) assert.ok(experiment.readTrial(trial).answerCount >= 0);
      assert.equal(environment, document.environment);
    });
  }

  it('of a page without a plan has that of its trials, which say where they are stored', () => {
    const { experiment, document } = readSavedDocument('classic-whole');
    const { plan, trials, startedAt, paths } = openPart(experiment, document);
    assert.deepEqual(plan, { transport: 'sockjs', iterations: [10, 100] });
    assert.deepEqual(paths, ['runs.0', 'runs.1']);
    assert.equal(startedAt, document.runs[0].startedAt);
    const [{ trial, ...record }] = document.runs;
    assert.deepEqual(trials[0], { ...trial, ...record });
  });

  it('of the app of 2019 has trials without samples, by the names of today, and no environment', () => {
    const runs = [{ test: 'websocket', iterations: 3000, time: 610.5 }];
    const { plan, trials, environment } = openPart(countdown, { schema: SUBMISSION_SCHEMA, runs });
    assert.deepEqual(plan, { iterations: 1000, kind: 'both' });
    assert.deepEqual([trials[0].transport, trials[0].elapsedMs, trials[0].samples.iteration], ['ws', 610.5, []]);
    assert.equal(environment, undefined);
  });

  it('that is open already stays as it is', () => {
    for (const experiment of EXPERIMENTS) {
      const part = openPart(experiment, readSavedDocument(`${experiment.name}-whole`).document);
      assert.equal(openPart(experiment, part), part);
    }
  });

  it('of a full test opens as the parts that were measured, in its order', () => {
    const names = ['jobs', 'shootout'];
    const [jobs, shootout] = names.map((name) => ({
      experiment: name,
      document: readSavedDocument(`${name}-whole`).document,
    }));
    const missing = { experiment: 'reach', missing: { kind: 'skipped', reason: 'Enough.' } };
    const { parts } = openRun(fullTest, { parts: [jobs, missing, shootout] });
    assert.deepEqual(
      parts.map(({ experiment, path, plan }) => [experiment.name, path, plan]),
      [
        ['jobs', 'parts.0.document', jobs.document.plan],
        ['shootout', 'parts.2.document', shootout.document.plan],
      ],
    );
  });
});

it('a run is whole unless it, or a part of it, was stopped', () => {
  const ending = { kind: 'cancelled', reason: 'Stopped.' };
  const part = { experiment: 'reach', document: {} };
  for (const [document, expected] of /** @type {const} */ ([
    [{}, true],
    [{ ending }, false],
    [{ parts: [part, { experiment: 'jobs', missing: { kind: 'skipped' } }] }, true],
    [{ parts: [part, { experiment: 'jobs', missing: { kind: 'stopped' } }] }, false],
    [{ parts: [part, { experiment: 'jobs', document: { ending } }] }, false],
  ])) {
    assert.equal(isWhole(document), expected, JSON.stringify(document));
  }
});

it('a run is stopped unless a part of it is whole, or it ended for another reason', () => {
  const cancelled = { kind: 'cancelled', reason: 'Stopped.' };
  const stopped = { experiment: 'jobs', missing: { kind: 'stopped' } };
  for (const [document, expected] of /** @type {const} */ ([
    [{}, false],
    [{ ending: cancelled }, true],
    [{ ending: { kind: 'invalid', reason: 'Hidden.' } }, false],
    [{ parts: [{ experiment: 'reach', document: { ending: cancelled } }, stopped] }, true],
    [{ parts: [{ experiment: 'reach', document: {} }, stopped] }, false],
  ])) {
    assert.equal(isStopped(document), expected, JSON.stringify(document));
  }
});
