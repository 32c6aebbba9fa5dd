/** Each page has a script of its own, in which stands what the page loads; and its partials stand in one list. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { EXPERIMENTS, isPlanned } from '../../core/experiments/all.js';
import { membersOf } from '../../core/full-test/plan.js';
import { MEMBERS } from '../../public/js/full-test-members.js';
import { PAGE_PARTIALS } from '../../server/page-partials.js';

const PAGES = 'public/js/pages';
const CLIENTS = readdirSync('public/js/clients').filter((file) => file !== 'contract.js');

describe('pages', () => {
  for (const experiment of EXPERIMENTS) {
    it(`of ${experiment.name} have a script each, which imports what only they have`, () => {
      const { name } = experiment;
      const kinds = [...(isPlanned(experiment) ? ['run'] : []), 'result', 'compare'];
      const files = readdirSync(PAGES).filter((file) => file.endsWith(`-${name}.js`));
      assert.deepEqual(files.sort(), kinds.map((kind) => `${kind}-${name}.js`).sort());
      for (const file of files) {
        const text = readFileSync(`${PAGES}/${file}`, 'utf8');
        assert.ok(text.includes(`/core/experiments/${name}/index.js'`), file);
        const hasClient = CLIENTS.includes(`${name}.js`) && !file.startsWith('compare-');
        assert.equal(text.includes(`/clients/${name}.js'`), hasClient, file);
      }
    });
  }

  it('of the full test know all experiments that can be a part, in their order', () => {
    const namesOf = (/** @type {readonly { name: string }[]} */ experiments) => experiments.map(({ name }) => name);
    assert.deepEqual(namesOf(MEMBERS), namesOf(membersOf(EXPERIMENTS)));
  });

  it('list the partials that only one experiment has, so that nobody has to look whether a file is there', () => {
    const names = EXPERIMENTS.map(({ name }) => name);
    assert.deepEqual(
      Object.keys(PAGE_PARTIALS).filter((name) => !names.includes(name)),
      [],
    );
    const listed = Object.values(PAGE_PARTIALS).flatMap(
      ({ legend: _, group: __, asked: ___, maxSeconds: ____, ...partials }) => Object.values(partials),
    );
    const found = ['experiments', 'pictures'].flatMap((folder) =>
      readdirSync(`views/partials/${folder}`).map((file) => `${folder}/${file.replace('.ejs', '')}`),
    );
    assert.deepEqual(listed.sort(), found.sort());
  });
});
