/**
 * SockJS asks its sockets whether they are still there, so the others are asked, too: a peer that vanished without a word
 * must not be held for ever.
 *
 * @param {import('ws').WebSocket} socket
 * @param {number} intervalMs
 * @returns {NodeJS.Timeout} an interval, to be cleared when the socket has closed
 */
export function keepAlive(socket, intervalMs) {
  let answered = true;
  socket.on('pong', () => {
    answered = true;
  });
  return setInterval(() => {
    if (!answered) {
      socket.terminate();
      return;
    }
    answered = false;
    socket.ping();
  }, intervalMs).unref();
}
