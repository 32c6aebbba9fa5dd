/**
 * The two halves of a request's target. No decoding: the paths before Express are plain ASCII.
 */

/** @param {{ url?: string }} req */
export function pathOf({ url = '' }) {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}

/** @param {{ url?: string }} req */
export function queryOf({ url = '' }) {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}
