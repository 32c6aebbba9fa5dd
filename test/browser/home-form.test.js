/**
 * The form of the home page: in a real Chromium, against a real server.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertComplaint } from '../support/complaint.js';
import { useHome } from '../support/home.js';

const { withHome } = useHome();

describe('the form of the home page', () => {
  for (const [preset, blocks] of [
    ['Quick', 6],
    ['Standard', 12],
    ['Thorough', 20],
  ]) {
    it(`shows the plan of ${preset}, how long it takes, and its link, before Measure`, async () => {
      await withHome('', async ({ page, ready, openOptions, plan }) => {
        await ready();
        await openOptions();
        await page.getByRole('radio', { name: String(preset) }).check();
        const { transports, ...others } = await plan();
        assert.deepEqual([others.blocks, others.payloadBytes], [blocks, 0]);
        assert.deepEqual(transports, ['ajax', 'xhr', 'ws', 'sockjs']);
      });
    });
  }

  it('compares the two chosen transports, whatever else is measured', async () => {
    await withHome('', async ({ page, ready, openOptions, plan, text }) => {
      await ready();
      await page.locator('#baseline').selectOption('fetch');
      await page.getByLabel('I consider').selectOption('WebSocket');
      assert.deepEqual((await plan()).transports, ['xhr', 'fetch', 'ws']);
      await openOptions();
      const disabled = page.locator('[name=transport]:disabled');
      const names = await disabled.evaluateAll((boxes) =>
        boxes.map((box) => /** @type {HTMLInputElement} */ (box).value),
      );
      assert.deepEqual(names, ['ajax', 'fetch', 'ws', 'sockjs']);
      assert.equal(await text('#form-error'), '');
    });
  });

  it('is a sentence, whose parts are those of what the page does', async () => {
    await withHome('', async ({ page, ready, text }) => {
      await ready();
      const sentence = async () => (await text('.sentence')).replace(/\s+/g, ' ');
      assert.match(await sentence(), /every/);
      await page.getByLabel('My page').selectOption('sends');
      assert.equal(await page.getByLabel('every', { exact: true }).isVisible(), false);
      assert.ok(await page.getByLabel('with', { exact: true }).isVisible());
      await page.getByLabel('My page').selectOption('asks');
      assert.ok(await page.getByLabel('every', { exact: true }).isVisible());
    });
  });

  it('has only for a page that sends messages what their test depends on', async () => {
    await withHome('', async ({ page, ready, openOptions }) => {
      await ready();
      await openOptions();
      const shown = async () => {
        const parts = ['[name=preset]', '[name=transport]', '#payload'];
        return Promise.all(parts.map((part) => page.locator(part).first().isVisible()));
      };
      await page.getByLabel('My page').selectOption('asks');
      assert.deepEqual(await shown(), [false, false, false]);
      assert.equal(await page.getByText('SockJS fallbacks').isVisible(), false);
      await page.getByLabel('My page').selectOption('sends');
      assert.deepEqual(await shown(), [true, true, true]);
      assert.equal(await page.getByText('SockJS fallbacks').isVisible(), true);
      await page.locator('#payload').fill('-1');
      await page.getByLabel('My page').selectOption('asks');
      assert.equal(await page.locator('#payload').isVisible(), true);
    });
  });

  it('has the size of news of a link, and asks for it and says it only then', async () => {
    await withHome('?page=asks', async ({ page, ready, openOptions }) => {
      await ready();
      await openOptions();
      assert.equal(await page.getByLabel('Size of news').isVisible(), false);
      assert.equal(await page.getByLabel('There is news every').isVisible(), true);
    });
    await withHome('?page=asks&news-bytes=2300', async ({ page, ready, openOptions, text }) => {
      await ready();
      const linked = async () =>
        new URLSearchParams(String(await page.locator('#plan-link').getAttribute('href')).split('?')[1]);
      const sizes = async () => {
        const query = await linked();
        return [query.get('news-bytes'), new URLSearchParams(String(query.get('jobs'))).get('news-bytes')];
      };
      assert.match(await text('#options-summary'), /2,300 bytes/);
      assert.deepEqual(await sizes(), ['2300', '2300']);
      await openOptions();
      await page.getByLabel('Size of news').selectOption('16 kB');
      assert.deepEqual(await sizes(), ['16000', '16000']);
      await page.getByLabel('Size of news').selectOption('about 120 bytes');
      assert.deepEqual(await sizes(), [null, null]);
      assert.doesNotMatch(await text('#options-summary'), /bytes/);
    });
  });

  it('accepts a link that leaves out parameters, and names a wrong one', async () => {
    await withHome('?transports=fetch,websocket&seed=7', async ({ ready, plan, page }) => {
      await ready();
      const { transports, blocks, seed } = await plan();
      assert.deepEqual([transports, blocks, seed], [['fetch', 'websocket'], 12, 7]);
      // Each folded preset says how long it takes.
      const durations = await page.locator('[name=preset] + span').allTextContents();
      assert.deepEqual(
        durations.slice(0, 3).map((words) => words.replace(/\d+ s$/, 'N')),
        ['Quick, N', 'Standard, N', 'Thorough, N'],
      );
      const seconds = durations.slice(0, 3).map((words) => Number(/(\d+) s$/.exec(words)?.[1]));
      assert.deepEqual(
        seconds,
        seconds.toSorted((a, b) => a - b),
      );
      assert.equal(await page.locator('#baseline').inputValue(), 'fetch');
    });
    await withHome('?blocks=7', async ({ ready, plan, page, text }) => {
      await ready();
      const { blocks, iterations } = await plan();
      assert.equal(blocks, 7);
      const words = `7 blocks of ${iterations}`;
      assert.ok((await text('#options-summary')).startsWith(`Options: ${words}, 4 transports`));
      assert.ok((await page.locator('#linked-choice').textContent())?.includes(`As linked: ${words}, `));
    });
    for (const [query, complaint] of [
      ['transports=carrier-pigeon', /transports: .*“carrier-pigeon”/],
      ['rtt=far', /rtt: .*“far”/],
    ])
      await withHome(`?${query}`, async ({ ready, text }) => {
        await ready();
        assert.match(await text('#form-error'), /** @type {RegExp} */ (complaint));
      });
  });

  it('does not start by itself where the link is wrong', async () => {
    await withHome('?blocks=3&autostart=1', async ({ ready, text, page }) => {
      await ready();
      assert.match(await text('#form-error'), /plan in this link/);
      assert.equal(await page.locator('#result').isVisible(), false);
    });
  });

  it('estimates the duration again when the payload changes', async () => {
    await withHome('', async ({ page, ready, openOptions, text }) => {
      await ready();
      const seconds = async () => Number(/about (\d+)/.exec(await text('#start'))?.[1]);
      await openOptions();
      await page.getByRole('radio', { name: 'Quick' }).check();
      const before = await seconds();
      await page.getByLabel('Payload, in bytes').fill('1000000');
      await page.keyboard.press('Tab');
      await page.locator('#plan', { hasText: /of 1000000 bytes/ }).waitFor();
      await ready();
      const iterations = Number(/of (\d+) messages/.exec(await text('#plan'))?.[1]);
      assert.ok(iterations < 50 || (await seconds()) > before, await text('#plan'));
    });
  });

  it('selects the preset of a link, and refuses one that does not exist', async () => {
    await withHome('?preset=quick', async ({ ready, page, plan }) => {
      await ready();
      assert.equal((await plan()).blocks, 6);
      assert.ok(await page.locator('[name=preset][value=quick]').isChecked());
    });
    await withHome('?preset=slow', async ({ ready, text }) => {
      await ready();
      assert.match(await text('#form-error'), /preset: .*“slow”/);
    });
  });

  it('says what is wrong with a link, and offers the default plan', async () => {
    await withHome('?blocks=3', async ({ ready, text, page, plan }) => {
      await ready();
      const [, place, complaint] = /^(.+?): (.+)$/.exec(await text('#form-error')) ?? [];
      assert.match(place, /plan in this link/);
      assertComplaint(complaint, 'blocks', '“3”');
      assert.match(complaint, /6 to 200/);
      assert.equal((await plan()).blocks, 12);
      assert.equal(await page.getByRole('radio', { name: 'As linked' }).isVisible(), false);
    });
  });

  it('says what is wrong with the payload that was typed, and does not start', async () => {
    await withHome('', async ({ ready, openOptions, page, text, start }) => {
      await ready();
      await openOptions();
      await page.getByLabel('Payload, in bytes').fill('12 apples');
      await start();
      const label = await text('label:has(#payload)');
      assertComplaint(await text('#form-error'), label, '“12 apples”');
      await page.locator('label:has(#payload:focus[aria-invalid=true]) + #form-error').waitFor();
      assert.equal(await page.locator('#result').isVisible(), false);
    });
  });

  it('says that the server does not answer', async () => {
    await withHome('', async ({ page }) => {
      await page.route('**/ajaxecho**', (route) => route.abort());
      await page.goto(page.url());
      await page.locator('#run-problem', { hasText: 'server' }).getByRole('button', { name: 'Retry' }).waitFor();
    });
  });
});
