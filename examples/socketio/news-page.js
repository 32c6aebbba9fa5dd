import { io } from 'socket.io-client';

export function followNews(show) {
  let last = 0;
  const socket = io({
    auth: (use) => use({ since: last }),
  });

  socket.on('news', ({ id, text }) => {
    last = id;
    show(text);
  });
}
