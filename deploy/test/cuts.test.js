/** What each cut costs through a real nginx, over TLS: by HTTP/1.1 from the command line, and by HTTP/2 from a page. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parsePlan } from '../../core/experiment/plan/plan-link.js';
import { measureOnPage } from '../../cli/run/measure.js';
import { cuts } from '../../core/experiments/cuts/index.js';
import { launchBrowser } from '../../test/support/browser.js';
import { assertCuts, KINDS, planOf } from '../../test/support/cuts-facts.js';
import { runProgram } from '../../test/support/program.js';
import { openServer } from '../../test/support/server.js';
import { requireNginx, withNginx } from './support/nginx.js';

/**
 * @import { Browser } from 'playwright-core'
 * @import { Nginx } from './support/nginx.js'
 * @import { CutsDocument } from '../../core/experiments/cuts/schema.js'
 * @import { TestServer } from '../../test/support/server.js'
 */

/** @type {TestServer} */
let server;
/** @type {Browser} */
let browser;
before(async () => {
  await requireNginx();
  [server, browser] = await Promise.all([
    openServer({ env: { TRUST_PROXY: '1' } }),
    launchBrowser({ args: ['--ignore-certificate-errors'] }),
  ]);
});
after(async () => {
  await browser?.close();
  await server?.close();
});

/** @typedef {(plan: string, site: { origin: string, nginx: Nginx }) => Promise<CutsDocument>} Run */

/** @type {Run} */
async function runCommand(plan, { origin, nginx }) {
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: nginx.certificatePath };
  const args = ['run', 'cuts', '--url', origin, '--plan', `?${plan}`, '--json', '--quiet'];
  const { out, err } = await runProgram('cli/sockshootout.js', args, { env });
  assert.ok(out, err);
  return JSON.parse(out);
}

/** @type {Run} */
const runPage = (plan, { origin }) =>
  measureOnPage(browser, cuts, { baseUrl: origin, plan: parsePlan(cuts, new URLSearchParams(plan), { seed: 3 }) });

/** @type {Record<string, { run: Run, ending: string, protocol: string }>} `ending`: of nginx's lines `listen` */
const CLIENTS = {
  'over HTTP/1.1, by the command line': { run: runCommand, ending: 'ssl;', protocol: 'http/1.1' },
  'over HTTP/2, by a page': { run: runPage, ending: 'ssl http2;', protocol: 'h2' },
};

/** @param {CutsDocument} document @param {string} protocol of its requests */
function check(document, protocol) {
  assertCuts(document);
  for (const { delivery, protocol: got } of document.trials) {
    const expected = ['poll', 'events'].includes(delivery) ? [protocol, undefined] : ['websocket'];
    assert.ok(expected.includes(got), `${delivery}: ${got}`);
  }
}

describe('through nginx a cut of each kind costs what it costs without', { concurrency: true }, () => {
  for (const [how, { run, ending, protocol }] of Object.entries(CLIENTS)) {
    it(how, () =>
      withNginx(
        ['--upstream', `127.0.0.1:${server.port}`],
        async (nginx) => {
          const site = { origin: `https://127.0.0.1:${nginx.port}`, nginx };
          // Side by side, as a run is waiting, most of it.
          const documents = await Promise.all(KINDS.map((kind) => run(planOf([kind]), site)));
          for (const document of documents) check(document, protocol);
        },
        (site) => site.replace(/(?<=^ {4}listen .+) ssl http2;$/gm, ` ${ending}`),
      ),
    );
  }
});
