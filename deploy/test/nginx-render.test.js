import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { assertComplaint, complaintOf, refusalOf } from '../../test/support/complaint.js';
import { deliveries } from '../../core/net/delivery/index.js';
import { transports } from '../../core/net/echo/index.js';
import { feedMethods } from '../../core/net/feed/index.js';
import { streamMethods } from '../../core/net/stream/index.js';
import { transfers } from '../../core/net/transfer/index.js';
import { listSocketPaths } from '../../test/support/socket-paths.js';
import { parseOptions } from '../nginx/options.js';
import { patternsOf, renderSite } from '../nginx/site.js';
import { render, withFolder } from './support/nginx.js';

/** @param {string} line as typed, without spaces in its words */
const parse = (line) => parseOptions(line.split(' ').filter(Boolean), '/srv/site');

/** @param {string} line */
const renderLine = (line) => renderSite(parse(line));

describe('npm run nginx, its options', () => {
  for (const [line, option, got] of [
    ['', '--domain', 'none'],
    ['--domain=', '--domain', '""'],
    ...['ex_ample.org', '-a.org', 'a..b', 'a.org;', 'a.org{', `${'a'.repeat(64)}.org`, 'bücher.example'].map((name) => [
      `--domain=${name}`,
      '--domain',
      JSON.stringify(name),
    ]),
    ['--domain a.b --workers 0', '--workers', '“0”'],
    ['--domain a.b --workers 1e3', '--workers', '“1e3”'],
    ['--domain a.b --workers 1025', '--workers', '“1025”'],
    ['--domain a.b --workers 4 --port 65532', '--port', '“65532”'],
    ['--domain a.b --upstream 10.0.0.2', '--upstream', '"10.0.0.2"'],
    ['--domain a.b --upstream a;b:80', '--upstream', '"a;b:80"'],
    ['--domain a.b --upstream [::g]:80', '--upstream', '"[::g]:80"'],
    ['--domain a.b --upstream a:0', '--upstream, its port', '“0”'],
    ['--domain a.b --key k.pem', '--certificate, --key', 'only --key'],
    ['--domain a.b --certificate a;b --key k', '--certificate', 'a;b'],
    ['--domain a.b --certificate a$b --key k', '--certificate', 'a$b'],
    ['--domain a.b --certificate a"b --key k', '--certificate', 'a\\"b'],
    ['--domain a.b --certificate a\nb/../c --key k', '--certificate', '/srv/site/c'],
    ['--domain a.b --metrics-allow all', '--metrics-allow', '"all"'],
    ['--domain a.b --metrics-allow 10.0.0.0/33', '--metrics-allow', '"10.0.0.0/33"'],
    ['--domain a.b --base-path shootout', '--base-path', '"shootout"'],
    ['--domain a.b --base-path /a;b', '--base-path', '"/a;b"'],
    ['--local --listen localhost:80', '--listen', '"localhost:80"'],
  ]) {
    it(`refuses ${JSON.stringify(line)} with what was expected and what it got`, () => {
      assert.throws(() => parse(line), complaintOf(option, got));
    });
  }

  for (const [line, said] of [
    ['--domain', "'--domain <name>'"],
    ['--local=yes', "'--local=yes'"],
    ['--colour', "'--colour'"],
    ['example.org', '“example.org”'],
    [
      '--domain a.b --upstream a:80 --workers 2',
      "'--upstream <host:port...>' cannot be used with option '--workers <n>'",
    ],
    ['--domain a.b --folder x', '--folder needs --local'],
    ['--local --out x', "'--local' cannot be used with option '--out <file>'"],
  ]) {
    it(`refuses ${line}, and names it`, async () => {
      const { message } = await refusalOf(() => parse(line));
      assert.ok(message.includes(said), message);
    });
  }

  it('asks each worker at its own port, which follow the shared one', () => {
    const { domain, addresses, areMachines } = parse('--domain Example.org --workers 3 --port 9000');
    assert.deepEqual(
      [domain, addresses, areMachines],
      ['example.org', ['127.0.0.1:9001', '127.0.0.1:9002', '127.0.0.1:9003'], false],
    );
  });

  it('counts on one worker per CPU at port 8000, as pm2 starts them', () => {
    const { addresses } = parse('--local');
    assert.equal(addresses.length, os.availableParallelism());
    assert.equal(addresses[0], '127.0.0.1:8001');
  });

  it('takes machines by name, IPv4 and IPv6, at the ports that their workers share', () => {
    const { addresses } = parse(
      '--domain a.b --upstream one.internal:8000 --upstream 10.0.0.2:80 --upstream [fd00::2]:1',
    );
    assert.deepEqual(addresses, ['one.internal:8000', '10.0.0.2:80', '[fd00::2]:1']);
  });

  it('looks for certificates where certbot puts them, or where an option says', () => {
    const paths = (/** @type {string} */ line) => {
      const { certificate, key } = parse(line);
      return [certificate, key];
    };
    const live = '/etc/letsencrypt/live/example.org';
    assert.deepEqual(paths('--domain example.org'), [`${live}/fullchain.pem`, `${live}/privkey.pem`]);
    assert.deepEqual(paths('--domain a.b --certificate tls/c.pem --key /k.pem'), ['/srv/site/tls/c.pem', '/k.pem']);
  });
});

