export function serveNews({ app, news }) {
  app.get('/news', (req, res) => {
    res.set({
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    const toData = (text) =>
      text
        .split(/\r\n|\r|\n/)
        .map((line) => `data: ${line}\n`)
        .join('');
    const send = ({ id, text }) =>
      res.write(`id: ${id}\n${toData(text)}\n`);
    const lastId =
      req.get('Last-Event-ID') ?? req.query.since;
    news.since(Number(lastId)).forEach(send);
    res.flushHeaders();

    news.on('news', send);
    const heartbeat = setInterval(
      () => res.write(':\n\n'),
      25_000,
    );
    res.on('close', () => {
      news.off('news', send);
      clearInterval(heartbeat);
    });
  });
}
