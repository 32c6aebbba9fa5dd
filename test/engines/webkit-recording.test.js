/** A file that WebKit's Web Inspector itself has made, as Safari's does, of a page that polls: the server's own count is the truth. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePorts } from '../../cli/program/free-ports.js';
import { readRecording } from '../../core/recording/recording.js';
import { openWebkit } from './engines.js';
import { compareWithServed, RECORDED_MS } from './polls-site.js';

const MINI_BROWSER = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-4.1/MiniBrowser`;
const LIMIT_MS = 90_000;
const LOOK_MS = 200;
/** Its last answers come so long after it stops asking. */
const LAST_MS = 1500;

/** The resources that its panel of the network exports, in the file that it writes. */
const HAR = `WI.HARBuilder.buildArchive(
  [WI.networkManager.mainFrame.mainResource, ...WI.networkManager.mainFrame.resourceCollection].filter((one) => one.finished),
).then((har) => JSON.stringify(har))`;

/** @template T @param {() => Promise<T | undefined>} look @param {string} what is expected @returns {Promise<T>} */
async function until(look, what) {
  const endMs = performance.now() + LIMIT_MS;
  for (;;) {
    const found = await look().catch(() => undefined);
    if (found) return found;
    assert.ok(performance.now() < endMs, `expected ${what}`);
    await wait(LOOK_MS);
  }
}

/** One browser has the page, and serves its inspector, which another one opens. @param {string} origin @returns {Promise<string>} the file */
async function recordInWebkit(origin) {
  const inspector = await openWebkit();
  const host = `127.0.0.1:${await findFreePorts(1)}`;
  const env = { ...inspector.env, WEBKIT_INSPECTOR_HTTP_SERVER: host };
  const browser = spawn(MINI_BROWSER, [`${origin}/blank`], { stdio: 'ignore', env });
  try {
    const { page } = inspector;
    const list = async () => (await fetch(`http://${host}/`)).text();
    const target = await until(async () => /\/socket\/[\d/]+\/WebPage/.exec(await list())?.[0], 'a page to inspect');
    await page.open(`http://${host}/Main.html?ws=${host}${target}`);
    const isOpen = async () => (await page.evaluate(`WI.networkManager.mainFrame?.url ?? ''`)).endsWith('/blank');
    await until(isOpen, 'the inspector of the page');
    const go = `location = ${JSON.stringify(`${origin}/polls`)}`;
    await page.evaluate(
      `WI.runtimeManager.evaluateInInspectedWindow(${JSON.stringify(go)}, { objectGroup: '' }, () => {})`,
    );
    await wait(RECORDED_MS + LAST_MS);
    return await page.evaluate(HAR);
  } finally {
    browser.kill();
    await inspector.close();
  }
}

it('the polls of a page in WebKit are those that the server saw, in the file that its inspector writes', () =>
  compareWithServed(async (origin) => {
    const text = await recordInWebkit(origin);
    const recording = await readRecording(text);
    assert.match(recording.createdBy, /^WebKit Web Inspector/);
    return recording;
  }));
