/**
 * The health check of the container image: ends with 0 if every worker of the site beside it is ready. It loads nothing, as
 * the time that it takes is missing from the site's measurements.
 */
const { HOST, PORT, WORKERS } = process.env;
// Empty settings count as absent.
const [host, port, count] = [HOST || '127.0.0.1', Number(PORT || 8000), Number(WORKERS || 1)];
// Several workers have a port each on the loopback interface, after the shared one.
const places =
  count > 1
    ? Array.from({ length: count }, (_, index) => `127.0.0.1:${port + 1 + index}`)
    : [`${host.includes(':') ? `[${host}]` : host}:${port}`];

const isReady = (/** @type {string} */ place) =>
  fetch(`http://${place}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
process.exit((await Promise.all(places.map(isReady))).every(Boolean) ? 0 : 1);
