import { once } from 'node:events';

export function serveNews({ app, news }) {
  app.get('/news', async (req, res) => {
    const since = Number(req.query.since);
    if (news.since(since).length === 0) {
      const left = new AbortController();
      res.on('close', () => left.abort());
      const signal = AbortSignal.any([
        left.signal,
        AbortSignal.timeout(25_000),
      ]);
      await once(news, 'news', { signal }).catch(() => {});
    }
    res
      .set('Cache-Control', 'no-store')
      .json(news.since(since));
  });
}
