/**
 * The libraries that a run needs, which is known before its button is pressed but after the page can be used: they must
 * not hold up what comes before that.
 */

/** @returns {Promise<{ $: JQueryStatic, SockJS: typeof import('sockjs-client'), uPlot: import('./ui/chart.js').UPlot }>} */
export async function loadLibraries() {
  const [{ default: $ }, { default: uPlot }] = await Promise.all([
    import('jquery'),
    import('uplot'),
    import('sockjs-client'),
  ]);
  return { $, SockJS: window.SockJS, uPlot };
}

/**
 * Loads them while the visitor reads.
 *
 * @returns {Promise<void>} when they are there, or cannot be had: then the run says so that needs them
 */
export async function preloadLibraries() {
  await loadLibraries().catch(() => {});
}