describe('npm run nginx, what it prints', () => {
  it('sends HSTS and redirects from port 80 for a real name, and neither on a laptop', () => {
    const real = renderLine('--domain example.org');
    assert.match(real, /add_header Strict-Transport-Security "max-age=\d{8}" always;/);
    assert.match(real, /return 301 https:\/\/example\.org\$request_uri;/);
    const local = renderLine('--local');
    assert.doesNotMatch(local, /Strict-Transport-Security|return 301|listen 80/);
    assert.match(local, /listen 127\.0\.0\.1:8443 ssl http2;/);
  });

  it('lets only the addresses given read /metrics', () => {
    const metricsOf = (/** @type {string} */ text) => /location ~\* \^\/metrics[^]+?\n {4}\}/.exec(text)?.[0] ?? '';
    assert.doesNotMatch(metricsOf(renderLine('--domain a.b')), /allow \d|proxy_pass/);
    const open = metricsOf(renderLine('--domain a.b --metrics-allow 10.0.0.0/8 --metrics-allow fd00::1'));
    assert.deepEqual(open.match(/(?:allow|deny) [^;]+|proxy_pass/g), [
      'allow 10.0.0.0/8',
      'allow fd00::1',
      'deny all',
      'proxy_pass',
    ]);
  });

  it('holds every session to one worker, which is never held for dead, and every visitor to one machine, which may be', () => {
    const workers = renderLine('--domain a.b --workers 2 --port 8000');
    assert.equal(workers.match(/hash \$sockshootout_sticky consistent;/g)?.length, 2);
    assert.equal(workers.match(/server 127\.0\.0\.1:800[12] max_fails=0;/g)?.length, 4);
    const machines = renderLine('--domain a.b --upstream 10.0.0.1:8000 --upstream 10.0.0.2:8000');
    assert.equal(machines.match(/hash \$binary_remote_addr consistent;/g)?.length, 2);
    assert.doesNotMatch(machines, /sockshootout_sticky/);
    assert.equal(machines.match(/server 10\.0\.0\.[12]:8000 max_fails=3 fail_timeout=10s;/g)?.length, 4);
  });

  it('includes the operator’s own lines in the server of the site, from nginx’s folder or the laptop’s', () => {
    const includesOf = (/** @type {string} */ line) => renderLine(line).match(/^ {4}include .+$/gm);
    assert.deepEqual(includesOf('--domain a.b'), ['    include "/etc/nginx/sockshootout.d/*.conf";']);
    assert.deepEqual(includesOf('--local'), ['    include "/srv/site/tmp/nginx/sockshootout.d/*.conf";']);
  });

  it('limits addresses with --limits alone, by every location that has an error page of its own', () => {
    assert.doesNotMatch(renderLine('--domain a.b'), /limit_|429|too_many/);
    const limited = renderLine('--domain a.b --limits');
    assert.match(limited, /limit_req zone=sockshootout_requests burst=\d+ nodelay;/);
    assert.match(limited, /limit_conn sockshootout_connections \d+;/);
    const withPages = limited.match(/^ {4}location [^]+?\n {4}\}/gm)?.filter((text) => text.includes('error_page'));
    assert.equal(withPages?.length, 4);
    for (const text of withPages) assert.match(text, /error_page 429 @sockshootout_too_many;/);
  });

  it('names the command that made it, so that it can be made again', () => {
    const line = '--domain example.org --workers 4 --port 8000';
    assert.equal(renderLine(line).split('\n')[1], `#   npm run nginx -- ${line}`);
  });
});

