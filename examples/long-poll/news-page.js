export function followNews(show) {
  let lastId = 0;

  async function poll() {
    let pauseMs = 0;
    try {
      const response = await fetch(`/news?since=${lastId}`);
      for (const { id, text } of await response.json()) {
        lastId = id;
        show(text);
      }
    } catch {
      pauseMs = 1000 + 2000 * Math.random();
    }
    setTimeout(poll, pauseMs);
  }
  poll();
}
