/** The page that reads a recording: what it is given, what it shows of it, and that nothing of it leaves the browser. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { adviseRecording } from '../../core/recording/advice.js';
import { createExample } from '../../core/recording/example.js';
import { readRecording } from '../../core/recording/recording.js';
import { findViolations, overflowOf } from '../support/axe.js';
import { useBrowserSite } from '../support/browser-site.js';
import { entryOf, harOf, pollEntries } from '../support/har.js';

/**
 * @import { BrowserContextOptions, Page } from 'playwright-core'
 * @import { Tab } from '../support/browser-site.js'
 */

const EXAMPLE = createExample();
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const HEADLINE = '#page-headline';

/** How much farther away the server is made. */
const ANSWER_MS = 20;
const SHORT_JOBS = 'deliveries=poll,sse,sockjs&users=1&jobs=4&max=100&intervals=25&limit=5000&blocks=6&seed=1';

/** @param {Page} page @param {string} text @param {string} [name] */
const choose = (page, text, name = 'shop.har') =>
  page.locator('#recording-file').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });

/** @param {Page} page @param {string} text as a pointer drops a file that has it */
const drop = (page, text) =>
  page.evaluate((content) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([content], 'dropped.har'));
    const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
    document.querySelector('footer')?.dispatchEvent(event);
  }, text);

/** @param {Page} page the words of the paragraph that says what is wrong, once it does */
async function problemOn(page) {
  await page.locator('#recording-problem:not(:empty)').waitFor();
  return page.locator('#recording-problem').innerText();
}

/** @param {(entry: any) => void} change @returns {string} the example, with each request changed */
function changed(change) {
  const har = JSON.parse(EXAMPLE);
  har.log.entries.forEach(change);
  return JSON.stringify(har);
}

/**
 * Runs in the page: drops a large file, and waits until a part of it is read.
 * @param {{ text: string, isCancelled?: boolean }} options @returns {Promise<number>} how much of it was
 */
async function dropLarge({ text, isCancelled = false }) {
  const har = JSON.parse(text);
  const many = Array.from({ length: 100 }, () => har.log.entries).flat();
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([JSON.stringify({ log: { ...har.log, entries: many } })], 'large.har'));
  document.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
  const progress = document.querySelector('progress');
  while (!progress?.value) await new Promise((resolve) => setTimeout(resolve));
  const share = progress.value;
  if (isCancelled) document.querySelector('#cancel-reading')?.dispatchEvent(new MouseEvent('click'));
  return share;
}

