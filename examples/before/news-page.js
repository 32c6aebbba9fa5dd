export function followNews(show) {
  let last = 0;

  async function poll() {
    try {
      const url = `/news?since=${last}`;
      const response = await fetch(url);
      const news = await response.json();
      for (const { id, text } of news) {
        last = id;
        show(text);
      }
    } finally {
      setTimeout(poll, 1000);
    }
  }
  poll();
}
