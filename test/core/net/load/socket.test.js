import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kinds } from '../../../../core/net/channel/index.js';
import { openLoadSocket } from '../../../../core/net/load/socket.js';

const STOP = new Error('opened enough');

describe('a socket for a load', () => {
  it('is opened at the path of its kind', () => {
    for (const kind of ['websocket', 'sockjs']) {
      /** @type {string[]} */
      const urls = [];
      const library = class {
        /** @param {string} url */
        constructor(url) {
          urls.push(new URL(url).pathname);
          throw STOP;
        }
      };
      const content = new Uint8Array(1);
      const { signal } = new AbortController();
      const opened = openLoadSocket({ kind, library, baseUrl: 'http://host:1/b', direction: 'up', content, signal });
      opened.catch(() => {});
      assert.deepEqual(urls, [`/b${kinds[kind].paths.payload}/up`]);
    }
  });
});
