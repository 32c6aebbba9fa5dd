import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { isVisible } from '../../core/base/foreign-text.js';
import { findContradictions } from '../../core/experiment/documents/contradictions.js';
import { shownNameOf } from '../../core/experiment/run/names.js';
import { shootout } from '../../core/experiments/shootout/index.js';
import { parseConfig, SETTINGS } from '../../server/config.js';
import { complaintOf } from '../support/complaint.js';
import { createShootout } from '../support/submissions.js';

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} name of the setting that is refused
 * @param {string} got
 */
function assertRefused(env, name, got) {
  assert.throws(() => parseConfig(env), complaintOf(name, got));
}

/**
 * @param {string} file
 * @returns {Promise<Map<string, string>>} the default of each setting in its table
 */
async function readTable(file) {
  const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
  return new Map(
    [...text.matchAll(/^\| `([A-Z_]+)` .*\| +(.*?) +\|$/gm)].map(([, name, byDefault]) => [name, byDefault]),
  );
}

describe('the table of settings', () => {
  it('in docs/configuration.md has every setting, and no other', async () => {
    assert.deepEqual([...(await readTable('docs/configuration.md')).keys()].sort(), [...SETTINGS].sort());
  });
});

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
      publicUrl: undefined,
      basePath: '',
      sourceUrl: undefined,
      logLevel: 'info',
      otherServers: [],
      jobs: { secret: undefined, pollCostMs: 0 },
      store: { dataDir: path.resolve('data'), databaseUrl: undefined },
    });
    assert.equal(shownNameOf(server.server), '');
    assert.match(server.version, /^\d+\.\d+\.\d+$/);
    assert.equal(server.startedAt, new Date(performance.timeOrigin).toISOString());
  });

  it('reads what is set, and takes an empty variable for one that is not', () => {
    const config = parseConfig({
      PORT: '81',
      HOST: '::1',
      TRUST_PROXY: '2',
      ALLOWED_ORIGINS: 'https://a.example, http://b.example:81',
      PUBLIC_URL: 'https://shootout.example/',
      SOURCE_URL: 'https://git.example/sockshootout?tab=readme',
      LOG_LEVEL: 'warn',
      SERVER_NAME: 'fra-1',
      SERVER_LOCATION: '',
      NODE_APP_INSTANCE: '3',
      WORKERS: '4',
      METRICS_ALLOW: '10.0.0.0/8, 2001:db8::1',
      DATA_DIR: '/var/lib/site',
      DATABASE_URL: 'postgresql://site:hunter2@db.example/runs',
      JOB_SECRET: 'sixteen-or-more!',
      POLL_COST_MS: '5',
    });
    assert.equal(config.publicUrl, 'https://shootout.example');
    assert.equal(config.sourceUrl, 'https://git.example/sockshootout?tab=readme');
    assert.deepEqual(config.jobs, { secret: 'sixteen-or-more!', pollCostMs: 5 });
    assert.deepEqual(config.store, {
      dataDir: '/var/lib/site',
      databaseUrl: 'postgresql://site:hunter2@db.example/runs',
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

  it('tells machines without a name apart, as a run of several must be known', (t) => {
    const hostname = t.mock.method(os, 'hostname', () => 'one');
    const servers = ['one', 'one', 'two'].map((name) => {
      hostname.mock.mockImplementation(() => name);
      return parseConfig({}).server;
    });
    const names = servers.map(({ server }) => server);
    assert.equal(names[0], names[1]);
    const document = structuredClone(createShootout());
    const problemsOf = (/** @type {number[]} */ answering) => {
      for (const [i, trial] of document.trials.entries()) trial.server = servers[answering[i] ?? 0];
      return findContradictions(shootout, document, { nowMs: Date.now() });
    };
    assert.deepEqual(problemsOf([0, 1]), []);
    assert.deepEqual(problemsOf([0, 2]).map(({ path }) => path), ['trials.1.server.server']); // prettier-ignore
    // The pages show none of it.
    assert.deepEqual(names.map(shownNameOf), ['', '', '']);
    assert.ok(names.every((name) => !/one|two/.test(name)));
  });

  it('writes origins as browsers do', () => {
    const config = parseConfig({
      PUBLIC_URL: 'HTTPS://Köln.example:443/',
      ALLOWED_ORIGINS: 'http://A.example:80, https://[2001:DB8:0::1]:8443/',
    });
    assert.equal(config.publicUrl, 'https://xn--kln-sna.example');
    assert.deepEqual(config.allowedOrigins, ['http://a.example', 'https://[2001:db8::1]:8443']);
  });

  it('gives each worker a port of its own, after the shared one', () => {
    const { workers } = parseConfig({ PORT: '81', NODE_APP_INSTANCE: '3', WORKERS: '4' });
    assert.deepEqual(workers, { index: 3, count: 4, firstPort: 82 });
    assertRefused({ PORT: '0', NODE_APP_INSTANCE: '0' }, 'PORT', "'0'");
    assertRefused({ NODE_APP_INSTANCE: '4', WORKERS: '4' }, 'NODE_APP_INSTANCE', "'4'");
  });

  it('names the file and the setting for pm2 where `pm2 start server.js -i 2` started more than there should be', () => {
    assert.throws(() => parseConfig({ NODE_APP_INSTANCE: '1' }), /; .*\becosystem\.config\.js\b.*\bWORKERS\b/);
  });

  it('takes the path of the site as links contain it', () => {
    for (const text of ['/shootout', '/tools/shoot-out_2.1~b', '/...']) {
      assert.equal(parseConfig({ BASE_PATH: text }).basePath, text);
    }
    for (const text of [
      'shootout',
      '/',
      '/a/',
      '//a',
      '/a//b',
      '/a b',
      '/%61',
      '/a?b',
      '/a#b',
      '/..',
      '/a/../b',
      '/ä',
      'http://x/a',
      '/a;b',
    ]) {
      assertRefused({ BASE_PATH: text }, 'BASE_PATH', `'${text}'`);
    }
  });

  it('reads other servers from the variable, or from a file', async () => {
    const list = [
      { name: 'London', url: 'https://london.example/' },
      { name: 'here', url: 'http://10.0.0.1:8000' },
      { name: 'below', url: 'https://london.example/shootout/' },
    ];
    const expected = [
      { name: 'London', url: 'https://london.example' },
      { name: 'here', url: 'http://10.0.0.1:8000' },
      { name: 'below', url: 'https://london.example/shootout' },
    ];
    const text = JSON.stringify(list);
    assert.deepEqual(parseConfig({ SERVERS: text }).otherServers, expected);
    const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
    try {
      const file = path.join(folder, 'servers.json');
      await writeFile(file, text);
      assert.deepEqual(parseConfig({ SERVERS: file }).otherServers, expected);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  for (const [text, reason] of [
    ['[', /JSON/],
    ['no-such-file.json', /ENOENT/],
    ['[{"name":"a"}]', /0\.url/],
    ['[{"name":"a","url":"ftp://x"}]', /0\.url: a URL like/],
    ['[{"name":"a","url":"https://x/path?a"}]', /0\.url: a URL like/],
    ['[{"name":"a","url":"*"}]', /0\.url: a URL like/],
    ['[{"name":"a","url":"https://a.example;x"}]', /0\.url: a URL like/],
    ['[{"name":"","url":"https://x"}]', /0\.name/],
    ['[{"name":"a","url":"https://x"},{"name":"b","url":"https://x/"}]', /each URL once/],
    ['[{"name":"a","url":"https://x"},{"name":"a","url":"https://y"}]', /each name once/],
  ]) {
    it(`refuses SERVERS=${text}`, () => {
      assert.throws(
        () => parseConfig({ SERVERS: String(text) }),
        (/** @type {Error} */ { name, message }) =>
          name === 'InvalidInputError' &&
          message.startsWith('SERVERS: expected [') &&
          /** @type {RegExp} */ (reason).test(message),
      );
    });
  }

  it('does not print a secret', () => {
    for (const [name, secret] of [
      ['METRICS_TOKEN', 'hunter2'],
      ['JOB_SECRET', 'hunter2 with spaces'],
      ['SOURCE_URL', 'https://site:hunter2@git.example/site'],
      ['DATABASE_URL', 'mysql://site:hunter2@db.example/runs'],
      ['DATABASE_URL', 'hunter2'],
      ['DATABASE_URL', 'postgres://site:hunter2@db.example:x/runs'],
    ]) {
      assertRefused({ [name]: secret }, name, `${secret.length} characters`);
      assert.throws(
        () => parseConfig({ [name]: secret }),
        ({ message }) => !message.includes('hunter2'),
      );
    }
  });

  it('cannot be changed', () => {
    const config = parseConfig({});
    assert.throws(() => Object.assign(config, { port: 1 }), TypeError);
  });

  for (const [name, text] of [
    ['PORT', 'abc'],
    ['POLL_COST_MS', '51'],
    ['POLL_COST_MS', '-1'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['HOST', 'a b'],
    ['TRUST_PROXY', 'yes'],
    ['TRUST_PROXY', '33'],
    ['ALLOWED_ORIGINS', 'example.org'],
    ['ALLOWED_ORIGINS', 'https://a.example/path'],
    ['ALLOWED_ORIGINS', 'https://a.example?x'],
    ['PUBLIC_URL', 'example.org'],
    ['PUBLIC_URL', 'ftp://example.org'],
    ['PUBLIC_URL', 'https://example.org/path'],
    ['PUBLIC_URL', '*'],
    ['PUBLIC_URL', 'https://a b'],
    ['SOURCE_URL', 'git.example/site'],
    ['SOURCE_URL', 'git@git.example:site.git'],
    ['SOURCE_URL', 'ssh://git.example/site'],
    ['SOURCE_URL', 'javascript:alert(1)'],
    ['SOURCE_URL', 'https://git.example/a b'],
    ['LOG_LEVEL', 'loud'],
    ['SERVER_NAME', 'x'.repeat(101)],
  ]) {
    it(`refuses ${name}=${JSON.stringify(text)}`, () => assertRefused({ [name]: text }, name, `'${text}'`));
  }

  for (const [name, text, shown] of [
    ['PORT', '8131\r', '8131\\r'],
    ['DATA_DIR', 'a\0b', 'a\\u{0}b'],
    ['SERVER_NAME', 'a\nb', 'a\\nb'],
    ['SERVER_LOCATION', 'a\u202eb', 'a\\u{202e}b'],
    ['SERVERS', '[\u001b', '[\\u{1b}'],
  ]) {
    it(`shows what is invisible in ${name}: ${shown}`, () => {
      assert.throws(
        () => parseConfig({ [name]: text }),
        ({ message }) => message.includes(`got '${shown}'`) && isVisible(message),
      );
    });
  }

  it('names every variable that is wrong, one a line', () => {
    assert.throws(() => parseConfig({ PORT: 'x', LOG_LEVEL: 'y' }), /^InvalidInputError: PORT: .*\nLOG_LEVEL: .*$/);
  });
});
