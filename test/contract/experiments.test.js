import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import { createFields } from '../../core/experiment/documents/document-fields.js';
import { ENDINGS } from '../../core/experiment/report/headline.js';
import { openPart, schemasOf } from '../../core/experiment/run/open-run.js';
import { findingsOf } from '../../core/experiment/report/findings.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';
import { OLD_NAMES } from '../../core/experiments/index.js';
import { readSavedDocument } from '../support/saved-documents.js';

const MEMBERS = /** @type {const} */ (['trialsOf', 'runTrial', 'find', 'trialSchema', 'formatCsv']);

for (const experiment of EXPERIMENTS) {
  describe(`${experiment.name} keeps the contract`, () => {
    const { document } = readSavedDocument(`${experiment.name}-whole`);
    const { trials = document.runs ?? document.tests } = document;

    it('with its fields, and all functions that measure, summarize, report and save', () => {
      assert.ok(Object.keys(experiment.fields).length > 0);
      assert.deepEqual(
        MEMBERS.filter((name) => typeof experiment[name] !== 'function'),
        [],
      );
    });

    it('with a schema that each of its saved trials fits, and nothing else', () => {
      const schema = experiment.trialSchema(v, createFields(v));
      for (const trial of trials) {
        assert.deepEqual(v.parse(schema, trial), trial);
        assert.ok(!v.is(schema, { ...trial, unknown: 1 }));
      }
    });

    it('with findings in a run without any trial, as conditions of the command line are checked before it', () => {
      const { startedAt, plan, environment } = openPart(experiment, document);
      const ending = { kind: 'cancelled', reason: '' };
      const none = { startedAt, plan, environment, trials: [], ending };
      assert.equal(findingsOf(experiment, none).report.headline, ENDINGS.cancelled);
    });

    it('with rows that fit the columns of its CSV, one or more for each trial', () => {
      const [header, ...lines] = experiment.formatCsv(document).split('\r\n');
      const names = header.split(',');
      assert.ok(
        names.every((name) => /^[a-z]+(_[a-z]+)*$/.test(name)),
        header,
      );
      // A text with commas stands in quotes.
      for (const line of lines) assert.ok(line.replace(/"[^"]*"/g, '').split(',').length <= names.length, line);
      assert.ok(lines.length > trials.length);
    });
  });
}

describe('the contract', () => {
  /** The experiments by each key that they have, and by each key of an object under one, but for the fields of its plan. @type {Map<string, string[]>} */
  const users = new Map();
  for (const { name, ...experiment } of EXPERIMENTS) {
    for (const [key, value] of Object.entries(experiment)) {
      const isGroup = value?.constructor === Object && key !== 'fields';
      for (const one of [key, ...(isGroup ? Object.keys(value).map((inner) => `${key}.${inner}`) : [])])
        users.set(one, [...(users.get(one) ?? []), name]);
    }
  }

  it('has few keys, and does not hide them in others', () => {
    const keys = [...users.keys()];
    assert.ok(keys.filter((key) => !key.includes('.')).length <= 30, keys.join(' '));
    assert.ok(keys.length <= 37, keys.join(' '));
  });

  it('has none that a single experiment uses: that is a function in its own folder', () => {
    const single = [...users].filter(([, names]) => names.length === 1);
    assert.deepEqual(single, []);
  });

  it('gives an experiment one name, in its address and its schema; others are among the old ones', () => {
    for (const { name, path = '/', ...experiment } of EXPERIMENTS) {
      const used = [path.slice(1), ...schemasOf(experiment).map((schema) => schema.split('/')[1])].filter(Boolean);
      for (const one of used) assert.equal(OLD_NAMES[one] ?? one, name);
    }
    assert.deepEqual(
      Object.keys(OLD_NAMES).filter((old) => EXPERIMENTS.some(({ name }) => name === old)),
      [],
    );
  });
});
