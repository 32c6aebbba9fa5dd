/**
 * k6: visitors who ask /ajaxecho again and again, each after the last answer.
 *
 *   k6 run -e ORIGIN=http://localhost:8000 -e VISITORS=100 -e SECONDS=30 bench/k6/ajax.js
 */
import { check } from 'k6';
import http from 'k6/http';
import { Trend } from 'k6/metrics';
import { ORIGIN, STEADY } from './options.js';

const roundTrip = new Trend('echo_round_trip', true);

export const options = STEADY;

export default function visit() {
  const count = __ITER;
  const response = http.get(`${ORIGIN}/ajaxecho?count=${count}`, { tags: { name: '/ajaxecho' } });
  roundTrip.add(response.timings.duration);
  check(response, { 'is the echo': ({ body }) => body === `{"count":${count + 1}}` });
}
