export function followNews(show) {
  let lastId = 0;

  async function poll() {
    try {
      const response = await fetch(`/news?since=${lastId}`);
      for (const { id, text } of await response.json()) {
        lastId = id;
        show(text);
      }
    } finally {
      setTimeout(poll, 1000);
    }
  }
  poll();
}
