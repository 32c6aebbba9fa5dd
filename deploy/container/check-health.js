/**
 * The health check of the container image: ends with 0 if every worker of the site beside it is ready. It loads nothing, as
 * the time that it takes is missing from the site's measurements.
 */
const { PORT = '8000', WORKERS } = process.env;
const [port, count] = [Number(PORT), Number(WORKERS || 1)];
// Several workers have a port each, after the shared one.
const ports = count > 1 ? Array.from({ length: count }, (_, index) => port + 1 + index) : [port];

const isReady = (/** @type {number} */ own) =>
  fetch(`http://127.0.0.1:${own}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
process.exit((await Promise.all(ports.map(isReady))).every(Boolean) ? 0 : 1);
