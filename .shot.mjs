import { launchBrowser } from './test/support/browser.js';
import { openServer } from './test/support/server.js';
import { readSavedDocument } from './test/support/saved-documents.js';
import { postSubmission } from './test/support/submissions.js';
const [browser, server] = await Promise.all([launchBrowser(), openServer()]);
const { document } = readSavedDocument('reach-whole');
let url;
for (let i = 0; i < 6; i++) { const { answer } = await postSubmission(server.origin, { document: { ...document, startedAt: `2026-11-22T02:0${i}:00.000Z` }, place: { name: 'Oslo' } }); url = answer.url; }
for (const [name, path, width, colorScheme] of [['result', url, 390, 'light'], ['list', '/results?experiment=reach', 1280, 'dark'], ['list390', '/results?experiment=reach', 390, 'light'], ['tests','/tests',1280,'light']]) {
  const ctx = await browser.newContext({ viewport: { width, height: 1000 }, colorScheme });
  const page = await ctx.newPage();
  await page.goto(server.origin + path);
  await page.waitForTimeout(1500);
  if (name==='result') await page.evaluate(() => window.document.querySelector('#result-tables')?.scrollIntoView());
  await page.screenshot({ path: `/tmp/shot-${name}.png` });
  await ctx.close();
}
await browser.close(); await server.close();
