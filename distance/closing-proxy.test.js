/**
 * Known answer: behind a proxy that closes each connection, a request takes two round trips, and a message on a socket one. A
 * run there predicts what is measured five times as far away.
 *
 * How the connections were found holds in every attempt; times, which a busy machine spoils, in one of several.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import * as valibot from 'valibot';
import { parseDocument } from '../core/experiment/documents/check.js';
import { modelOf, speedAt } from '../core/experiments/shootout/distance-model.js';
import { shootout } from '../core/experiments/shootout/index.js';
import { summarize } from '../core/experiments/shootout/summary.js';
import { withFarSite } from '../lab/far-site.js';
import { runCommand } from '../lab/machine.js';
import { holdsOnce } from '../test/support/attempts.js';
import { downloadRun } from '../test/support/download.js';

/** @import { DistanceModel } from '../core/experiments/shootout/distance-model.js' */
/** @import { Link } from '../lab/link.js' */

const PORT = 8080;
const PLAN = 'transports=ajax,sockjs&blocks=6&iterations=5&warmup=1&payload=0&seed=1';
/** What the two may be apart. Whoever takes each request for one round trip predicts 1.2x to 1.4x instead of 2x. */
const TOLERANCE = 0.15;
/** For what hangs: nothing takes nearly as long. */
const RUN_LIMIT_MS = 300_000;

/** @param {string} folder @param {string} origin of the site */
const configOf = (folder, origin) => `
pid ${folder}/pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  keepalive_timeout 0;
  map $http_upgrade $next_connection { default upgrade; '' close; }
  server {
    listen ${PORT};
    location / {
      proxy_pass ${origin};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $next_connection;
    }
  }
}
`;

/**
 * @template T
 * @param {Link} link @param {string} origin @param {(origin: string) => Promise<T>} use
 */
async function withClosingProxy({ serverCommand, serverAddress }, origin, use) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-nginx-'));
  const nginx = ['nginx', '-p', folder, '-e', `${folder}/error.log`, '-c', `${folder}/nginx.conf`];
  try {
    await writeFile(path.join(folder, 'nginx.conf'), configOf(folder, origin));
    await runCommand(serverCommand(nginx));
    try {
      return await use(`http://${serverAddress}:${PORT}`);
    } finally {
      await runCommand(serverCommand([...nginx, '-s', 'stop']));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {number} rttMs @returns {Promise<DistanceModel>} of a run as its visitor makes it */
const measure = (rttMs) =>
  withFarSite({ rttMs }, ({ link, browser, origin }) =>
    withClosingProxy(link, origin, async (proxied) => {
      const page = await browser.newPage();
      page.setDefaultTimeout(RUN_LIMIT_MS);
      await page.goto(`${proxied}/?${PLAN}&autostart=1`);
      const model = modelOf(summarize(parseDocument(await downloadRun(page), valibot, shootout)));
      assert.ok(model);
      assert.deepEqual(model.roundTripCounts, [2, 1]);
      return model;
    }),
  );

it('predicts requests that open their connections, and says so', { timeout: RUN_LIMIT_MS }, (t) =>
  holdsOnce(
    t,
    async () => {
      const [near, far] = [await measure(20), await measure(100)];
      const { speedRatio: predicted, opening } = speedAt(near, far.floorMs);
      const measured = far.speedRatio.estimate;
      assert.match(opening, /AJAX opens a connection/);
      const words = `predicted ${predicted.estimate.toFixed(2)}, measured ${measured.toFixed(2)}`;
      t.diagnostic(words);
      return Math.abs(predicted.estimate / measured - 1) < TOLERANCE ? undefined : words;
    },
    5,
  ),
);
