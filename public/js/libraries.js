/**
 * The libraries that a run needs. The page has fetched them beforehand; they are evaluated only when they are asked for,
 * which must be before any clock runs.
 */

/** @returns {Promise<{ $: JQueryStatic, SockJS: typeof import('sockjs-client'), uPlot: import('./ui/chart.js').UPlot }>} */
export async function loadLibraries() {
  const [{ default: $ }, { default: uPlot }] = await Promise.all([
    import('../vendor/jquery.js'),
    import('../vendor/uplot.js'),
    import('../vendor/sockjs.js'),
  ]);
  return { $, SockJS: window.SockJS, uPlot };
}
