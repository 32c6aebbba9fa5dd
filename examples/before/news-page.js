export function followNews(show) {
  let lastId = 0;

  async function poll() {
    try {
      const url = `/news?since=${lastId}`;
      const response = await fetch(url);
      const news = await response.json();
      for (const { id, text } of news) {
        lastId = id;
        show(text);
      }
    } finally {
      setTimeout(poll, 1000);
    }
  }
  poll();
}
