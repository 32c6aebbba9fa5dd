/**
 * Pages on paper, and in the colours of their visitor: in a real Chromium.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useSharing } from '../support/sharing.js';

const { post, withTab } = useSharing();

describe('a shared run', () => {
  it('is printed with the tables that are folded on a screen, and without what can be pressed', async () => {
    const { url } = await post();
    await withTab(url, async ({ page }) => {
      await page.locator('#verdict-headline:not(:empty)').waitFor();
      const canSee = (/** @type {string} */ selector) =>
        page
          .locator(selector)
          .first()
          .evaluate((part) => part.checkVisibility() && part.getClientRects().length > 0);
      assert.deepEqual([await canSee('#rows'), await canSee('body > header ul')], [false, true]);
      await page.emulateMedia({ media: 'print' });
      assert.deepEqual([await canSee('#rows'), await canSee('body > header ul')], [true, false]);
    });
  });

  it('has a slider whose track can be seen in forced colours', async () => {
    const { url } = await post();
    await withTab(url, async ({ page }) => {
      const slider = page.locator('#rtt');
      await slider.waitFor();
      await page.emulateMedia({ forcedColors: 'active' });
      const picture = `data:image/png;base64,${(await slider.screenshot()).toString('base64')}`;
      const [edge, track] = await page.evaluate(readColours, picture);
      assert.notEqual(track, edge);
    });
  });
});

describe('a page', () => {
  it('has a progress that can be seen in forced colours', () =>
    withTab('/', async ({ page }) => {
      await page.emulateMedia({ forcedColors: 'active' });
      const colours = await page.evaluate(() => {
        const progress = Object.assign(document.createElement('progress'), { value: 0.5 });
        document.body.append(progress);
        const { borderTopColor, borderTopStyle } = getComputedStyle(progress);
        return { edge: borderTopColor, line: borderTopStyle, page: getComputedStyle(document.body).backgroundColor };
      });
      assert.equal(colours.line, 'solid');
      assert.notEqual(colours.edge, colours.page);
    }));

  it('leaves a figure to the right of a name that reads from right to left', () =>
    withTab('/', async ({ page }) => {
      const [nameEnds, figureBegins] = await page.evaluate(() => {
        const name = Object.assign(document.createElement('strong'), { textContent: 'ירושלים' });
        const figure = document.createTextNode(', 10 min');
        document.body.appendChild(document.createElement('p')).append(name, figure);
        const range = document.createRange();
        range.setStart(figure, 2);
        range.setEnd(figure, 4);
        return [name.getBoundingClientRect().right, range.getBoundingClientRect().left];
      });
      assert.ok(figureBegins >= nameEnds, `${figureBegins} px, ${nameEnds} px`);
    }));
});

/** Runs in the page. @param {string} url @returns {Promise<string[]>} the colours near a picture's edge, and in the middle of its left quarter */
async function readColours(url) {
  const image = new Image();
  image.src = url;
  await image.decode();
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
  context?.drawImage(image, 0, 0);
  return [2, Math.floor(image.height / 2)].map((y) =>
    String(context?.getImageData(Math.floor(image.width / 4), y, 1, 1).data),
  );
}
