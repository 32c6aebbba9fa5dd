/** What npm run nginx writes is started: without root, and for a name of one's own. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chown, readFile, readdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { findFreePorts } from '../../cli/program/free-ports.js';
import { ask } from './support/https-client.js';
import { render, requireNginx, runNginx, withFolder } from './support/nginx.js';
import { answerOk, withWorkers, WORKERS } from './support/played-workers.js';

const execute = promisify(execFile);
const NOBODY = 65534;

before(requireNginx);

describe('npm run nginx -- --local', () => {
  it('makes an nginx that starts without root, and keeps its log to its folder', () =>
    withFolder(async (folder) => {
      // Who is not root is the proof himself.
      const isRoot = process.getuid?.() === 0;
      const port = await findFreePorts(1);
      const { stdout } = await render('--local', '--folder', folder, '--listen', String(port));
      const [startCommand, stopCommand] = /** @type {string[]} */ (stdout.match(/^ {2}nginx .+$/gm));
      if (isRoot) {
        await chown(folder, NOBODY, NOBODY);
        for (const name of await readdir(folder)) await chown(path.join(folder, name), NOBODY, NOBODY);
      }
      const options = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
      await runNginx({ folder, startCommand, stopCommand, options }, async () => {
        const { status } = await ask(`https://localhost:${port}/`, {
          ca: await readFile(path.join(folder, 'certificate.pem')),
        });
        // It is there; the site behind it is not.
        assert.equal(status, 502);
      });
      assert.match(await readFile(path.join(folder, 'access.log'), 'utf8'), /"GET \/ HTTP\/1\.1" 502/);
    }));
});

describe('npm run nginx -- --domain', () => {
  /**
   * The configuration for a real name in a frame of its own, with a certificate made for the test.
   *
   * @param {string} folder
   * @param {string[]} args
   */
  const writeSite = async (folder, args) => {
    // For its frame and its certificate.
    await render('--local', '--folder', folder, '--domain', 'example.org');
    const files = ['--certificate', path.join(folder, 'certificate.pem'), '--key', path.join(folder, 'key.pem')];
    const out = path.join(folder, 'site.conf');
    const { code, stderr } = await render('--domain', 'example.org', ...files, '--out', out, ...args);
    assert.deepEqual([code, stderr], [0, '']);
    return { out, nginx: ['-p', folder, '-e', path.join(folder, 'error.log'), '-c', path.join(folder, 'nginx.conf')] };
  };

  it('for three machines passes nginx -t', () =>
    withFolder(async (folder) => {
      const machines = ['10.0.0.1:8000', '10.0.0.2:8000', '[fd00::3]:8000'];
      const { nginx } = await writeSite(
        folder,
        machines.flatMap((address) => ['--upstream', address]),
      );
      const { stderr } = await execute('nginx', [...nginx, '-t']);
      assert.match(stderr, /test is successful/);
      assert.doesNotMatch(stderr, /warn|emerg/);
    }));

  it('redirects to https, which sends HSTS', () =>
    withWorkers(answerOk, ({ port }) =>
      withFolder(async (folder) => {
        const { out, nginx } = await writeSite(folder, ['--workers', String(WORKERS), '--port', String(port)]);
        const http = await findFreePorts(2);
        const https = http + 1;
        // The usual ports may be taken here.
        const text = await readFile(out, 'utf8');
        await writeFile(
          out,
          text.replace(
            /(listen (?:\[::\]:)?)(80|443)\b/g,
            (_all, word, usual) => word + (usual === '80' ? http : https),
          ),
        );
        const command = ['nginx', ...nginx.map((word) => `'${word}'`)].join(' ');

        await runNginx({ folder, startCommand: command, stopCommand: `${command} -s stop` }, async () => {
          for (const address of ['127.0.0.1', ...(hasIpv6() ? ['[::1]'] : [])]) {
            const plain = await askPlain(`http://${address}:${http}/socktest?x=1`, 'example.org');
            assert.deepEqual(plain, { status: 301, location: 'https://example.org/socktest?x=1' });
          }
          const challenge = await askPlain(`http://127.0.0.1:${http}/.well-known/acme-challenge/none`, 'example.org');
          assert.deepEqual(challenge, { status: 404, location: undefined });
          const options = {
            ca: await readFile(path.join(folder, 'certificate.pem')),
            headers: { host: 'example.org' },
            servername: 'example.org',
          };
          const tooLarge = { ...options, method: 'POST', body: 'x'.repeat(3 * 1024 * 1024) };
          for (const [answer, expected] of /** @type {const} */ ([
            [await ask(`https://127.0.0.1:${https}/`, options), 200],
            [await ask(`https://127.0.0.1:${https}/ajaxecho`, tooLarge), 413],
          ])) {
            const { status, headers } = answer;
            assert.deepEqual([status, headers['strict-transport-security']], [expected, 'max-age=63072000']);
          }
        });
      }),
    ));
});

/** A container may have none. */
function hasIpv6() {
  return Object.values(os.networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));
}

/**
 * @param {string} url
 * @param {string} host
 * @returns {Promise<{ status: number | undefined, location: string | undefined }>}
 */
async function askPlain(url, host) {
  const [res] = await once(request(url, { headers: { host } }).end(), 'response');
  res.resume();
  return { status: res.statusCode, location: res.headers.location };
}
