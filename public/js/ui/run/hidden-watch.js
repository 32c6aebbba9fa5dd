/**
 * Watches whether the tab was hidden: browsers slow the timers of hidden tabs down.
 *
 * @returns {{ stop(): boolean }} `stop` tells whether it was hidden at any time since
 */
export function watchHidden() {
  let wasHidden = document.visibilityState === 'hidden';
  const look = () => {
    wasHidden ||= document.visibilityState === 'hidden';
  };
  document.addEventListener('visibilitychange', look);
  return {
    stop() {
      document.removeEventListener('visibilitychange', look);
      return wasHidden;
    },
  };
}
