import { io } from 'socket.io-client';

export function followNews(show) {
  let lastId = 0;
  const socket = io({
    auth: (use) => use({ since: lastId }),
  });

  socket.on('news', ({ id, text }) => {
    lastId = id;
    show(text);
  });
}
