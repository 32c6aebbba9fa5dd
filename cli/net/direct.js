/**
 * Node.js can take a proxy from its environment for requests (NODE_USE_ENV_PROXY, --use-env-proxy), but not for WebSockets:
 * what is compared would take two paths.
 */
import http from 'node:http';
import https from 'node:https';

/** @type {http.AgentOptions} */
const AS_BY_DEFAULT = { keepAlive: true, scheduling: 'lifo', timeout: 5000 };

/** Lets this process, and the programs that it starts, use no proxy: fetch, the libraries' requests, and Chromium. */
export function connectDirectly() {
  process.env.NO_PROXY = process.env.no_proxy = '*';
  // These read the environment when Node.js started: https://nodejs.org/api/http.html#httpglobalagent
  http.globalAgent = new http.Agent(AS_BY_DEFAULT);
  https.globalAgent = new https.Agent(AS_BY_DEFAULT);
}
