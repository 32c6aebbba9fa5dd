/** A file that the developer tools of Firefox themselves have saved, of a page that polls: the server's own count is the truth. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { readRecording } from '../../core/recording/recording.js';
import { withFolder } from '../support/folder.js';
import { FIREFOX } from './engines.js';
import { compareWithServed } from './polls-site.js';

const LIMIT_MS = 90_000;
const FILE = 'recorded';

/** @param {string} folder of the files @returns {string} the settings with which the tools save a file by themselves */
const settingsOf = (folder) =>
  Object.entries({
    'devtools.netmonitor.har.enableAutoExportToFile': true,
    'devtools.netmonitor.har.forceExport': true,
    'devtools.netmonitor.har.defaultLogDir': folder,
    'devtools.netmonitor.har.defaultFileName': FILE,
    // So long without a request, and the page counts as loaded.
    'devtools.netmonitor.har.pageLoadedTimeout': 3000,
    'devtools.toolbox.selectedTool': 'netmonitor',
    'browser.aboutwelcome.enabled': false,
    'browser.shell.checkDefaultBrowser': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'network.proxy.type': 0,
  })
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('');

/** @param {string} folder @returns {Promise<string>} its latest file, or '' if there is none, or it is still written */
async function readNewest(folder) {
  const files = await readdir(folder);
  const times = await Promise.all(files.map(async (file) => (await stat(path.join(folder, file))).mtimeMs));
  const newest = files[times.indexOf(Math.max(...times))];
  const text = newest ? await readFile(path.join(folder, newest), 'utf8') : '';
  return text.trimEnd().endsWith('}') ? text : '';
}

/**
 * @param {string} folder @param {string} origin @param {() => void} start called once the tools save pages: that takes long on a busy machine
 * @returns {Promise<string>} the file of the page of polls
 */
async function recordInFirefox(folder, origin, start) {
  const [profile, log] = ['profile', 'log'].map((name) => path.join(folder, name));
  await Promise.all([mkdir(profile), mkdir(log)]);
  await writeFile(path.join(profile, 'user.js'), settingsOf(log));
  const args = ['--headless', '--no-remote', '--profile', profile, '-devtools', `${origin}/`];
  const browser = spawn(FIREFOX, args, { stdio: 'ignore' });
  const ended = once(browser, 'exit');
  const endMs = performance.now() + LIMIT_MS;
  try {
    for (;;) {
      const text = await readNewest(log);
      if (text.includes(`${origin}/polls`)) return text;
      if (text !== '') start();
      assert.ok(performance.now() < endMs, 'expected a file that Firefox saves, got none');
      await wait(200);
    }
  } finally {
    browser.kill();
    await ended;
  }
}

it('the polls of a page in Firefox are those that the server saw, in the file that Firefox saves', () =>
  compareWithServed(async (origin, start) => {
    let text = '';
    await withFolder(async (folder) => (text = await recordInFirefox(folder, origin, start)));
    const recording = await readRecording(text);
    assert.match(recording.createdBy, /^Firefox \d/);
    return recording;
  }));
