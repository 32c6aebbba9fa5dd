/** The headline of a run: one wherever it is shown, and no ratio of one machine in it, a list or a preview, unless it says so. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { digestOf } from '../../core/experiment/documents/document-digest.js';
import { compareRuns, formatMarkdown as formatComparison } from '../../core/matrix/comparison.js';
import { headingOf } from '../../core/experiment/run/names.js';
import { findingsOf } from '../../core/experiment/report/findings.js';
import { formatText, formatMarkdown } from '../../core/experiment/report/report.js';
import { escape } from '../../core/base/foreign-text.js';
import { asClause } from '../../core/base/format.js';
import { exportOf } from '../../core/experiment/documents/export.js';
import { briefOf } from '../../server/saved-runs/brief.js';
import { drawFigures, describeListed } from '../../server/saved-runs/list.js';
import { readSavedDocument, SAVED_DOCUMENTS } from '../support/saved-documents.js';

/** A factor, as in '6.4x', or '2.0 times as fast'. */
const RATIO = /\d ?x\b|\d times\b/;

/** Where a finding holds that is one of this place alone. */
const QUALIFIED = /\bOn one (machine|network), |, on one (machine|network)$/;

/** @param {string} text */
const assertQualified = (text) => assert.ok(QUALIFIED.test(text) || !RATIO.test(text), text);

for (const name of SAVED_DOCUMENTS) {
  describe(`${name} has one headline`, () => {
    const { experiment, document, listed } = readSavedDocument(name);
    const findings = findingsOf(experiment, document);
    const { scope, report } = findings;
    const { headline } = report;
    const digest = digestOf(experiment, document);
    const run = /** @type {any} */ ({ ...listed, digest });

    it('on its page, in lists, previews and the visitor’s history', () => {
      assert.ok(headline.length > 0 && headline.length <= 300, headline);
      assert.equal(digest.headline, headline);
      assert.equal(describeListed(run).headline, headline);
      const heading = headingOf(run, experiment.label);
      for (const part of [asClause(headline), experiment.label]) assert.ok(heading.includes(part), heading);
    });

    it('in JSON, Markdown, terminals and comparisons', () => {
      assert.equal(exportOf(experiment, document, findings).summary.headline, headline);
      const comparison = compareRuns(experiment, [{ ...run, number: 1, document }]);
      assert.equal(comparison.sides[0].report.headline, headline);
      assert.ok(formatComparison(comparison, '').includes(escape(headline)));
      // The Markdown of a classic page is the log of 2012.
      if (experiment.name !== 'classic')
        assert.ok(formatMarkdown(experiment, document).includes(`**${escape(headline)}**`));
      assert.ok(formatText(experiment, { startedAt: '', ...document }, { plan: '' }).endsWith(`\n\n${headline}\n`));
    });

    it('that says nothing of one machine as if it were of others', () => {
      if (scope === 'path') return;
      for (const cell of drawFigures([run]).cells[0])
        if (cell?.picture) assert.match(cell.picture, /class="whiskers local"/);
      const { found = '' } = briefOf(run);
      for (const text of [headline, headingOf(run, experiment.label), found]) assertQualified(text);
      // A prediction has its ratio with its interval.
      assert.doesNotMatch(digest.detail.replace(/ratio [\d.]+–[\d.]+ \(95% (CI|prediction interval)\)/, ''), RATIO);
      assert.match(formatMarkdown(experiment, document), /on one (machine|network)/i);
    });
  });
}

describe('a run that measured one machine or network', () => {
  const { experiment, document } = readSavedDocument('shootout-whole');
  /** @param {object} more */
  const wordsOf = (more) => {
    const changed = { ...document, ...more };
    const { headline, notice } = findingsOf(experiment, changed).report;
    return { headline, notice, scope: digestOf(experiment, changed).scope };
  };
  const at = (/** @type {string} */ url, /** @type {object} */ more = {}) => ({
    environment: { ...document.environment, url, ...more },
  });

  for (const [what, more, scope] of /** @type {const} */ ([
    ['on a private address', at('http://192.168.1.20/'), 'network'],
    [
      'on a private address, with a payload',
      { ...at('http://10.0.0.7/'), plan: { ...document.plan, payloadBytes: 100 } },
      'network',
    ],
    ['by a name of the own machine', at('http://app.localhost:8000/'), 'machine'],
  ])) {
    it(`${what} says so, and no ratio without it`, () => {
      const words = wordsOf(more);
      assert.equal(words.scope, scope);
      assert.match(`${words.headline} ${words.notice}`, new RegExp(`on one ${scope}`, 'i'));
      assertQualified(words.headline);
    });
  }

  it('is not one with an emulated link, or at a name that only begins like an address', () => {
    const ping = { count: 1, minMs: 10, meanMs: 10, maxMs: 10 };
    const link = { kind: 'netem', rttMs: 10, jitterMs: 0, lossPercent: 0, changes: [], ping };

    for (const more of [at('http://localhost:8000/', { link }), at('http://10.example.com/')])
      assert.deepEqual([wordsOf(more).scope, wordsOf(more).notice], ['path', undefined]);
  });

  it('has the same scope for a clock that saw no time pass once', () => {
    const trials = structuredClone(document.trials);
    trials[0].samples.roundTripMs[0] = 0;
    const words = wordsOf({ ...at('http://192.168.1.20/'), trials });
    assert.equal(words.scope, 'network');
    assertQualified(words.headline);
  });

  it('leads with its finding where nothing holds elsewhere, and says once where it was', () => {
    const local = readSavedDocument('payload-whole');
    const { conclusion, headline, notice, sentences } = findingsOf(local.experiment, local.document).report;
    assert.equal(headline, `On one machine, ${conclusion}`);
    assert.doesNotMatch(`${notice}`, /one machine/);
    assert.ok(!sentences.includes(String(conclusion)));
  });
});
