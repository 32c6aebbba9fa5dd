/** What the button that starts a run says. */

/** @param {string} [duration] such as 'about 5 min' @param {string} [action] what it does @returns {string} the button's name */
export const nameStart = (duration, action = 'Measure') => [action, duration].filter(Boolean).join(', ');
