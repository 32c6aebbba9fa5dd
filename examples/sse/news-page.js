export function followNews(show) {
  let lastId = 0;

  function connect() {
    const url = `/news?since=${lastId}`;
    const source = new EventSource(url);
    source.onmessage = ({ lastEventId, data }) => {
      lastId = Number(lastEventId);
      show(data);
    };
    // It reconnects by itself, but gives up
    // after an answer other than 200.
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(connect, 1000 + 2000 * Math.random());
    };
  }
  connect();
}
