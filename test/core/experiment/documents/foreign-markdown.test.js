/**
 * What a visitor wrote stays text in everything that is pasted as Markdown, whichever experiment it is of.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as valibot from 'valibot';
import { formatMarkdown } from '../../../../core/experiment/report/report.js';
import { digestOf } from '../../../../core/experiment/documents/document-digest.js';
import * as comparisons from '../../../../core/matrix/comparison.js';
import { createDocumentCheck, EXPERIMENTS } from '../../../../core/experiments/all.js';
import { createHostileDocument } from '../../../support/hostile-documents.js';
import { SAVED_DOCUMENTS } from '../../../support/saved-documents.js';

const HOSTILE = '[x](javascript:1) **b** <b> p|q `c` _u_\n\n# h\n- i';
/** What must have a backslash before it, or not begin a line. */
const UNESCAPED = [/(?<!\\)\[x/, /x(?<!\\)\]/, /(?<!\\)\*b/, /(?<!\\)<b/, /p\|q/, /(?<!\\)`c/, /^\s*(?:# h|- i)/m];
const LINK = 'http://x/compare?ids=a,b';

const check = createDocumentCheck(valibot);

/** @param {string} markdown */
function assertText(markdown) {
  assert.ok(markdown.includes('\\[x'), 'the text is shown');
  for (const pattern of UNESCAPED) {
    assert.doesNotMatch(markdown, pattern);
  }
}

describe('Markdown of a document whose every text is Markdown', () => {
  for (const name of SAVED_DOCUMENTS) {
    it(`has it as text: ${name}`, () => {
      const { experiment, document } = check(createHostileDocument(name, HOSTILE));
      assertText(formatMarkdown(experiment, document));
    });
  }

  it('shows what ended a classic run below its lines, not among them', () => {
    const { experiment, document } = check(createHostileDocument('classic-early', HOSTILE));
    const lines = formatMarkdown(experiment, document).split('\n');
    const index = lines.findIndex((line) => line.startsWith('Failed after 32 of 100 iterations: \\[x\\]'));
    assert.match(lines[index - 2], /^ {4}Finished 10 iterations in /);
    assert.deepEqual([lines[index - 1], lines[index + 1]], ['', '']);
  });
});

/** @param {string} experiment @returns {any[]} runs as a comparison gets them, with hostile words around them, too */
const readRuns = (experiment) =>
  ['whole', 'early'].map((part, i) => {
    const { experiment: own, document } = check(createHostileDocument(`${experiment}-${part}`, HOSTILE));
    const words = { label: `${HOSTILE} ${i}`, place: { name: HOSTILE } };
    return { ...words, id: `run ${i}`, number: i + 1, document, digest: digestOf(own, document), isValid: true };
  });

describe('Markdown of a comparison of such documents', () => {
  for (const experiment of EXPERIMENTS) {
    it(`has it as text: ${experiment.name}`, () => {
      assertText(comparisons.formatMarkdown(comparisons.compareRuns(experiment, readRuns(experiment.name)), LINK));
    });
  }

  it('ends with its link, of which nothing is Markdown', () => {
    const link = `${LINK}&x=[y](javascript:1)*b*<i>_u`;
    const [experiment] = EXPERIMENTS;
    const last = comparisons
      .formatMarkdown(comparisons.compareRuns(experiment, readRuns(experiment.name)), link)
      .trimEnd()
      .split('\n')
      .at(-1);
    assert.equal(last, `${LINK}&x=%5By%5D(javascript:1)%2Ab%2A%3Ci%3E_u`);
    assert.equal(new URL(String(last)).searchParams.get('x'), '[y](javascript:1)*b*<i>_u');
  });
});
