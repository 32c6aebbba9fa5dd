/**
 * The figures of the documents: their list, and how a document is rewritten.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { InvalidInputError } from '../../core/base/foreign-text.js';
import { FIGURES } from '../../figures/list.js';
import { listFigures, replaceFigure } from '../../figures/markers.js';
import { rangeOf } from '../../figures/values.js';

const docs = readdirSync('docs').flatMap((file) => (file.endsWith('.md') ? [`docs/${file}`] : []));

describe('the list of figures', () => {
  it('has those of the documents, and no others', () => {
    const found = ['README.md', ...docs].flatMap((file) =>
      listFigures(readFileSync(file, 'utf8')).map((name) => `${file} ${name}`),
    );
    assert.deepEqual(found.sort(), FIGURES.map(({ file, name }) => `${file} ${name}`).sort());
  });

  it('makes the same names only once', () => {
    assert.equal(new Set(FIGURES.map(({ name }) => name)).size, FIGURES.length);
  });
});

describe('a document', () => {
  const text = `# A

<!-- figures: first -->

| old |

<!-- /figures -->

between, $& and $1

<!-- figures: second -->
<!-- /figures -->
end`;

  it('gets a figure, and keeps everything else', () => {
    const changed = replaceFigure(text, 'first', '| $& | $1 |\n');
    assert.equal(
      changed,
      text.replace('| old |', () => '| $& | $1 |'),
    );
    assert.equal(replaceFigure(changed, 'first', '| old |'), text);
    assert.equal(replaceFigure(text, 'second', 'new'), text.replace('second -->\n<!--', 'second -->\n\nnew\n\n<!--'));
    assert.deepEqual(listFigures(changed), ['first', 'second']);
  });

  it('gets none that it has no place for', () => {
    assert.throws(() => replaceFigure(text, 'third', 'new'), InvalidInputError);
  });
});

describe('a value', () => {
  it('without an interval has the range of its repeats', () => {
    assert.deepEqual(rangeOf([3, 1, 2]), { estimate: 2, low: 1, high: 3 });
    assert.equal(rangeOf([]), undefined);
  });
});
