/**
 * One Chromium and one site for all the files that a worker of the test runner runs: started once, named by the
 * environment. A file that is run by itself starts its own.
 */
import { chromium } from 'playwright-core';
import { launchOptions } from '../support/browser.js';
import { findFreePorts } from '../../cli/program/free-ports.js';
import { startMeasuredServer } from '../support/measured-server.js';

/** All the files together are one visitor. */
const LIMITS = { savesPerHour: 1e6, documentsPerMinute: 1e6 };

/** @returns {Promise<{ env: Record<string, string>, close(): Promise<void> }>} `env` is for the files */
export async function openSharedSite() {
  const site = await startMeasuredServer(LIMITS);
  try {
    const port = await findFreePorts(1);
    const browser = await chromium.launch(await launchOptions({ args: [`--remote-debugging-port=${port}`] }));
    return {
      env: { TEST_BROWSER: `http://127.0.0.1:${port}`, TEST_SITE: site.origin },
      async close() {
        await browser.close();
        await site.close();
      },
    };
  } catch (error) {
    await site.close();
    throw error;
  }
}
