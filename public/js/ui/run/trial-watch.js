/**
 * Notes when a trial began, and watches whether the tab was hidden since: browsers slow the timers of hidden tabs down.
 * @returns {{ stop(): { startedAt: string, wasHidden: boolean } }} `startedAt`: ISO 8601
 */
export function watchTrial() {
  const startedAt = new Date().toISOString();
  let wasHidden = document.visibilityState === 'hidden';
  const look = () => {
    wasHidden ||= document.visibilityState === 'hidden';
  };
  document.addEventListener('visibilitychange', look);
  return {
    stop() {
      document.removeEventListener('visibilitychange', look);
      return { startedAt, wasHidden };
    },
  };
}
