import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { USUAL_LOOKS } from '../../core/experiment/plan/blocks.js';
import { findTerm, TERMS } from '../../core/experiment/report/terms.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';

/**
 * @import { Field, Fields } from '../../core/experiment/plan/fields.js'
 * @typedef {{ fields: Fields, parameter: string }} Documented
 */

/** The table of docs/README.md names the page of documentation of each experiment's page. */
const PAGES = readFileSync('docs/README.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ['));

/** @param {string} pagePath @returns {string} the section that the table names, with those inside it */
function sectionOf(pagePath) {
  const line = PAGES.find((row) => row.includes(`\`${pagePath}\``));
  const [, file, anchor] =
    /\]\(([\w-]+\.md)(?:#([\w-]+))?\)/.exec(line ?? '') ?? assert.fail(`docs/README.md: ${pagePath}`);
  const text = readFileSync(path.join('docs', file), 'utf8');
  if (!anchor) return text;
  const sections = text.split(/^(?=## )/m);
  const title = (/** @type {string} */ section) => section.split('\n')[0].slice('## '.length);
  const found = sections.find((section) => title(section).toLowerCase().replaceAll(' ', '-') === anchor);
  return found ?? assert.fail(`${file}: expected a section '${anchor}'`);
}

/** @param {Field} field @returns {string[]} what its row must say */
function factsOf(field) {
  const facts = [];
  if ('min' in field) facts.push(`${field.min}–${field.max}`);
  if (field.type === 'integers') facts.push(`1–${field.maxCount}`);
  if (field.type === 'choice') facts.push(...Object.keys(field.choices).map((name) => `\`${name}\``));
  const isAll = field.type === 'names' && field.default?.length === Object.keys(field.choices).length;
  if (isAll) facts.push('all');
  else if (field.default !== undefined) facts.push(String(field.default));
  return facts;
}

describe('the documentation of a plan', () => {
  for (const experiment of EXPERIMENTS) {
    const {
      fields,
      name,
      path: page = '/ajaxtest',
    } = /** @type {typeof experiment & { fields: Fields }} */ (experiment);
    it(`${name}: a row for each parameter, with its range and its default`, () => {
      const rows = sectionOf(page)
        .split('\n')
        .filter((line) => /^[-|] `/.test(line));
      for (const field of Object.values(fields)) {
        const row = rows.find((line) => line.split(/(?<=`.*)[|:]/)[0].includes(`\`${field.parameter}\``));
        assert.ok(row, `${name}: expected a row for ${field.parameter}`);
        // As it stands for lists, and without the commas in large numbers.
        const text = row + row.replaceAll(/(\d),(?=\d{3})/g, '$1');
        for (const fact of factsOf(field)) assert.ok(text.includes(fact), `${row}: expected ${fact}`);
      }
    });
  }
});

describe('the documentation', () => {
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((file) => path.posix.join('docs', file));
  const files = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs.filter((file) => file.endsWith('.md'))];

  it('says of how many blocks a run has at most, and when it looks', () => {
    const { blocks, looks } = USUAL_LOOKS;
    const [first, second, last] = looks;
    const text = readFileSync('docs/method.md', 'utf8');
    assert.ok(
      text.includes(`at most ${blocks} blocks. It looks at its figures after ${first}, ${second} and ${last} blocks`),
    );
  });

  it('names tests that there are', () => {
    for (const file of files) {
      const named = readFileSync(file, 'utf8').matchAll(/\b(?:test|distance|deploy)\/[\w./-]+\.test\.js/g);
      for (const [test] of named) assert.ok(existsSync(test), `${file}: ${test}`);
    }
  });

  it('names the tests of each section of SECURITY.md', () => {
    const [, ...sections] = readFileSync('SECURITY.md', 'utf8').split(/^## /m);
    for (const section of sections) assert.match(section, /`test\/[\w./-]+\.test\.js`/, section.split('\n')[0]);
  });
});

describe('the words of tables', () => {
  it('mean on pages what the documentation says', () => {
    const text = readFileSync('docs/terms.md', 'utf8').replace(/\s+/g, ' ');
    for (const { name, definition } of TERMS) assert.ok(text.includes(`: ${definition}`), name);
  });

  it('are found within a head', () => {
    const { before, word, after, term } = findTerm('Time, p50, ms (95% CI)') ?? assert.fail();
    assert.deepEqual([before, word, after, term.name], ['Time, ', 'p50', ', ms (95% CI)', 'percentile']);
    assert.equal(findTerm('Protocol'), undefined);
  });
});
