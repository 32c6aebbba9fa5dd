/**
 * The SockJS echo on bare sockjs-node.
 */
import { createServer } from 'node:http';
import sockjs from 'sockjs';
import { serve } from './serve.js';

const echo = sockjs.createServer({ log: () => {} });
echo.on('connection', (connection) => {
  connection.on('data', (text) => {
    const message = JSON.parse(text);
    message.count += 1;
    connection.write(JSON.stringify(message));
  });
});

const server = createServer();
echo.installHandlers(server, { prefix: '/echo' });
serve(server);
