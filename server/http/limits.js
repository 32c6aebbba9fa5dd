/**
 * What one server takes on, at most. With these no visitor can make its memory grow without bound. The table in SECURITY.md
 * says of each what it is of, and what happens beyond it; a test holds that. One address may have half of what is taken for a
 * while (see pool.js): that is enough for 200 visitors with any usual plan at once, which is a test, too.
 * @typedef {Record<keyof typeof LIMITS, number>} Limits
 */

const MIB = 1024 * 1024;

export const LIMITS = Object.freeze({
  messageBytes: MIB,
  bodyBytesInFlight: 256 * MIB,
  payloadBytes: 16 * MIB,
  payloadBytesInFlight: 512 * MIB,
  payloadSocketCount: 4000,
  unsentBytes: MIB,
  sessionCount: 7000,
  // They are idle but for a message or two.
  jobSessionCount: 24_000,
  jobMessageBytes: 1024,
  // Four times as many as the busiest user of any plan has.
  connectionJobCount: 4000,
  connectionWaitCount: 100,
  waitingJobCount: 100_000,
  reachSessionCount: 4000,
  // Longer than the longest silence that a visitor may ask for.
  reachMs: 900_000,
  probeCount: 10_000,
  probeKeptMs: 900_000,
  trafficTrialCount: 20_000,
  trafficKeptMs: 3_600_000,
  trafficReadCount: 400,
  // With the largest document in each, 512 MiB.
  submissionCount: 128,
  // 4 MiB take 275 s at most.
  submissionBytesPerSecond: 16 * 1024,
  submissionGraceMs: 15_000,
  storeCheckEveryMs: 5_000,
  // A quarter is as many as a comparison has runs.
  answerCount: 40,
  answerMs: 120_000,
  // For 200 visitors of one address, with six pages or documents each.
  readsPerMinute: 1200,
  // A run of each of them, and some again.
  savesPerHour: 240,
  deletionsPerHour: 600,
  // All sessions, and some requests besides: at up to 18 kB for one that is idle, 720 MB.
  connectionCount: 40_000,
  // Browsers never send one before the answer to the last.
  connectionRequestCount: 16,
  // Browsers and proxies send 20 to 30, another worker adds its own. A thousand tiny ones take ten times their bytes.
  headerCount: 100,
  // Thousands of sockets may be opened at once.
  backlogCount: 4096,
  // Browsers send a large message in parts, some of them in many.
  partCount: 1024,
  payloadPartCount: 16 * 1024,
  // For a message of the largest size in packets of half a kilobyte or less.
  packetCount: 4096,
  payloadPacketCount: 32 * 1024,
  // Browsers send none but as an answer, and others a few a minute.
  controlFramesPerSecond: 1000,
  // Or as much payload, 8 KiB for a frame.
  framesPerTurn: 16,
  allFramesPerTurn: 64,
  heartbeatMs: 25_000,
  // Above nginx's 60 s, so that nginx is the one to close it.
  keepAliveMs: 65_000,
  headersMs: 60_000,
  requestMs: 300_000,
  timeoutLookMs: 5_000,
  // Its client may be about to use it.
  idleGraceMs: 1_000,
  drainMs: 5_000,
});
