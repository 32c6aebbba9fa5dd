import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as v from 'valibot';
import { quantile } from '../../core/base/statistics.js';
import { madeStudySchema, studyOfUsersSchema } from '../../server/saved-runs/schemas.js';
import { assertComplaint } from '../support/complaint.js';
import { createRecord } from '../support/field-records.js';
import { openServer } from '../support/server.js';

/** @import { FieldRecord } from '../../core/field/record.js' */
/** @import { TestServer } from '../support/server.js' */

const PAGE = 'https://shop.example';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** @type {TestServer} */
let server;
/** The answer to who made the study. @type {{ label: string, key: string, line: string }} */
let made;
before(async () => {
  server = await openServer({ limits: { fieldRecordsPerHour: 3000 } });
  made = await (await create('dashboard')).json();
});
after(() => server?.close());

/** @param {string} label @param {object} [users] */
const create = (label, users = { origins: [PAGE], sample: 0.5 }) =>
  fetch(`${server.origin}/api/studies`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ label, users }),
  });

/** @param {'PATCH' | 'DELETE'} method @param {string} label @param {string} key @param {object} [body] */
const ask = (method, label, key, body) =>
  fetch(`${server.origin}/api/studies?label=${encodeURIComponent(label)}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });

/** @param {string} study @param {string} [origin] of the page that asks */
const askSettings = (study, origin = PAGE) =>
  fetch(`${server.origin}/field/settings?study=${study}`, { headers: { Origin: origin } });

/** @param {FieldRecord | string} record @param {Record<string, string>} [headers] */
const send = (record, headers) =>
  fetch(`${server.origin}/field/records`, {
    method: 'POST',
    // What a page sends by sendBeacon is text, which needs no preflight.
    headers: { Origin: PAGE, 'User-Agent': BROWSER, 'Content-Type': 'text/plain;charset=UTF-8', ...headers },
    body: typeof record === 'string' ? record : JSON.stringify(record),
  });

/** @param {string} label */
const read = async (label) => (await server.store.readFieldCounts(label)).get('all count');

describe('a study of users', () => {
  it('is made once, with a key and a line of HTML', async () => {
    assert.ok(v.safeParse(madeStudySchema, made).success);
    assert.equal(made.label, 'dashboard');
    assert.match(made.key, /^[\w-]{32}$/);
    assert.equal(
      made.line,
      `<script type="module" src="${server.origin}/field.js" data-study="dashboard" data-sample="50%"></script>`,
    );
    const again = await create('Dashboard');
    assert.equal(again.status, 409);
    assertComplaint((await again.json()).error.message, 'label');
  });

  it('says what is wrong with what it is made of', async () => {
    for (const users of [
      { origins: [] },
      { origins: ['shop.example'] },
      { origins: ['https://shop.example/path'] },
      { origins: [PAGE], sample: 0 },
      { origins: [PAGE], sample: 1.5 },
      { origins: [PAGE], other: 1 },
    ]) {
      const response = await create('wrong', users);
      assert.equal(response.status, 400, JSON.stringify(users));
      assert.match((await response.json()).error.message, /expected /);
    }
    assert.equal((await create('', { origins: [PAGE] })).status, 400);
    assert.equal(await server.store.getFieldStudy('wrong'), undefined);
  });

  it('is changed, stopped and deleted by its key alone', async () => {
    const { key } = await (await create('temporary')).json();
    for (const method of /** @type {const} */ (['PATCH', 'DELETE'])) {
      const body = method === 'PATCH' ? { isOn: false } : undefined;
      assert.equal((await ask(method, 'temporary', made.key, body)).status, 403);
      assert.equal((await ask(method, 'nothing', key, body)).status, 404);
    }
    const changed = await ask('PATCH', 'temporary', key, { sample: 0.25, origins: ['https://a.example'] });
    assert.deepEqual((await changed.json()).users, { origins: ['https://a.example'], sample: 0.25, isOn: true });
    assert.equal((await (await askSettings('temporary', 'https://a.example')).json()).sample, 0.25);
    await ask('PATCH', 'temporary', key, { isOn: false });
    assert.equal((await askSettings('temporary', 'https://a.example')).status, 204);
    assert.equal(
      (await send(createRecord({ more: { study: 'temporary' } }), { Origin: 'https://a.example' })).status,
      403,
    );
    assert.equal((await ask('DELETE', 'temporary', key)).status, 204);
    assert.equal((await create('temporary')).status, 201);
  });
});

describe('a page of another site', () => {
  it('gets the script, and what it may do, which may be cached', async () => {
    const script = await fetch(`${server.origin}/field.js`);
    assert.deepEqual(
      ['access-control-allow-origin', 'cross-origin-resource-policy'].map((name) => script.headers.get(name)),
      ['*', 'cross-origin'],
    );
    assert.match(String(script.headers.get('content-type')), /^text\/javascript/);
    const settings = await askSettings('dashboard');
    assert.deepEqual(await settings.json(), { sample: 0.5 });
    assert.deepEqual(
      ['access-control-allow-origin', 'vary', 'cache-control'].map((name) => settings.headers.get(name)),
      [PAGE, 'Origin, Accept-Encoding', 'public, max-age=600'],
    );
    for (const [study, origin] of [
      ['dashboard', 'https://other.example'],
      ['dashboard', 'null'],
      ['nothing', PAGE],
      ['', PAGE],
    ])
      assert.equal((await askSettings(study, origin)).status, 204, `${study} ${origin}`);
  });

  it('has its records counted, each once it is durable', async () => {
    const before = (await read('dashboard')) ?? 0;
    const responses = await Promise.all(Array.from({ length: 40 }, () => send(createRecord())));
    assert.ok(responses.every(({ status }) => status === 204));
    assert.equal(await read('dashboard'), before + 40);
    const counts = await server.store.readFieldCounts('dashboard');
    assert.ok(Number(counts.get('browser=Firefox count')) >= 40);
    assert.ok(Number(counts.get('version=Firefox 145 count')) >= 40);
  });

  it('has refused what no script sends, and is told why', async () => {
    const before = await read('dashboard');
    const record = createRecord();
    for (const [given, headers, status] of /** @type {const} */ ([
      ['', {}, 400],
      ['{', {}, 400],
      ['[]', {}, 400],
      [JSON.stringify({ ...record, zone: 'Mars/Olympus' }), {}, 400],
      [JSON.stringify({ ...record, visitor: 'somebody' }), {}, 400],
      [JSON.stringify({ ...record, study: 'x'.repeat(81) }), {}, 400],
      [JSON.stringify({ ...record, study: 'x'.repeat(5000) }), {}, 413],
      [JSON.stringify(record), { Origin: 'https://other.example' }, 403],
      [JSON.stringify({ ...record, study: 'nothing' }), {}, 403],
    ])) {
      const response = await send(given, headers);
      assert.equal(response.status, status, given.slice(0, 80));
      assert.match((await response.json()).error.message, /expected /);
    }
    assert.equal(await read('dashboard'), before);
  });

  it('has programs and contradictions counted apart', async () => {
    const before = await server.store.readFieldCounts('dashboard');
    await send(createRecord(), { 'User-Agent': `${BROWSER} HeadlessChrome/142.0.0.0` });
    await send(createRecord({ more: { isAutomated: true } }));
    await send(createRecord({ more: { tookMs: 1 } }));
    const after = await server.store.readFieldCounts('dashboard');
    const added = (/** @type {string} */ name) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    assert.deepEqual(['all apart=automated', 'all apart=contradictory', 'all count'].map(added), [2, 1, 0]);
  });

  it('makes no counters of versions that it makes up', async () => {
    const before = (await server.store.readFieldCounts('dashboard')).get('browser=Unknown browser count') ?? 0;
    await send(createRecord(), { 'User-Agent': `Mozilla/5.0 Firefox/${'9'.repeat(200)}` });
    const after = await server.store.readFieldCounts('dashboard');
    assert.equal(after.get('browser=Unknown browser count'), before + 1);
    assert.ok([...after.keys()].every((name) => name.length < 80));
  });

  it('is limited by address', async () => {
    const limited = await openServer({ limits: { fieldRecordsPerHour: 2 } });
    try {
      const statuses = [];
      for (let i = 0; i < 3; i++)
        statuses.push((await fetch(`${limited.origin}/field/records`, { method: 'POST', body: '{}' })).status);
      assert.deepEqual(statuses, [400, 400, 429]);
    } finally {
      await limited.close();
    }
  });
});

describe('what a study’s users measured', () => {
  before(async () => {
    await create('shown', { origins: [PAGE] });
    const records = [
      ...Array.from({ length: 108 }, () => createRecord({ ratio: 1.3, more: { study: 'shown' } })),
      ...Array.from({ length: 12 }, () => createRecord({ socket: 'failed', more: { study: 'shown' } })),
    ];
    await Promise.all(records.map((record) => send(record)));
  });

  it('is on its page, with the line for more', async () => {
    const html = await (await fetch(`${server.origin}/c?label=shown`)).text();
    for (const part of [
      'id="users"',
      '90% of 120 browsers',
      '120 browsers of users',
      'Europe/Zurich',
      '/field.js',
      'sha384-',
    ])
      assert.ok(html.includes(part), part);
    // A study of places has none of it.
    assert.ok(!(await (await fetch(`${server.origin}/c?label=other`)).text()).includes('id="users"'));
  });

  it('shows no picture of a few browsers, which would show each one, and no table without rows', async () => {
    await create('alone', { origins: [PAGE] });
    await send(createRecord({ more: { study: 'alone' } }));
    const read = async (/** @type {string} */ label) => (await fetch(`${server.origin}/c?label=${label}`)).text();
    const [shown, alone] = await Promise.all(['shown', 'alone'].map(read));
    for (const part of ['users-distances', '<h3>By time zone']) {
      assert.ok(shown.includes(part), part);
      assert.ok(!alone.includes(part), part);
    }
    assert.ok(alone.includes('<h3>By browser'));
  });

  it('stands there without the line where the study is stopped', async () => {
    const { key } = await (await create('ended')).json();
    await ask('PATCH', 'ended', key, { isOn: false });
    const html = await (await fetch(`${server.origin}/c?label=ended`)).text();
    assert.ok(html.includes('id="users"') && html.includes('(stopped)'));
    assert.ok(!html.includes('id="line"'));
  });

  it('stands on its page without that nobody has measured from places', async () => {
    const read = async (/** @type {string} */ label) => (await fetch(`${server.origin}/c?label=${label}`)).text();
    await create('unmeasured');
    const [shown, unmeasured] = await Promise.all(['shown', 'unmeasured'].map(read));
    for (const html of [shown, unmeasured]) assert.ok(!html.includes('id="answers"'));
    const copiesOf = (/** @type {string} */ html) => html.match(/id="copy-(invitation|line)"/g);
    assert.deepEqual(copiesOf(shown), ['id="copy-invitation"', 'id="copy-line"']);
    assert.deepEqual(copiesOf(unmeasured), ['id="copy-line"']);
    assert.ok((await read('places')).includes('id="answers"'));
  });

  it('has the shares and the round trips that were sent', async () => {
    const study = 'distances';
    await create(study, { origins: [PAGE] });
    // From 10 to 300 ms, evenly on a logarithmic scale; of each ten one got an event stream only.
    const times = Array.from({ length: 300 }, (_, i) => 10 * 30 ** (i / 299));
    const socketOf = (/** @type {number} */ i) => (i % 10 === 0 ? 'timeout' : 'opened');
    const sent = await Promise.all(
      times.map((requestMs, i) => send(createRecord({ requestMs, socket: socketOf(i), more: { study } }))),
    );
    assert.ok(sent.every(({ status }) => status === 204));
    const answer = await fetch(`${server.origin}/api/studies?label=${study}&part=users`);
    const { all } = (await answer.json()).users;
    assert.deepEqual([all.count, all.got.opened.share.estimate, all.got.stream.share.estimate], [300, 0.9, 0.1]);
    for (const [name, share] of Object.entries({ p50: 0.5, p75: 0.75, p95: 0.95 })) {
      const truth = Number(quantile(times, share));
      assert.ok(Math.abs(all.rttMs[name] / truth - 1) < 0.03, `${name}: ${all.rttMs[name]}, and it is ${truth}`);
    }
  });

  it('is exported as JSON, CSV, Markdown and a picture', async () => {
    const address = `${server.origin}/api/studies?label=shown&part=users`;
    const json = await (await fetch(address)).json();
    assert.ok(v.safeParse(studyOfUsersSchema, json).success);
    const { label, users } = json;
    assert.deepEqual([label, users.origins, users.all.count, users.all.got.opened.count], ['shown', [PAGE], 120, 108]);
    assert.deepEqual([users.all.verdicts.faster.count, users.zones[0].name], [108, 'Europe/Zurich']);
    const csv = await fetch(`${address}&format=csv`);
    assert.match(String(csv.headers.get('content-disposition')), /users-shown\.csv/);
    assert.equal((await csv.text()).split('\r\n').length, 5);
    assert.match(await (await fetch(`${address}&format=markdown`)).text(), /^### SockShootout: users of study shown/);
    const png = new Uint8Array(await (await fetch(`${address}&format=png`)).arrayBuffer());
    assert.deepEqual([...png.subarray(1, 4)], [0x50, 0x4e, 0x47]);
    for (const [wrong, status] of /** @type {const} */ ([
      [`${address}&format=svg`, 400],
      [`${address}&other=1`, 400],
      [`${server.origin}/api/studies?label=shown&part=places`, 400],
      [`${server.origin}/api/studies?label=nothing&part=users`, 404],
    ]))
      assert.equal((await fetch(wrong)).status, status, String(wrong));
  });
});

describe('the form of a study of users', () => {
  /** @param {Record<string, string>} fields @param {Record<string, string>} [headers] */
  const submit = (fields, headers) =>
    fetch(`${server.origin}/c/users`, { method: 'POST', headers, body: new URLSearchParams(fields) });

  it('shows the line and the key once, without a script', async () => {
    const fields = { label: 'by form', origins: `${PAGE}, https://www.shop.example`, sample: '2%' };
    const html = await (await submit(fields)).text();
    assert.match(html, /data-study=&#34;by form&#34; data-sample=&#34;2%&#34;/);
    const study = await server.store.getFieldStudy('by form');
    assert.deepEqual([study?.origins, study?.sample], [[PAGE, 'https://www.shop.example'], 0.02]);
    const again = await submit(fields);
    assert.equal(again.status, 409);
    assert.match(await again.text(), /value="by form"/);
  });

  it('says what is wrong, and keeps what was entered', async () => {
    for (const wrong of [{ sample: '0' }, { sample: 'all' }, { origins: 'shop' }, { label: '' }]) {
      const response = await submit({ label: 'kept', origins: PAGE, sample: '1%', ...wrong });
      assert.equal(response.status, 400, JSON.stringify(wrong));
      const html = await response.text();
      const form = html.slice(html.indexOf('users-study'));
      const [name] = Object.keys(wrong);
      assert.match(form, new RegExp(`name="${name}"[^>]*aria-invalid="true"`), name);
      assert.match(form, /role="alert">Expected /, name);
    }
    assert.equal((await submit({ label: 'x' }, { Origin: 'https://evil.example' })).status, 403);
  });
});
