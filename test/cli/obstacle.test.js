/**
 * What the command line says of a server that it cannot reach: a message for each cause, with what to do.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { after, before, describe, it } from 'node:test';
import { findObstacle } from '../../cli/net/probe.js';

/** @import { AddressInfo } from 'node:net' */
/** @import { Server } from 'node:http' */

/** Of localhost, signed by itself; for this test alone. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg7tE0dmhQnfIuqvV3
uIBawIouHpwjMD0UnkmdNft/IW2hRANCAAS4ezm1IKb87qNELXonkwTPFBOlJbgN
f3yS0uMvTDYeZHUzyhTDRh+Oih6n0dby1Zs5So2dzgpTuIbgbxYBGtOm
-----END PRIVATE KEY-----
`;
const CERT = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUOeRXO650fSpWyZg2Goajv3alQFYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyODEwMTc1MFoYDzIxMjYxMTA0
MTAxNzUwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAS4ezm1IKb87qNELXonkwTPFBOlJbgNf3yS0uMvTDYeZHUzyhTDRh+O
ih6n0dby1Zs5So2dzgpTuIbgbxYBGtOmo28wbTAdBgNVHQ4EFgQUsOmscISmvM/q
VnVDqmdsIDxQg/cwHwYDVR0jBBgwFoAUsOmscISmvM/qVnVDqmdsIDxQg/cwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgMTu7vQswdZn3eXzC9mQNmJYvjIPDodsGo6cA6qV9JCYCIQDO
JmWph2BPC0vm8/da88dwEongroX9nO5iGEf2Oq1R5A==
-----END CERTIFICATE-----
`;

/** @param {Server} server @returns {Promise<string>} its address without the scheme */
async function listen(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}`;
}

describe('a server that the command line cannot reach', () => {
  /** @type {Server[]} */
  const servers = [
    createServer((_req, res) => res.end('{}')),
    createTlsServer({ key: KEY, cert: CERT }, (_req, res) => res.end('{}')),
    // As nginx answers who asks a port of TLS without it.
    createTlsServer({ key: KEY, cert: CERT }).on('tlsClientError', (_error, socket) =>
      /** @type {any} */ (socket)._parent.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'),
    ),
  ];
  /** @type {string[]} */
  let [plain, tls, nginx] = [];
  before(async () => ([plain, tls, nginx] = await Promise.all(servers.map(listen))));
  after(() => servers.forEach((server) => server.close()));

  /** @param {string} url @param {...string} facts */
  const assertFacts = async (url, ...facts) => {
    const found = await findObstacle(url);
    for (const fact of facts) assert.ok(found?.includes(fact), `expected ${fact}, got ${found}`);
  };

  it('is none where it answers', async () => assert.equal(await findObstacle(`http://${plain}`), undefined));
  it('has a certificate that it signed itself', () =>
    assertFacts(`https://${tls}`, 'certificate', 'NODE_EXTRA_CA_CERTS'));
  it('is asked over TLS, which it does not use', () =>
    assertFacts(`https://${plain}/sub`, 'does not use TLS', `http://${plain}/sub.`));
  it('is asked without TLS, which it uses', () => assertFacts(`http://${tls}`, 'uses TLS', `https://${tls}.`));
  it('answers that it was asked without TLS', () => assertFacts(`http://${nginx}`, 'uses TLS', `https://${nginx}.`));
  it('listens at a port that fetch never connects to', () => assertFacts('http://127.0.0.1:1', 'port 1.'));

  for (const [name, code, fact] of /** @type {const} */ ([
    ['is not there', 'ECONNREFUSED', 'nothing listens at port 8000.'],
    ['has a name without an address', 'ENOTFOUND', 'far.example has no address.'],
    ['is behind a firewall', 'UND_ERR_CONNECT_TIMEOUT', 'far.example cannot be reached.'],
  ])) {
    it(name, async () => {
      const fetch = () => Promise.reject(new TypeError('fetch failed', { cause: { code } }));
      const found = await findObstacle('http://far.example:8000', { fetch });
      assert.ok(found?.includes(fact), found);
    });
  }
});
