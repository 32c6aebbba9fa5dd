import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { widthOf } from '../../../core/picture/svg.js';

/** In DejaVu Sans Bold of 14 px, as browsers draw it. */
const WIDTHS_PX = { measured: 78.3, WebSocket: 87.6, SockJS: 52.6, EventSource: 99.2 };

/** What two names have between them at least. */
const GAP_PX = 6;

describe('the width of a name', () => {
  for (const [name, px] of Object.entries(WIDTHS_PX))
    it(`is with the gap between two at least that of ${name}`, () => {
      const given = widthOf(name) + GAP_PX;
      assert.ok(given >= px && given <= 1.2 * px, `${given} for ${px}`);
    });
});
