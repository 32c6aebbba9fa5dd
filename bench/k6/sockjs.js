/**
 * k6: visitors who speak SockJS over WebSocket with /echo, each message after the last answer. SockJS frames a message as
 * a JSON list of strings; the server sends `o` first, then `a` and a list.
 *
 *   k6 run -e ORIGIN=http://localhost:8000 -e VISITORS=100 -e SECONDS=30 bench/k6/sockjs.js
 */
import { check } from 'k6';
import { Counter, Trend } from 'k6/metrics';
import { WebSocket } from 'k6/websockets';
import { ORIGIN, SECONDS, STEADY } from './options.js';

const roundTrip = new Trend('echo_round_trip', true);
const echoes = new Counter('echoes');

export const options = STEADY;

export default function visit() {
  const session = `k6-${__VU}-${__ITER}`;
  const socket = new WebSocket(`${ORIGIN.replace(/^http/, 'ws')}/echo/000/${session}/websocket`);
  const endsAt = Date.now() + SECONDS * 1000;
  let count = 0;
  let sentAt = 0;

  const send = () => {
    sentAt = Date.now();
    socket.send(JSON.stringify([JSON.stringify({ count })]));
  };
  socket.onmessage = ({ data }) => {
    if (data === 'o') {
      send();
      return;
    }
    if (data[0] !== 'a') return;
    roundTrip.add(Date.now() - sentAt);
    echoes.add(1);
    check(data, { 'is the echo': (frame) => frame === `a["{\\"count\\":${count + 1}}"]` });
    count++;
    if (Date.now() < endsAt) send();
    else socket.close();
  };
  socket.onerror = ({ error }) => check(error, { 'is open': () => false });
}
