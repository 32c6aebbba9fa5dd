export function followNews(show) {
  let last = 0;

  async function poll() {
    let pauseMs = 0;
    try {
      const url = `/news?since=${last}`;
      const response = await fetch(url);
      const news = await response.json();
      for (const { id, text } of news) {
        last = id;
        show(text);
      }
    } catch {
      pauseMs = 1000 + 2000 * Math.random();
    }
    setTimeout(poll, pauseMs);
  }
  poll();
}
