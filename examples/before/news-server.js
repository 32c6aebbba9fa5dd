export function serveNews({ app, news }) {
  app.get('/news', (req, res) => {
    res
      .set('Cache-Control', 'no-store')
      .json(news.since(Number(req.query.since)));
  });
}