describe('the page that reads a recording', () => {
  const site = useBrowserSite();

  /** A tab keeps what it has read, which would be shown. @param {(tab: Tab) => Promise<void>} use @param {BrowserContextOptions} [context] */
  const visit = (use, context) =>
    site.withTab(
      '/yourpage',
      async (tab) => {
        const isEmpty = await tab.page.evaluate(() => sessionStorage.length === 0);
        if (!isEmpty) {
          await tab.page.evaluate(() => sessionStorage.clear());
          await tab.page.reload();
        }
        await use(tab);
      },
      { context },
    );

  it('says of a dropped file what the command says of it, and requests nothing', () =>
    visit(async ({ page, complaints }) => {
      await page.waitForLoadState('networkidle');
      /** @type {string[]} */
      const requests = [];
      page.on('request', (request) => requests.push(request.url()));
      await drop(page, EXAMPLE);
      await page.locator(HEADLINE).waitFor();
      const recording = await readRecording(EXAMPLE);
      const { headline, polls } = adviseRecording(recording);
      assert.equal(await page.locator(HEADLINE).innerText(), headline);
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'page-headline');
      const rows = await page.locator('#polls tbody').evaluateAll((all) => all.map((row) => String(row.textContent)));
      assert.equal(rows.length, polls.length);
      polls.forEach(({ poll, label, reason }, i) => {
        for (const part of [poll.pattern, label, reason]) assert.ok(rows[i].includes(part), `${rows[i]}: ${part}`);
      });
      assert.match(await page.locator('#recording-lead').innerText(), /^dropped\.har, 10 min, .*, saved by S/);
      assert.deepEqual(requests, []);
      assert.deepEqual(complaints, []);
    }));

  it('names the hosts of several origins, in the table and beside the dots', () =>
    visit(async ({ page }) => {
      const hosts = ['first.shop.example', 'second.shop.example'];
      const entries = hosts.flatMap((host) =>
        pollEntries({ answer: () => ({ url: `https://${host}/orders/status`, body: '[]' }), count: 20, everyMs: 2000 }),
      );
      await choose(page, harOf(entries));
      await page.locator(HEADLINE).waitFor();
      const labels = await page.locator('.dots .address').allTextContents();
      assert.deepEqual([labels.length, new Set(labels).size], [2, 2]);
      const rows = await page.locator('#polls tbody').allTextContents();
      for (const host of hosts) assert.ok(rows.some((row) => row.includes(host)));
    }));

  it('reads what Chromium’s own developer tools have saved', () =>
    visit(async ({ page, complaints }) => {
      const saved = gunzipSync(readFileSync('test/fixtures/recordings/chromium-156.har.gz')).toString();
      await choose(page, saved);
      await page.locator(HEADLINE).waitFor();
      const { headline, polls } = adviseRecording(await readRecording(saved));
      assert.equal(await page.locator(HEADLINE).innerText(), headline);
      assert.equal(await page.locator('#polls tbody').count(), polls.length);
      assert.deepEqual(complaints, []);
    }));

  it('cannot send anything, from itself or from its worker', () =>
    visit(async ({ page, complaints }) => {
      const sent = await page.evaluate(async () => {
        const beacon = new EventSource('/yourpage');
        await new Promise((resolve) => (beacon.onerror = resolve));
        return fetch('/yourpage').then(
          () => 'sent',
          () => 'refused',
        );
      });
      assert.equal(sent, 'refused');
      assert.ok(
        complaints.length > 0 && complaints.every((one) => /Content Security Policy|Refused to connect/.test(one)),
      );
      // It starts beside the page.
      const worker = page.workers()[0] ?? (await page.waitForEvent('worker'));
      assert.equal(
        await worker.evaluate(() =>
          fetch('/yourpage').then(
            () => 'sent',
            () => 'refused',
          ),
        ),
        'refused',
      );
    }));

  it('draws a dot for each answer, filled where it held something new, and says so in words', () =>
    visit(async ({ page }) => {
      await choose(page, EXAMPLE);
      const picture = page.locator('#dots svg');
      await picture.waitFor();
      const { polls } = await readRecording(EXAMPLE);
      const [, span] = /first (\d+) minutes/.exec(await page.locator('#dots-title').innerText()) ?? assert.fail();
      const dots = polls.flatMap((poll) => poll.dots).filter(({ atMs }) => atMs <= 60_000 * Number(span));
      assert.equal(await picture.locator('circle').count(), dots.length);
      assert.equal(await picture.locator('circle.news').count(), dots.filter(({ isNew }) => isNew).length);
      const words = String(await picture.getAttribute('aria-label'));
      for (const { pattern } of polls) assert.ok(words.includes(pattern), words);
    }));

  it('reads what is pasted, on the page or into its field', () =>
    visit(async ({ page }) => {
      await page.evaluate((text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', text);
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
      }, EXAMPLE);
      await page.locator(HEADLINE).waitFor();
      await page.evaluate(() => sessionStorage.clear());
      await page.reload();
      await page.getByText('Paste a recording').click();
      await page.getByRole('button', { name: 'Read it' }).click();
      assert.match(await problemOn(page), /got nothing/);
      await page.locator('#pasted').fill('{}');
      await page.getByRole('button', { name: 'Read it' }).click();
      await page.getByText('Choose another file').waitFor();
      assert.equal(await page.locator('#pasted').inputValue(), '{}');
      await page.locator('#pasted').fill(EXAMPLE);
      await page.getByRole('button', { name: 'Read it' }).click();
      await page.locator(HEADLINE).waitFor();
      assert.equal(await page.locator('#pasted').inputValue(), '');
    }));

  it('stops reading at once, and reads another file then', () =>
    visit(async ({ page }) => {
      assert.ok((await page.evaluate(dropLarge, { text: EXAMPLE, isCancelled: true })) < 1);
      await page.locator('#reading').waitFor({ state: 'hidden' });
      assert.equal(await page.locator(HEADLINE).isVisible(), false);
      await choose(page, EXAMPLE);
      await page.locator(HEADLINE).waitFor();
      assert.match(await page.locator('#recording-lead').innerText(), /^shop\.har/);
      await page.evaluate(dropLarge, { text: EXAMPLE, isCancelled: true });
      await page.locator('#other-file:focus').waitFor();
    }));

  it('reads another file in place of the one that it reads', () =>
    visit(async ({ page }) => {
      await page.evaluate(dropLarge, { text: EXAMPLE });
      await choose(page, EXAMPLE, 'other.har');
      await page.locator(HEADLINE).waitFor();
      const { requests } = await readRecording(EXAMPLE);
      const lead = await page.locator('#recording-lead').innerText();
      assert.match(lead, /^other\.har/);
      assert.ok(lead.includes(` ${requests.toLocaleString('en')} requests`), lead);
      assert.equal(await page.locator('#reading').isVisible(), false);
    }));

  it('says that it could not read where its worker was not loaded, and tries again with the next file', () =>
    visit(async ({ page }) => {
      const script = '**/recording-worker.js';
      await page.route(script, (route) => route.abort());
      await Promise.all([page.waitForEvent('requestfailed', (request) => /worker/.test(request.url())), page.reload()]);
      await page.waitForLoadState('networkidle');
      const isAskedAgain = page.waitForEvent('requestfailed', (request) => /worker/.test(request.url()));
      await choose(page, EXAMPLE);
      assert.match(await problemOn(page), /^The file could not be read\. /);
      await isAskedAgain;
      await page.unroute(script);
      await choose(page, '{}');
      await choose(page, EXAMPLE);
      await page.locator(HEADLINE).waitFor();
    }));

  it('says of another file what was expected and what came, and keeps what it showed', () =>
    visit(async ({ page }) => {
      for (const text of ['', '{"hello": 1}', 'GET / HTTP/1.1', '{"log": {"version": "2.0", "entries": []}}']) {
        await choose(page, text);
        assert.match(await problemOn(page), /^Expected [^.]+.*, got .*\. Choose another file\.$/, text);
        assert.equal(await page.locator(HEADLINE).isVisible(), false);
      }
      await choose(page, EXAMPLE);
      await page.locator(HEADLINE).waitFor();
      await choose(page, '{}');
      await problemOn(page);
      assert.equal(await page.locator(HEADLINE).isVisible(), true);
    }));

  it('shows what is whole of a file that breaks off, and says that it does', () =>
    visit(async ({ page }) => {
      const cut = EXAMPLE.slice(0, EXAMPLE.length / 2);
      await choose(page, cut);
      await page.locator(HEADLINE).waitFor();
      const { problems, polls } = await readRecording(cut);
      assert.equal(await page.locator('#recording-notice').innerText(), problems.map(({ text }) => text).join(' '));
      assert.equal(await page.locator('#polls tbody').count(), polls.length);
    }));

  it('tells a page that does not poll so, and has no test for it', () =>
    visit(async ({ page }) => {
      const har = JSON.parse(EXAMPLE);
      har.log.entries = har.log.entries.filter((/** @type {any} */ { _resourceType: type }) => type === 'document');
      await choose(page, JSON.stringify(har));
      await page.getByText('This page does not poll').waitFor();
      for (const selector of ['#page-polls', '#page-dots', '#measure-push', '#code-sse'])
        assert.equal(await page.locator(selector).isVisible(), false, selector);
    }));

  it('folds a long list of polls, and shows it in steps', () =>
    visit(async ({ page }) => {
      const entries = Array.from({ length: 70 }, (_, i) =>
        pollEntries({
          answer: () => ({
            url: `https://shop.example/${String.fromCharCode(97 + (i % 26)).repeat(1 + i / 26)}`,
            body: '[]',
          }),
          count: 20,
          everyMs: 3000,
          by: 'timer',
        }),
      );
      await choose(page, harOf(entries.flat()));
      await page.locator(HEADLINE).waitFor();
      const countNow = () => page.locator('#polls tbody:visible').count();
      const few = await countNow();
      assert.ok(few < 10);
      await page.getByRole('button', { name: 'Show 50 more of 70 polls' }).click();
      assert.equal(await countNow(), few + 50);
      await page.getByRole('button', { name: 'Show all 70 polls' }).click();
      assert.equal(await countNow(), 70);
      assert.equal(await page.locator('#more-polls').isVisible(), false);
    }));

  it('is named where it has filled in the test, and nowhere else', () =>
    visit(async ({ page }) => {
      await choose(page, EXAMPLE);
      await page.locator('#measure-push').click();
      await page.locator('.offer:has-text("polls every 2 s")').waitFor();
      await page.goto(`${site.origin}/?page=asks`);
      await page.locator('#start:text-matches("about")').waitFor();
      assert.doesNotMatch(await page.locator('.offer').innerText(), /every/);
    }));

  it('lists what is pushed already, and what waits at the server, folded', () =>
    visit(async ({ page }) => {
      const entries = [
        entryOf({ url: 'wss://shop.example/live', status: 101, type: 'websocket' }),
        entryOf({ url: 'https://shop.example/events', type: 'eventsource', mimeType: 'text/event-stream' }),
        ...pollEntries({
          answer: (i) => ({ url: 'https://shop.example/wait', body: '[]', ms: [25_000, 3000, 9000][i % 3] }),
          count: 9,
          everyMs: 2,
          by: 'pause',
        }),
      ];
      await choose(page, harOf(entries));
      await page.locator(HEADLINE).waitFor();
      const lists = page.locator('#page-rest details');
      assert.deepEqual(await lists.locator('summary').allInnerTexts(), [
        'Long polls: 1',
        'Event streams: 1',
        'WebSockets: 1',
      ]);
      assert.equal(await page.getByText('/live').isVisible(), false);
      await lists.nth(2).locator('summary').click();
      assert.equal(await page.getByText('/live').isVisible(), true);
    }));

  it('shows the code before and after, with the library that the page uses', () =>
    visit(async ({ page }) => {
      await choose(page, EXAMPLE);
      const code = page.locator('#code-sse');
      await code.waitFor();
      assert.deepEqual(await code.getByRole('heading').allInnerTexts(), [
        'What changes in the code',
        'Before: polling',
        'After: EventSource',
      ]);
      assert.equal(await page.locator('#code-sockjs').isVisible(), false);
      const before = code.locator('pre:visible').first();
      assert.match(await before.innerText(), /url = `\/orders\?[^]*setTimeout\(poll, 2000\)/);
      assert.match(await code.locator('pre').last().innerText(), /url = `\/orders\?since=\$\{last\}`;/);
      const withLibrary = changed((entry) => (entry._initiator = { url: 'https://shop.example/jquery-4.0.0.min.js' }));
      await choose(page, withLibrary);
      await code.getByText('Before: polling with jQuery').waitFor();
      assert.equal(await code.getByRole('heading').count(), 3);
      assert.match(await before.innerText(), /\$\.getJSON\('\/orders'[^]*setTimeout\(poll, 2000\)/);
      await choose(page, EXAMPLE.replaceAll('/orders?', "/it's$b?"));
      await code.getByText('url = `/it').first().waitFor();
      assert.match(await before.innerText(), /url = `\/it%27s%24[^`$]*\?since=\$\{last\}`;/);
    }));

  it('breaks no line of the code and scrolls it, however narrow the screen and long the address', () =>
    visit(async ({ page }) => {
      await choose(page, EXAMPLE.replaceAll('/orders?', `/${'orders'.repeat(20)}?`));
      await page.locator('#code-sse').waitFor();
      for (const width of [1280, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        const found = await page.locator('#code-sse pre:visible').evaluateAll((all) =>
          all.map((one) => {
            const { overflowX, whiteSpace } = getComputedStyle(one);
            return `${overflowX} ${whiteSpace}`;
          }),
        );
        assert.deepEqual(found, Array(2).fill('auto pre'), `${width} px`);
        await page.waitForFunction(() => document.documentElement.scrollWidth <= window.innerWidth);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    }));

  it('shows markup in addresses as text', () =>
    visit(async ({ page, complaints }) => {
      const evil = '<img src=x onerror=document.title=1>';
      const text = changed((entry) => {
        entry.request.url = entry.request.url.replace('?since=', `/${evil}?<script>=`);
        entry.request.httpVersion = entry.response.httpVersion = `HTTP/1.1${evil}`;
      });
      await choose(page, text.replace('"SockShootout"', JSON.stringify(evil)), `${evil}.har`);
      await page.locator(HEADLINE).waitFor();
      assert.match(await page.locator('#recording-lead').innerText(), /^<img src=x/);
      assert.equal(await page.locator('main :is(img, script)').count(), 0);
      assert.deepEqual(complaints, []);
    }));

  it('asks a phone, which has nothing to drop, for a file', () =>
    site.withTab('/yourpage', ({ page }) => page.getByRole('heading', { name: 'Choose a HAR file' }).waitFor(), {
      context: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    }));

  it('fills in the test of the home page, and shows the recording again when the visitor is back', () =>
    visit(async ({ page }) => {
      await choose(page, EXAMPLE);
      await page.locator(HEADLINE).waitFor();
      const headline = await page.locator(HEADLINE).innerText();
      await page.getByRole('button', { name: 'Measure push from here' }).click();
      await page.locator('#start:enabled').waitFor();
      const { searchParams } = new URL(page.url());
      assert.equal(searchParams.get('every'), '2000');
      assert.equal(searchParams.get('polls'), 'pause');
      assert.doesNotMatch(page.url(), /orders|shop/);
      await page.getByRole('link', { name: 'Your page' }).click();
      await page.locator(HEADLINE).waitFor();
      assert.equal(await page.locator(HEADLINE).innerText(), headline);
      await page.getByRole('button', { name: 'Forget it' }).click();
      await page.getByText('Drop a HAR file here').waitFor();
      assert.equal(await page.evaluate(() => sessionStorage.getItem('sockshootout/recording/1')), null);
    }));

  it('shows what a run has measured in place of what was predicted', () =>
    site.withDoor(
      (door) =>
        site.withTab(
          '/yourpage',
          async ({ page, complaints }) => {
            await choose(page, EXAMPLE);
            const card = page.locator('#page-gains li').first();
            await card.getByText('Both are predicted').waitFor();
            const link = String(await page.locator('#measure-push').getAttribute('href'));
            await page.goto(`${door.origin}${link}&jobs=${encodeURIComponent(SHORT_JOBS)}&autostart=1`);
            await page.getByRole('link', { name: 'Back to your page' }).click();
            await card.getByText('Push: measured from here').waitFor();
            const ms = Number(/ ([\d.]+) ms away/.exec(await card.innerText())?.[1]);
            assert.ok(ms >= ANSWER_MS, `${ms} ms`);
            await page.getByText('How this is calculated').click();
            await page.locator('#polls-costs').getByText('delay measured').first().waitFor();
            assert.deepEqual(complaints, []);
          },
          { origin: door.origin, context: {} },
        ),
      { answerMs: ANSWER_MS },
    ));

  it('counts for as many users as the visitor says', () =>
    visit(async ({ page }) => {
      await choose(page, EXAMPLE);
      const load = page.locator('#users-load');
      await load.waitFor();
      await page.getByLabel('Users with the page open').fill('5000');
      const { totals } = adviseRecording(await readRecording(EXAMPLE), { users: 5000 });
      const perSecond = Number(totals.now.requestsPerSecond.toPrecision(2)).toLocaleString('en');
      assert.ok((await load.innerText()).includes(`${perSecond} requests by polling`));
      await page.getByLabel('Users with the page open').fill('many');
      assert.match(await page.locator('#users-error').innerText(), /expected .*, got .many/i);
      assert.equal(await load.textContent(), '');
    }));

  it('exports what it shows, without the site’s name', () =>
    visit(async ({ page }) => {
      await choose(page, EXAMPLE);
      await page.locator(HEADLINE).waitFor();
      for (const [name, start] of [
        ['JSON', '{'],
        ['Markdown', '### '],
        ['CSV', '\ufeffmethod,pattern,'],
      ]) {
        await page.locator('#exports summary').click();
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: `Download ${name}` }).click(),
        ]);
        const chunks = await (await download.createReadStream()).toArray();
        const text = Buffer.concat(chunks).toString();
        assert.ok(text.startsWith(start), text.slice(0, 40));
        assert.ok(text.includes('/orders?since=*') || text.includes('/orders'));
        assert.doesNotMatch(text, /shop\.example/);
      }
    }));

  it('can be used by the keyboard alone', () =>
    visit(async ({ page }) => {
      await page.getByRole('button', { name: 'Try with an example' }).focus();
      await page.keyboard.press('Enter');
      await page.locator(HEADLINE).waitFor();
      const tabTo = async () => {
        await page.keyboard.press('Tab');
        return page.evaluate(() => document.activeElement?.textContent?.trim());
      };
      assert.equal(await tabTo(), 'Measure push from here');
      assert.equal(await tabTo(), 'Export');
      await page.keyboard.press('Enter');
      assert.equal(await tabTo(), 'Download JSON');
    }));

  it('fits a phone in each of its states', () =>
    visit(async ({ page }) => {
      assert.ok((await overflowOf(page)) <= 0);
      assert.deepEqual(await findViolations(page), []);
      await choose(
        page,
        changed((entry) => (entry.request.url += `&${'w'.repeat(300)}=1`)),
        `${'W'.repeat(200)}.har`,
      );
      await page.locator(HEADLINE).waitFor();
      assert.ok((await overflowOf(page)) <= 0);
      assert.deepEqual(await findViolations(page), []);
    }, PHONE));
});
