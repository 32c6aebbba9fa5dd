import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { formatLine } from '../../core/field/line.js';
import { holdsOnce } from '../support/attempts.js';
import { launchBrowser } from '../support/browser.js';
import { createRecord, createStudyOfUsers, sendRecord } from '../support/field-records.js';
import { openHostPage } from '../support/host-page.js';
import { openServer } from '../support/server.js';

/** @import { TestContext } from 'node:test' */
/** @import { Browser, BrowserContext, Page } from 'playwright-core' */
/** @import { TestServer } from '../support/server.js' */

/** Those of browsers that no program drives. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const UNDRIVEN = '--disable-blink-features=AutomationControlled';

/** A busy machine ended the measurement, as it does for users. */
const BUSY = new Error('busy');

/** Tries again where that happened. @param {() => Promise<void>} body @returns {(t: TestContext) => Promise<void>} */
const calmly = (body) => (t) =>
  holdsOnce(t, async () => {
    try {
      await body();
    } catch (error) {
      if (error === BUSY) return BUSY.message;
      throw error;
    }
    return undefined;
  });

describe('the users of another site’s page', () => {
  /** @type {Browser} */
  let browser;
  /** @type {TestServer} */
  let server;
  let count = 0;
  before(async () => {
    [browser, server] = await Promise.all([
      launchBrowser({ args: [UNDRIVEN, `--user-agent=${BROWSER}`] }),
      openServer(),
    ]);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  /**
   * Opens the page of a new study.
   * @param {object} [given]
   * @param {string} [given.attributes] of the line
   * @param {string} [given.script] of the page's own, instead of the line
   * @param {string} [given.allowed] what the page may connect to
   * @param {(context: BrowserContext) => Promise<unknown>} [given.prepare]
   * @param {TestServer} [given.site] that measures
   */
  async function visit({ attributes = 'data-delay="0"', script, allowed, prepare, site = server } = {}) {
    const study = `study ${count++}`;
    const tag = script
      ? ''
      : `<script type="module" src="${site.origin}/field.js" data-study="${study}" ${attributes}></script>`;
    const host = await openHostPage({ site: site.origin, tag, script: script?.replaceAll('STUDY', study), allowed });
    const settings = {
      label: study,
      origins: [host.origin],
      sample: 1,
      isOn: true,
      createdAt: new Date().toISOString(),
    };
    await site.store.createFieldStudy(settings, new Uint8Array(32));
    const context = await browser.newContext();
    await prepare?.(context);
    const page = await context.newPage();
    /** @type {string[]} */
    const complaints = [];
    /** @type {string[]} */
    const asked = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', ({ message }) => complaints.push(message));
    context.on('request', (request) => {
      if (request.url().startsWith(site.origin)) asked.push(new URL(request.url()).pathname);
    });
    await page.goto(host.origin);
    const counters = () => site.store.readFieldCounts(study);
    return {
      page,
      complaints,
      asked,
      host,
      counters,
      /** @param {string} name of a counter @returns {Promise<Map<string, number>>} all of them, once that one is there */
      async counted(name) {
        const deadline = performance.now() + 15_000;
        for (;;) {
          const found = await counters();
          if (found.has(name)) return found;
          if (name === 'all count' && found.has('all cut=busy')) throw BUSY;
          assert.ok(performance.now() < deadline, `expected '${name}', got ${JSON.stringify([...found])}`);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      },
      async close() {
        await context.close();
        host.close();
      },
    };
  }

  /** Waits until nothing more would happen. @param {Page} page */
  const settle = (page) => page.waitForTimeout(500);

  it(
    'are measured once, under a strict policy, without a trace in the page',
    calmly(async () => {
      const { page, complaints, asked, counted, host, close } = await visit();
      try {
        const counters = await counted('all count');
        for (const name of [
          'all got=opened',
          'browser=Chrome count',
          'version=Chrome 142 count',
          'protocol=http/1.1 count',
        ])
          assert.equal(counters.get(name), 1, name);
        assert.ok([...counters.keys()].some((name) => name.startsWith('all verdict=')));
        assert.deepEqual(complaints, []);
        const bare = await page.context().newPage();
        await bare.goto(`${host.origin}/bare`);
        const globals = () => Object.keys(globalThis).sort();
        assert.deepEqual(await page.evaluate(globals), await bare.evaluate(globals));
        assert.equal(await page.evaluate(() => document.body.children.length), 2);
        asked.length = 0;
        await page.reload();
        await settle(page);
        assert.deepEqual(asked, ['/field.js']);
      } finally {
        await close();
      }
    }),
  );

  it(
    'are said to have an event stream where WebSockets are blocked',
    calmly(async () => {
      const { counted, close } = await visit({ allowed: server.origin });
      try {
        const counters = await counted('all count');
        assert.equal(counters.get('all got=stream'), 1);
        assert.ok(![...counters.keys()].some((name) => name.includes('verdict=')));
      } finally {
        await close();
      }
    }),
  );

  const REFUSED = {
    'refuse storage': () =>
      Object.defineProperty(globalThis, 'localStorage', {
        get() {
          throw new DOMException('refused', 'SecurityError');
        },
      }),
    'save data': () => Object.defineProperty(Navigator.prototype, 'connection', { value: { saveData: true } }),
    'are on a cellular connection': () =>
      Object.defineProperty(Navigator.prototype, 'connection', { value: { type: 'cellular' } }),
  };
  for (const [name, refuse] of Object.entries(REFUSED)) {
    it(`are asked nothing where they ${name}`, async () => {
      const { page, complaints, asked, close } = await visit({ prepare: (context) => context.addInitScript(refuse) });
      try {
        await settle(page);
        assert.deepEqual([asked, complaints], [['/field.js'], []]);
      } finally {
        await close();
      }
    });
  }

  it('are not measured beyond the sample', async () => {
    const { page, asked, counters, close } = await visit({ attributes: 'data-delay="0" data-sample="0%"' });
    try {
      await settle(page);
      assert.deepEqual(asked, ['/field.js', '/field/settings']);
      assert.equal((await counters()).size, 0);
    } finally {
      await close();
    }
  });

  it('are cut short where they leave in the middle, and counted as such', async () => {
    const { page, counted, close } = await visit();
    try {
      await page.waitForRequest(/reach\/events/);
      await page.goto('about:blank');
      const counters = await counted('all apart=cut');
      assert.deepEqual([...counters.keys()].sort(), ['all apart=cut', 'all cut=hidden']);
    } finally {
      await close();
    }
  });

  it('are cut short where their page becomes busy', async () => {
    const { page, counted, close } = await visit();
    try {
      await page.waitForRequest(/reach\/events/);
      // What a program of the test does itself is no task of the page.
      await page.evaluate(() => {
        setTimeout(() => {
          const end = performance.now() + 200;
          while (performance.now() < end);
        });
      });
      assert.equal((await counted('all apart=cut')).get('all cut=busy'), 1);
    } finally {
      await close();
    }
  });

  /** Measures when the page says so. @param {TestServer} site */
  const importFrom = (site) => `
      import { measureField } from '${site.origin}/field.js';
      globalThis.sent = measureField({ study: 'STUDY', sample: '100%', delay: 0 });`;

  it('are as far away as answers take to come, by request and by WebSocket', async (t) => {
    const delayMs = 40;
    const site = await openServer({ delayAnswer: (answer) => void setTimeout(answer, delayMs) });
    // A busy machine makes it longer, and never shorter.
    const attempt = async () => {
      const { page, counted, close } = await visit({ site, script: importFrom(site) });
      try {
        const { blocks } = await page.evaluate(() => /** @type {any} */ (globalThis).sent);
        await counted('all count');
        const leastOf = (/** @type {string} */ name) =>
          Math.min(...blocks.map((/** @type {Record<string, number>} */ block) => block[name]));
        const least = Object.fromEntries(['requestMs', 'socketMs'].map((name) => [name, leastOf(name)]));
        assert.ok(
          Object.values(least).every((ms) => ms > delayMs - 2),
          JSON.stringify(least),
        );
        return Object.values(least).every((ms) => ms < delayMs * 1.5) ? undefined : JSON.stringify(least);
      } finally {
        await close();
      }
    };
    try {
      await holdsOnce(t, attempt);
    } finally {
      await site.close();
    }
  });

  it('are measured after their consent, by the function that the page imports', (t) =>
    holdsOnce(t, async () => {
      const script = importFrom(server);
      const { page, counted, close } = await visit({ script });
      try {
        const sent = await page.evaluate(() => /** @type {any} */ (globalThis).sent);
        // As a busy machine ends it.
        if (sent.ending === 'busy') return sent.ending;
        const { ending, socket, stream, blocks } = sent;
        assert.deepEqual([ending, socket, stream, blocks.length], ['whole', 'opened', 'streamed', 6]);
        await counted('all count');
        return undefined;
      } finally {
        await close();
      }
    }));

  it('load the script by its integrity, too, as the study’s page says it', async (t) => {
    const html = await (async () => {
      await server.store.createFieldStudy(
        {
          label: 'integrity',
          origins: ['http://x.example'],
          sample: 1,
          isOn: true,
          createdAt: new Date().toISOString(),
        },
        new Uint8Array(32),
      );
      return (await fetch(`${server.origin}/c?label=integrity`)).text();
    })();
    const [integrity] = /sha384-[\w+/]+=*/.exec(html.replaceAll('&#43;', '+')) ?? [];
    await calmly(async () => {
      const { counted, close } = await visit({
        attributes: `data-delay="0" integrity="${integrity}" crossorigin="anonymous"`,
      });
      try {
        await counted('all count');
      } finally {
        await close();
      }
    })(t);
  });

  it('begin with a line that the study’s page copies', async () => {
    await createStudyOfUsers(server.origin, 'copied');
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    try {
      const page = await context.newPage();
      await page.goto(`${server.origin}/c?label=copied`);
      await page.locator('#copy-line').click();
      await page.locator('#line-status', { hasText: 'Copied.' }).waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      const study = await server.store.getFieldStudy('copied');
      assert.equal(copied, study && formatLine(server.origin, study));
    } finally {
      await context.close();
    }
  });

  it('begin with a form, whose line and key are copied', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    try {
      const page = await context.newPage();
      await page.goto(`${server.origin}/c`);
      await page.getByLabel('Label of the study').fill('by form');
      await page.getByLabel('Origins of your pages').fill('https://shop.example');
      await page.getByRole('button', { name: 'Create the study' }).click();
      const copied = async (/** @type {string} */ name) => {
        await page.getByRole('button', { name }).click();
        await page.locator('#made-status', { hasText: 'Copied.' }).waitFor();
        return page.evaluate(() => navigator.clipboard.readText());
      };
      const study = await server.store.getFieldStudy('by form');
      assert.equal(await copied('Copy line'), study && formatLine(server.origin, study));
      assert.match(await copied('Copy key'), /^[\w-]{32}$/);
    } finally {
      await context.close();
    }
  });

  it('fit a phone with all that is known of each time zone, and of browsers without a WebSocket', async () => {
    const [study, zone] = ['on a phone', 'America/Argentina/ComodRivadavia'];
    await createStudyOfUsers(server.origin, study);
    const records = Array.from({ length: 40 }, (_, i) =>
      createRecord({
        requestMs: 120,
        socket: i % 2 === 0 ? 'opened' : 'timeout',
        more: { study, zone, stream: i % 4 === 1 ? 'batched' : 'streamed' },
      }),
    );
    await Promise.all(records.map((record) => sendRecord(server.origin, record)));
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    try {
      const page = await context.newPage();
      await page.goto(`${server.origin}/c?label=${study}`);
      const tables = await page.locator('#users .scroll').all();
      assert.equal(tables.length, 2);
      for (const table of tables) {
        assert.match(await table.innerText(), /40\sbrowsers, round\strip\s1\d\d\sms/);
        const { scrollWidth, clientWidth } = await table.evaluate(({ scrollWidth: all, clientWidth: shown }) => ({
          scrollWidth: all,
          clientWidth: shown,
        }));
        assert.ok(scrollWidth <= clientWidth, `${scrollWidth} of ${clientWidth}`);
      }
      const others = page.locator('#users td.line');
      assert.match(await others.innerText(), /event stream \(10\).*batches \(10\)/);
      const [row, cell] = await Promise.all([
        page.locator('#users tr:has(td.line)').boundingBox(),
        others.boundingBox(),
      ]);
      assert.ok(row && cell && cell.x >= row.x && cell.width <= row.width);
    } finally {
      await context.close();
    }
  });
});
