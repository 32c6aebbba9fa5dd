import express from 'express';

export function serveMessages({ app, answer }) {
  app.post('/messages', express.json(), (req, res) =>
    res.json(answer(req.body)),
  );
}
