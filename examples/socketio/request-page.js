import { io } from 'socket.io-client';

const socket = io();

export const ask = (message) =>
  socket.timeout(10_000).emitWithAck('message', message);
