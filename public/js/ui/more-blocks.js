/** The button beneath a result whose plan had too few blocks for a verdict: it measures the same with as many as one needs. */

/**
 * @typedef {{ name: string, submit: () => void }} Start of a run of another plan: what its button says, and does
 */

/**
 * @param {(plan: any) => Start | undefined} startOf absent if the plan would be refused
 * @param {(submit: () => void) => void} again measures again
 * @returns {(plan: any, wantedBlocks?: number) => void} shows the button, if the plan of the result had too few
 */
export function mountMoreBlocks(startOf, again) {
  const button = document.querySelector('#more-blocks');
  if (!(button instanceof HTMLButtonElement)) return () => {};
  /** @type {Start | undefined} */
  let start;
  button.addEventListener('click', () => start && again(start.submit));
  return (plan, wantedBlocks) => {
    start = wantedBlocks ? startOf({ ...plan, blocks: wantedBlocks }) : undefined;
    button.hidden = !start;
    button.textContent = start?.name ?? '';
  };
}
