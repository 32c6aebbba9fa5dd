import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConfig } from '../../server/config.js';

describe('parseConfig', () => {
  it('has defaults for everything', () => {
    const { server, ...config } = parseConfig({});
    assert.deepEqual(config, {
      workers: undefined,
      metrics: { token: undefined, addresses: [] },
      port: 8000,
      host: undefined,
      trustProxy: 0,
      allowedOrigins: undefined,
      logLevel: 'info',
    });
    assert.ok(server.server.length > 0);
    assert.match(server.version, /^\d+\.\d+\.\d+$/);
    assert.equal(server.startedAt, new Date(performance.timeOrigin).toISOString());
  });

  it('reads what is set, and takes an empty variable for one that is not', () => {
    const config = parseConfig({
      PORT: '81',
      HOST: '::1',
      TRUST_PROXY: '2',
      ALLOWED_ORIGINS: 'https://a.example, http://b.example:81',
      LOG_LEVEL: 'warn',
      SERVER_NAME: 'fra-1',
      SERVER_LOCATION: '',
      NODE_APP_INSTANCE: '3',
      WORKERS: '4',
      METRICS_ALLOW: '10.0.0.0/8, 2001:db8::1',
    });
    assert.deepEqual(
      [config.port, config.host, config.trustProxy, config.allowedOrigins, config.logLevel],
      [81, '::1', 2, ['https://a.example', 'http://b.example:81'], 'warn'],
    );
    assert.deepEqual(
      { ...config.server, version: '', startedAt: '' },
      { server: 'fra-1', location: '', version: '', worker: 3, startedAt: '' },
    );
  });

  it('gives each worker a port of its own, after the shared one', () => {
    const { workers } = parseConfig({ PORT: '81', NODE_APP_INSTANCE: '3', WORKERS: '4' });
    assert.deepEqual(workers, { index: 3, count: 4, firstPort: 82 });
    assert.throws(
      () => parseConfig({ PORT: '0', NODE_APP_INSTANCE: '0' }),
      /^RangeError: PORT: expected an integer from 1 /,
    );
    assert.throws(
      () => parseConfig({ NODE_APP_INSTANCE: '4', WORKERS: '4' }),
      /^RangeError: NODE_APP_INSTANCE: expected less than WORKERS \(4\), got '4'$/,
    );
  });

  it('does not print a secret', () => {
    assert.throws(() => parseConfig({ METRICS_TOKEN: 'hunter2' }), {
      message: 'METRICS_TOKEN: expected at least 16 characters without a space, got 7 characters',
    });
  });

  it('cannot be changed', () => {
    const config = parseConfig({});
    assert.throws(() => Object.assign(config, { port: 1 }), TypeError);
  });

  for (const [name, text, message] of [
    ['PORT', 'abc', `PORT: expected an integer from 0 to 65535, got 'abc'`],
    ['PORT', '65536', `PORT: expected an integer from 0 to 65535, got '65536'`],
    ['PORT', '-1', `PORT: expected an integer from 0 to 65535, got '-1'`],
    ['PORT', '80.5', `PORT: expected an integer from 0 to 65535, got '80.5'`],
    ['PORT', '0x50', `PORT: expected an integer from 0 to 65535, got '0x50'`],
    ['HOST', 'a b', `HOST: expected a host name or an address, got 'a b'`],
    ['TRUST_PROXY', 'yes', `TRUST_PROXY: expected an integer from 0 to 32, got 'yes'`],
    [
      'ALLOWED_ORIGINS',
      'example.org',
      `ALLOWED_ORIGINS: expected * or origins like https://example.org, separated by commas, got 'example.org'`,
    ],
    [
      'ALLOWED_ORIGINS',
      'https://a.example/path',
      `ALLOWED_ORIGINS: expected * or origins like https://example.org, separated by commas, got 'https://a.example/path'`,
    ],
    ['LOG_LEVEL', 'loud', `LOG_LEVEL: expected one of fatal, error, warn, info, debug, trace, silent, got 'loud'`],
    ['SERVER_NAME', 'a\nb', `SERVER_NAME: expected up to 100 characters of text, got 'a\nb'`],
  ]) {
    it(`refuses ${name}=${JSON.stringify(text)}`, () => {
      assert.throws(() => parseConfig({ [name]: text }), { name: 'RangeError', message });
    });
  }

  it('names every variable that is wrong, one a line', () => {
    assert.throws(() => parseConfig({ PORT: 'x', LOG_LEVEL: 'y' }), /^RangeError: PORT: .*\nLOG_LEVEL: .*$/);
  });
});
