export function followNews(show) {
  let lastId = 0;

  function connect() {
    const url = `/news?since=${lastId}`;
    const source = new EventSource(url);
    source.onmessage = (event) => {
      lastId = Number(event.lastEventId);
      show(event.data);
    };
    // It reconnects by itself, but not
    // after an answer other than 200.
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(connect, 1000 + 2000 * Math.random());
    };
  }
  connect();
}
