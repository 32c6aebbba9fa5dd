/**
 * The figures of the documents: their list, and how a document is rewritten.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { InvalidInputError } from '../../core/base/foreign-text.js';
import { excerptOf } from '../../figures/excerpt.js';
import { FIGURES } from '../../figures/list.js';
import { listFigures, replaceFigure } from '../../figures/markers.js';
import { memoryIn } from '../../figures/memory.js';

const docs = readdirSync('docs').flatMap((file) => (file.endsWith('.md') ? [`docs/${file}`] : []));

describe('the list of figures', () => {
  it('has those of the documents, and no others', () => {
    const found = docs.flatMap((file) => listFigures(readFileSync(file, 'utf8')).map((name) => `${file} ${name}`));
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

describe('the part of an output that a document shows', () => {
  const output = [
    '### Title',
    'The answer.',
    'Where it was measured.',
    '| a |\n| --- |\n| 1 |',
    '#### Others',
    '| b |\n| --- |\n| 2 |',
    'Notes.\n',
  ].join('\n\n');

  it('is the answer with the first table', () => {
    assert.equal(excerptOf(output, {}), 'The answer.\n\nWhere it was measured.\n\n| a |\n| --- |\n| 1 |');
  });

  it('is the answer with more tables and their headings', () => {
    assert.match(excerptOf(output, { tables: 2 }), /\| 1 \|\n\n\*\*Others\*\*\n\n\| b \|\n\| --- \|\n\| 2 \|$/);
  });

  it('is the table with a heading, or a paragraph of text', () => {
    assert.equal(excerptOf(output, { part: 'Others' }), '| b |\n| --- |\n| 2 |');
    assert.equal(
      excerptOf('Users: 5\n\nMemory:\nPolling: 1 MB\n', { text: 'Memory' }),
      '```text\nMemory:\nPolling: 1 MB\n```',
    );
  });

  it('is missing where the output has no such heading or paragraph', () => {
    for (const wanted of [{ part: 'Another' }, { text: 'Another' }]) {
      assert.throws(() => excerptOf(output, wanted), /Another/);
    }
  });
});

describe('the memory that a command prints', () => {
  const command = 'npx sockshootout run jobs --stress --deliveries push';

  it('is data, too, by its delivery method', () => {
    const output =
      'Server memory (RSS) per 1,000 waiting users:\nOne WebSocket per user: 6.3 MB (measured with 500 users)';
    assert.deepEqual(memoryIn(command, output), ['push', { command, usersCount: 500, mbPerThousand: 6.3 }]);
  });

  it('is missing where the output has none', () => {
    assert.throws(() => memoryIn(command, 'not measured'), /--deliveries push/);
  });
});
