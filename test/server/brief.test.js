import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { digestOf } from '../../core/experiment/documents/document-digest.js';
import { briefOf } from '../../server/saved-runs/brief.js';
import { drawFigures } from '../../server/saved-runs/list.js';
import { readSavedDocument, SAVED_DOCUMENTS } from '../support/saved-documents.js';

/** What fits into a line of a phone, or two. */
const MOST = { name: 40, found: 120 };

/** @param {object[]} answers @param {object} [digest] */
const briefOfRun = (answers, digest) =>
  briefOf({ experiment: 'shootout', digest: { headline: 'Use it. It is sooner.', scope: 'path', answers, ...digest } });

const NEWS = { experiment: 'jobs', topic: 'news', subject: 'SockJS compared with jQuery AJAX, polling every 1 s' };
const SENDING = { experiment: 'shootout', topic: 'sending', subject: 'SockJS compared with AJAX' };
const sooner = { mark: 'better', word: 'Sooner' };
const unclear = { mark: 'unclear', word: 'No clear difference', verdict: 'unclear' };

describe('a run in a line of a list', () => {
  it('is what it says of news, else of sending, with what is compared and nothing else', () => {
    assert.deepEqual(
      briefOfRun([
        { ...SENDING, mark: 'same', word: 'Same within 10%' },
        { ...NEWS, ...sooner },
      ]),
      {
        verdict: { ...sooner, isPredicted: false },
        name: 'Sending a message',
        about: 'SockJS, polls 1 s',
      },
    );
    const { verdict, about } = briefOfRun([
      { ...SENDING, mark: 'worse', word: 'Slower' },
      { ...NEWS, ...unclear },
    ]);
    assert.deepEqual([verdict?.word, about], ['Slower', 'SockJS']);
  });

  it('is of one machine what that predicts, and its figure says where it is from', () => {
    const elsewhere = { ...sooner, rttMs: 100 };
    const { verdict } = briefOfRun([{ ...NEWS, ...unclear, elsewhere }], { scope: 'machine' });
    assert.deepEqual(verdict, { ...sooner, isPredicted: true });
    const amount = { value: 5, total: 6, unit: 'checks-passed' };
    const reach = { experiment: 'reach', subject: 'SockJS', mark: 'better', word: 'Works', amount };
    assert.deepEqual(briefOfRun([reach], { scope: 'machine' }), {
      verdict: { mark: 'better', word: 'Works' },
      name: 'Reachability',
      isMeasured: true,
      found: '5 of 6 checks passed, on one machine',
    });
  });

  it('says a figure with what it is of, and nothing of one whose unit it does not know', () => {
    const cuts = { experiment: 'cuts', subject: 'SockJS', mark: 'unclear', word: 'No verdict' };
    const foundOf = (/** @type {string} */ unit) => briefOfRun([{ ...cuts, amount: { value: 1.3, unit } }]).found;
    assert.equal(foundOf('lost-seconds'), '1.3 s of messages lost, with ping');
    assert.equal(foundOf('of-a-newer-release'), 'Use it');
  });

  it('says a ratio with its interval, and what it is of, though it is not clear', () => {
    const amount = { value: 1.19, low: 0.9, high: 1.5, unit: 'times-as-fast' };
    const payload = { experiment: 'payload', subject: 'SockJS compared with AJAX, echo of 100 kB', ...unclear, amount };
    assert.deepEqual(briefOfRun([payload], { scope: 'machine' }), {
      verdict: { mark: 'unclear', word: 'No clear difference' },
      name: 'Payload size',
      about: 'SockJS, echo of 100 kB',
      isMeasured: true,
      found: '1.19x as fast (0.9–1.5), on one machine',
    });
  });

  it('is without a verdict the first sentence of its headline', () => {
    assert.deepEqual(briefOfRun([]), { name: 'Sending a message', found: 'Use it' });
    assert.deepEqual(briefOfRun([{ ...NEWS, ...sooner, isDoubtful: true }]).found, 'Use it');
  });

  for (const name of SAVED_DOCUMENTS) {
    it(`is short: ${name}`, () => {
      const { experiment, document } = readSavedDocument(name);
      const digest = digestOf(experiment, document);
      const said = briefOf({ experiment: experiment.name, digest, isValid: digest.isValid });
      assert.ok(said.verdict || said.found, name);
      assert.ok(
        said.name.length <= MOST.name && [said.about, said.found].every((one = '') => one.length <= MOST.found),
        JSON.stringify(said),
      );
    });
  }
});

describe('the figures of a list', () => {
  const sends = { ...SENDING, mark: 'better', word: 'Faster', amount: { value: 1.2, unit: 'times-as-fast' } };
  const waits = { ...NEWS, ...sooner, amount: { value: 550, unit: 'sooner-ms' } };
  const runsOf = (/** @type {object[]} */ answers) =>
    answers.map((answer) => ({ digest: { scope: 'path', answers: [answer] } }));

  it('have no column for a question of which no run has one', () => {
    assert.deepEqual(
      drawFigures(runsOf([sends])).heads.map(({ short }) => short),
      ['Sending'],
    );
    assert.deepEqual(drawFigures(runsOf([{ ...waits, isDoubtful: true }])).heads, []);
  });

  it('say for whom they are predicted, in the head where that is so of all', () => {
    const elsewhere = { ...sends, rttMs: 100 };
    const predicting = { digest: { scope: 'machine', answers: [{ ...sends, elsewhere }] } };
    const predictedIn = (/** @type {{ digest: any }[]} */ runs) => {
      const { heads, cells } = drawFigures(runs);
      return [heads[0].predicted, ...cells.map(([cell]) => cell?.predicted)];
    };
    const words = 'predicted at 100 ms';
    assert.deepEqual(predictedIn([predicting, predicting]), [words, words, words]);
    assert.deepEqual(predictedIn([predicting, ...runsOf([sends])]), [undefined, words, undefined]);
  });

  it('say what a run did not ask, and nothing where it found none', () => {
    const { cells } = drawFigures(runsOf([sends, waits, { ...waits, isDoubtful: true }]));
    assert.deepEqual(
      cells.map((own) => own.map((cell) => cell?.figure)),
      [
        ['not asked', '1.20x'],
        ['0.55 s', 'not asked'],
        [undefined, 'not asked'],
      ],
    );
  });
});