describe('what nginx knows of what is measured', () => {
  const endpoints = [transports, transfers, deliveries, feedMethods, streamMethods].flatMap((rows) =>
    Object.values(rows).map(({ endpoint }) => `${endpoint}/x`),
  );

  it('has a location for every row and every socket of the site, whose lines it does not log', async () => {
    const locations = [...renderLine('--domain a.b').matchAll(/^ {4}location (~|\^~) (\S+) \{\n +access_log off;/gm)];
    const patterns = locations.map(([, kind, text]) => new RegExp(kind === '~' ? text : `^${text}`));
    assert.equal(patterns.length, 3);
    const paths = [...endpoints, ...(await listSocketPaths()).map(({ example }) => example.split('?')[0])];
    const unknown = paths.filter((urlPath) => !patterns.some((pattern) => pattern.test(urlPath)));
    assert.deepEqual(unknown, []);
  });

  it('tells the sessions of rows by the ID in their paths, or all below an endpoint where it is elsewhere', () => {
    const { roots, sessionFolders, sessions } = patternsOf(
      [
        { endpoint: '/plain', protocols: ['http/1.1', 'h2'] },
        { endpoint: '/dotted.name', protocols: ['polling', 'websocket'] },
        { endpoint: '/socket', protocols: ['websocket'] },
        { endpoint: '/named', sessionPath: '/:server/:session', protocols: ['xhr', 'websocket'] },
      ],
      [{ endpoint: '/payload/named', sessionPath: '/:session' }],
    );
    assert.equal(roots, String.raw`(?:plain|dotted\.name|socket|named)`);
    assert.equal(sessionFolders, '(?:named/[^/.]+|payload/named)');
    const isOfSession = (/** @type {string} */ urlPath) => new RegExp(`^/${sessions}`).test(urlPath);
    const paths = ['/dotted.name/', '/dotted-name/', '/plain/a/b/c', '/socket', '/named/info', '/named/0/id/xhr'];
    assert.deepEqual(paths.filter(isOfSession), ['/dotted.name/', '/named/0/id/xhr']);
    assert.ok(isOfSession('/payload/named/id') && !isOfSession('/payload/named'));
  });
});

describe('npm run nginx', () => {
  it('prints the configuration, or writes it where --out says', () =>
    withFolder(async (folder) => {
      const out = path.join(folder, 'site.conf');
      const printed = await render('--domain', 'example.org', '--workers', '2');
      assert.deepEqual([printed.code, printed.stderr], [0, '']);
      const written = await render('--domain', 'example.org', '--workers', '2', '--out', out);
      assert.deepEqual(written, { code: 0, stdout: `Written to ${out}\n`, stderr: '' });
      const [, ...lines] = (await readFile(out, 'utf8')).split('\n# To change');
      assert.deepEqual(lines, printed.stdout.split('\n# To change').slice(1));
    }));

  it('ends with 2 and one line where an option is wrong', async () => {
    const { code, stdout, stderr } = await render('--domain', 'a.b', '--port', 'x');
    assert.deepEqual([code, stdout], [2, '']);
    assertComplaint(stderr, '--port', '“x”\n');
    assert.match(stderr, /^.+\n$/);
  });

  it('ends with 1 where the file cannot be written', () =>
    withFolder(async (folder) => {
      const { code, stdout, stderr } = await render('--domain', 'a.b', '--out', path.join(folder, 'no/such.conf'));
      assert.equal(code, 1);
      assert.match(stderr, /^--out: expected .+, got .+ENOENT.+no\/such\.conf.+\n$/);
      // So that it is not lost.
      assert.match(stdout, /server_name a\.b;/);
    }));

  it('explains every option', async () => {
    const { code, stdout } = await render('--help');
    assert.equal(code, 0);
    for (const name of [
      'domain',
      'workers',
      'port',
      'upstream',
      'certificate',
      'key',
      'metrics-allow',
      'out',
      'limits',
      'local',
    ]) {
      assert.match(stdout, new RegExp(`^ +--${name} `, 'm'));
    }
  });

  it('keeps a laptop’s key from others, even where a file was in its place', () =>
    withFolder(async (folder) => {
      await writeFile(path.join(folder, 'key.pem'), '', { mode: 0o644 });
      const { code, stderr } = await render('--local', '--folder', folder);
      assert.deepEqual([code, stderr], [0, '']);
      assert.equal((await stat(path.join(folder, 'key.pem'))).mode & 0o777, 0o600);
      assert.match(await readFile(path.join(folder, 'key.pem'), 'utf8'), /^-----BEGIN PRIVATE KEY-----/);
    }));
});
