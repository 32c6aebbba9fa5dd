/** What the rows of transports, transfer methods and delivery methods say, beside their clients and the style sheet. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { CARD_COLOURS } from '../../core/picture/colours.js';
import { deliveries } from '../../core/net/delivery/index.js';
import { createTransport, transports } from '../../core/net/echo/index.js';
import { feedMethods } from '../../core/net/feed/index.js';
import { packagesOf } from '../../core/net/libraries.js';
import { streamMethods } from '../../core/net/stream/index.js';
import { createTransfer, transfers } from '../../core/net/transfer/index.js';

const URL = 'http://127.0.0.1:1/echo';
const [LIGHT, DARK] = readFileSync('public/css/site.css', 'utf8').split('@media (prefers-color-scheme: dark)');

const PROPERTIES = [
  ...Object.keys(transports).map((name) => `--${name}`),
  ...Object.keys(transfers).map((name) => `--${name}`),
  ...Object.keys(deliveries).map((name) => `--delivery-${name}`),
  ...Object.keys(streamMethods).map((name) => `--stream-${name}`),
  ...Object.keys(feedMethods).map((name) => `--feed-${name}`),
];

/** @param {string} property @param {string} css @returns {string | undefined} its value */
const valueOf = (property, css) => new RegExp(`^ *${property}: ([^;]+);`, 'm').exec(css)?.[1];

describe('a row', () => {
  for (const [name, { isSocket, fallback }] of Object.entries(transports)) {
    it(`says of ${name} what its client says of itself`, () => {
      const transport = createTransport(name, { library: class {}, url: URL });
      const { socket, doesFallBack = false } = transport.capabilities;
      assert.deepEqual([transport.name, socket, doesFallBack], [name, isSocket, fallback === 'possible']);
    });
  }

  for (const name of Object.keys(transfers)) {
    it(`has the name of the transfer method ${name}`, () => {
      assert.equal(createTransfer(name, { library: class {}, baseUrl: 'http://127.0.0.1:1' }).name, name);
    });
  }

  it('has a library that is built in, or that stands in the dependencies, as it is what is measured', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    const packages = packagesOf([...Object.values(transports), ...Object.values(transfers)]);
    assert.deepEqual(
      packages.filter((name) => !(name in dependencies)),
      [],
    );
  });

  for (const { name, transport, protocols } of [...Object.values(deliveries), ...Object.values(streamMethods)]) {
    it(`has for ${name} a transport that can negotiate its protocols`, () => {
      assert.deepEqual(protocols, transports[transport].protocols);
    });
  }

  it('has the same colour in a picture that stands alone as on a light page', () => {
    const onPage = (/** @type {string} */ property) => {
      let value = valueOf(property, LIGHT);
      for (let alias; (alias = /^var\((--[\w-]+)\)$/.exec(value ?? '')?.[1]);) value = valueOf(alias, LIGHT);
      return value;
    };
    for (const [name, colour] of Object.entries(CARD_COLOURS)) assert.equal(onPage(`--${name}`), colour, name);
  });

  for (const property of new Set(PROPERTIES)) {
    it(`has its colour in the property ${property}, in light and dark`, () => {
      const light = valueOf(property, LIGHT);
      assert.ok(light, `${property}: expected a colour in public/css/site.css, got none`);
      const isAlias = light.startsWith('var(');
      assert.ok(isAlias || valueOf(property, DARK), `${property}: expected a colour for dark, got none`);
    });
  }
});
