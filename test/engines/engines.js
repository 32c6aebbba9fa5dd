/**
 * The engines that visitors' browsers are made of, each driven by what its maker offers for that.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { launch } from 'puppeteer-core';
import { Builder, By } from 'selenium-webdriver';
import { findFreePorts } from '../../cli/program/free-ports.js';
import { untilMeasured } from '../support/page-uses.js';
import { openServer } from '../support/server.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Planned } from '../../core/experiment/contract.js'
 * @import { Driven } from '../support/page-uses.js'
 * @import { TestServer } from '../support/server.js'
 * @import { Engine } from '../support/smoke.js'
 */

const LIMIT_MS = 120_000;
const LOOK_MS = 50;
const SIZE = { width: 1280, height: 900 };

export const FIREFOX = '/usr/bin/firefox-esr';

/**
 * Reads the run that a page keeps for a reload.
 * @param {Driven} page @param {string} schema of its experiment @returns {Promise<any>} its document
 */
export async function readRun(page, schema) {
  const isOwn = `([key]) => key.includes('last-run') && key.endsWith(${JSON.stringify(schema.replace(/^[^/]*\//, ''))})`;
  const text = await page.evaluate(`Object.entries(sessionStorage).find(${isOwn})?.[1] ?? ''`);
  return JSON.parse(text).run.documents[0];
}

/**
 * Opens an engine and a site for the tests of a suite.
 * @param {() => Promise<Engine>} open
 * @returns {{ engine(): Engine, server(): TestServer, measure(experiment: Pick<Planned, 'path'> & { schema: string }, query: string):
 *   Promise<any> }} `measure`: by a plan on the experiment's page; returns the document
 */
export function useEngine(open) {
  /** @type {TestServer} */
  let server;
  /** @type {Engine} */
  let engine;
  before(async () => {
    [engine, server] = await Promise.all([open(), openServer()]);
  });
  after(async () => {
    await engine?.close();
    await server?.close();
  });
  return {
    engine: () => engine,
    server: () => server,
    async measure({ path, schema }, query) {
      const { page } = engine;
      await page.open(`${server.origin}${path}?${query}&autostart=1`);
      await untilMeasured(page, '#result-headline');
      return readRun(page, schema);
    },
  };
}

/** Over WebDriver BiDi. @returns {Promise<Engine>} */
export async function openFirefox() {
  const browser = await launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    defaultViewport: SIZE,
    // A proxy from the environment reaches no site of these tests.
    extraPrefsFirefox: { 'network.proxy.type': 0 },
  });
  const tab = await browser.newPage();
  tab.setDefaultTimeout(LIMIT_MS);
  /** @type {Driven} */
  const page = {
    open: (url) => tab.goto(url),
    evaluate: (script) => tab.evaluate(script),
    click: (selector) => tab.locator(selector).click(),
    fill: (selector, text) => tab.locator(selector).fill(text),
    waitFor: (selector) => tab.waitForSelector(selector, { visible: true }),
  };
  return { page, close: () => browser.close() };
}

/**
 * Over WebDriver, on a screen of its own: WebKitGTK draws on nothing else.
 * @returns {Promise<Engine & { env: NodeJS.ProcessEnv }>} `env`: of another program on this screen
 */
export async function openWebkit() {
  const port = await findFreePorts(1);
  const display = `:${port}`;
  const screen = spawn('Xvfb', [display, '-screen', '0', `${SIZE.width}x${SIZE.height}x24`], { stdio: 'ignore' });
  const env = {
    ...process.env,
    DISPLAY: display,
    LANG: 'en_US.UTF-8',
    LC_ALL: undefined,
    // It does not start for root, and in most containers tests run as root.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
  };
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], { stdio: 'ignore', env });
  const stop = () => [driver, screen].forEach((/** @type {ChildProcess} */ child) => child.kill());
  try {
    await untilReady(port);
    const browser = await new Builder()
      .usingServer(`http://127.0.0.1:${port}`)
      .withCapabilities({ browserName: 'MiniBrowser' })
      .build();
    const find = (/** @type {string} */ selector) => browser.findElement(By.css(selector));
    /** @type {Driven} */
    const page = {
      open: (url) => browser.get(url),
      evaluate: (script) => browser.executeScript(`return ${script}`),
      click: (selector) => find(selector).click(),
      async fill(selector, text) {
        await find(selector).clear();
        await find(selector).sendKeys(text);
      },
      // Looked for again each time: a page that writes its table anew takes away what was found.
      waitFor: (selector) =>
        browser.wait(
          () =>
            find(selector)
              .isDisplayed()
              .catch(() => false),
          LIMIT_MS,
          `expected ${selector} to be visible`,
        ),
    };
    return { page, env, close: () => browser.quit().finally(stop) };
  } catch (error) {
    stop();
    throw error;
  }
}

/** The client tries for 50 ms only, and a browser ends without a screen. @param {string | number} port of the driver, and the screen's number */
async function untilReady(port) {
  const limitMs = performance.now() + LIMIT_MS;
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!existsSync(`/tmp/.X11-unix/X${port}`) || !(await isReady())) {
    if (performance.now() > limitMs) throw new Error('Expected Xvfb and WebKitWebDriver to be ready');
    await sleep(LOOK_MS);
  }
}
