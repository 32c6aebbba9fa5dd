/**
 * What Lighthouse says of the home page and the classic pages: 100 for performance, accessibility and best practices, as
 * the median of five audits. Over plain http: loopback counts as secure.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import lighthouse, { desktopConfig } from 'lighthouse';
import { chromium } from 'playwright-core';
import { launchOptions } from '../support/browser.js';
import { findFreePorts } from '../support/free-ports.js';
import { spawnServer } from '../support/server.js';

const PATHS = ['/', '/ajaxtest', '/socktest'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
const AUDIT_COUNT = 5;

describe('Lighthouse', () => {
  /** @type {number} */
  let port;
  /** @type {import('playwright-core').Browser} */
  let browser;
  /** @type {ReturnType<typeof spawnServer>} */
  let server;
  before(async () => {
    port = Number(await findFreePorts(1));
    browser = await chromium.launch(await launchOptions({ args: [`--remote-debugging-port=${port}`] }));
    server = spawnServer();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  for (const path of PATHS) {
    it(`gives ${path} 100 for all that it is asked`, async (t) => {
      const url = (await server.origin()) + path;
      /** @type {{ scores: Record<string, number>, lacks: string[] }[]} */
      const audits = [];
      while (audits.length < AUDIT_COUNT) audits.push(await audit(url));
      for (const category of CATEGORIES) {
        const scores = audits.map(({ scores }) => scores[category]).sort((a, b) => a - b);
        t.diagnostic(`${category}: ${scores.join(', ')}`);
        const lacks = [...new Set(audits.flatMap((one) => one.lacks))];
        assert.equal(scores[(AUDIT_COUNT - 1) / 2], 100, `${category}: ${scores.join(', ')}; ${lacks.join('; ')}`);
      }
    });
  }

  /** @param {string} url */
  async function audit(url) {
    // As on a desktop: as a phone it slows the processor to a quarter of whatever a busy machine has left.
    const options = /** @type {const} */ ({ port, logLevel: 'error', disableFullPageScreenshot: true });
    const { lhr } =
      (await lighthouse(url, { ...options, onlyCategories: CATEGORIES }, desktopConfig)) ?? assert.fail(url);
    const categories = Object.values(lhr.categories);
    return {
      scores: Object.fromEntries(categories.map(({ id, score }) => [id, Math.round(100 * (score ?? 0))])),
      lacks: categories.flatMap(({ auditRefs }) =>
        auditRefs.flatMap(({ id, weight }) => {
          const { score, displayValue = '' } = lhr.audits[id];
          return weight > 0 && score !== null && score < 1 ? [`${id} ${displayValue}`.trim()] : [];
        }),
      ),
    };
  }
});
