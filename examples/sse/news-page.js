export function followNews(show) {
  let last = 0;

  function connect() {
    const url = `/news?since=${last}`;
    const source = new EventSource(url);
    source.onmessage = (event) => {
      last = Number(event.lastEventId);
      show(event.data);
    };
    // It reconnects by itself, but not
    // after an answer other than 200.
    source.onerror = () => {
      const state = source.readyState;
      if (state !== source.CLOSED) return;
      const moreMs = 2000 * Math.random();
      setTimeout(connect, 1000 + moreMs);
    };
  }
  connect();
}
