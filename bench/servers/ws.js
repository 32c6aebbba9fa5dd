/**
 * The echo on bare ws: a message is a frame, with none of SockJS's framing.
 */
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import { serve } from './serve.js';

const server = createServer();
new WebSocketServer({ server }).on('connection', (socket) => {
  // Without a listener a frame that breaks a limit of the library's would end the server.
  socket.on('error', () => {});
  socket.on('message', (text) => {
    const message = JSON.parse(String(text));
    message.count += 1;
    socket.send(JSON.stringify(message));
  });
});
serve(server);
