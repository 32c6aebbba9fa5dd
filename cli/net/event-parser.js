const DATA_LINE = /^data(?:: ?(.*?))?\r?$/;

/**
 * Reads a stream of server-sent events, in whatever pieces it comes.
 *
 * Data alone: of a job nothing else is sent but comments.
 *
 * @param {(data: string) => void} onMessage gets each event's data
 * @returns {(text: string) => void} takes the next piece
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export function createEventParser(onMessage) {
  let rest = '';
  /** @type {string[]} */
  let data = [];
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const field = DATA_LINE.exec(line);
      if (field) data.push(field[1] ?? '');
      else if (/^\r?$/.test(line) && data.length > 0) {
        onMessage(data.join('\n'));
        data = [];
      }
    }
  };
}
