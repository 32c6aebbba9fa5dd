import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keepScreenOn } from '../../public/js/run/screen.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A page whose browser gives locks, or refuses them. @param {{ isRefusing?: boolean }} [options] */
function createPage({ isRefusing = false } = {}) {
  /** @type {Set<object>} */
  const held = new Set();
  /** @type {boolean[]} */
  const answers = [];
  const document = Object.assign(new EventTarget(), {
    visibilityState: /** @type {DocumentVisibilityState} */ ('visible'),
  });
  const request = async () => {
    if (isRefusing) throw new DOMException('Low battery.', 'NotAllowedError');
    const lock = { release: async () => void held.delete(lock) };
    held.add(lock);
    return lock;
  };
  return {
    options: { wakeLock: /** @type {any} */ ({ request }), document, onAnswer: answers.push.bind(answers) },
    answers,
    heldCount: () => held.size,
    /** The system takes the locks of hidden pages. @param {DocumentVisibilityState} state */
    async show(state) {
      if (state === 'hidden') held.clear();
      document.visibilityState = state;
      document.dispatchEvent(new Event('visibilitychange'));
      await settled();
    },
  };
}

describe('the screen during a run', () => {
  it('stays on until its end, also after the page was hidden', async () => {
    const page = createPage();
    const end = keepScreenOn(page.options);
    await settled();
    assert.deepEqual([page.heldCount(), page.answers], [1, [false]]);
    await page.show('hidden');
    assert.equal(page.heldCount(), 0);
    await page.show('visible');
    assert.equal(page.heldCount(), 1);
    end();
    await page.show('visible');
    assert.equal(page.heldCount(), 0);
  });

  it('is given back by a run that is over before the browser answers', async () => {
    const page = createPage();
    keepScreenOn(page.options)();
    await settled();
    assert.deepEqual([page.heldCount(), page.answers], [0, []]);
  });

  for (const [name, isRefusing] of /** @type {const} */ ([
    ['refuses', true],
    ['has no such lock', false],
  ])) {
    it(`is to be kept on by the visitor where the browser ${name}`, async () => {
      const { options, answers } = createPage({ isRefusing });
      keepScreenOn(isRefusing ? options : { ...options, wakeLock: undefined });
      await settled();
      assert.deepEqual(answers, [true]);
    });
  }
});
