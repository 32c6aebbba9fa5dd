/**
 * The colours of a picture that stands alone, where no stylesheet reaches: those of light pages. test/contract/rows.test.js holds that
 * they are those of the site.
 */

/** By the names of custom properties, without their dashes. @type {Readonly<Record<string, string>>} */
export const CARD_COLOURS = Object.freeze({
  ajax: '#a23900',
  fetch: '#7a5195',
  xhr: '#b57f03',
  ws: '#0c5a3d',
  sockjs: '#1776b8',
  socketio: '#3f51b5',
  'delivery-poll': '#a23900',
  'delivery-long-poll': '#b57f03',
  'delivery-sse': '#c2185b',
  'delivery-push': '#0c5a3d',
  'delivery-sockjs': '#1776b8',
  'delivery-socketio': '#3f51b5',
  'stream-fetch': '#7a5195',
  'stream-fetch-resume': '#6c1cbb',
  'stream-fetch-events': '#8704da',
  'stream-events': '#c2185b',
  'stream-ws': '#0f7711',
  'stream-ws-resume': '#1a4201',
  'stream-ws-open': '#0c5a3d',
  'stream-sockjs': '#1776b8',
  'stream-socketio': '#3f51b5',
  'stream-poll': '#a23900',
  better: '#14692f',
  same: '#414b5a',
  worse: '#8a4300',
  'same-band': '#e9ecf2',
});
