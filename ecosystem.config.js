/** How pm2 runs the site. Named exports: pm2 does not find the apps under a default export of an ES module. */
export const apps = [
  {
    name: 'sockshootout',
    script: 'server.js',
    instances: 1,
    // server.js says when it listens, and drains within 5 s when told to stop.
    wait_ready: true,
    listen_timeout: 10_000,
    kill_timeout: 6000,
  },
];
