/**
 * The limits of one server, with which no visitor can make its memory grow without bound. The table in SECURITY.md says
 * what each one limits, and what happens beyond it. One address may have half of the places that are held for a while
 * (see pool.js), which is enough for 200 visitors at once with any default plan. Tests check both.
 * @typedef {Record<keyof typeof LIMITS, number>} Limits
 */

import { HEARTBEAT_MS } from '../../core/net/delivery/index.js';

const MIB = 1024 * 1024;

export const LIMITS = Object.freeze({
  messageBytes: MIB,
  bodyBytesInFlight: 256 * MIB,
  payloadBytes: 16 * MIB,
  payloadBytesInFlight: 512 * MIB,
  payloadSocketCount: 4000,
  unsentBytes: MIB,
  sessionCount: 7000,
  // These sessions are idle except for a message or two.
  jobSessionCount: 24_000,
  jobMessageBytes: 1024,
  // This is four times as many as the busiest user of any plan has.
  connectionJobCount: 4000,
  connectionWaitCount: 100,
  waitingJobCount: 100_000,
  reachSessionCount: 4000,
  // This is longer than the longest silence that a visitor may choose.
  reachMs: 900_000,
  feedSessionCount: 4500,
  // A visitor has one, for the time of a trial.
  feedRoomCount: 1000,
  // A visitor has one for each way at the most, and sixteen streams at once for some seconds.
  streamSessionCount: 2000,
  // Of the streams under way: 200 visitors with the default plan take half. These are less than half of a worker's time.
  streamPiecesPerSecond: 20_000,
  probeCount: 10_000,
  probeKeptMs: 900_000,
  trafficTrialCount: 20_000,
  trafficKeptMs: 3_600_000,
  trafficReadCount: 400,
  // The largest document in each takes 512 MiB.
  submissionCount: 128,
  // 4 MiB take 275 s at most.
  submissionBytesPerSecond: 16 * 1024,
  submissionGraceMs: 15_000,
  // The largest takes a second or two on a machine that is busy.
  documentMs: 20_000,
  storeCheckEveryMs: 5_000,
  // A quarter is as many as a comparison has runs.
  answerCount: 40,
  answerMs: 120_000,
  answerBytesPerSecond: 16 * 1024,
  // This is what all payload in flight takes, and as much again.
  allUnsentBytes: 1024 * MIB,
  // A tenth of a worker's time, for 200 visitors at one address: 30 ms for each, which are ten pages or more.
  readMsPerMinute: 6000,
  // Half of it for what runs read before and after their trials: a refusal there would spoil one.
  trafficMsPerMinute: 30_000,
  // Six for each of them; what they cost is limited by turns.
  documentsPerMinute: 1200,
  // This allows two at once for each of them. Those who read the same one share what is read.
  studyCount: 400,
  // This allows a run of each of them, and some more.
  savesPerHour: 240,
  deletionsPerHour: 600,
  // A browser sends one in 30 days; many share the address of a company or a mobile network.
  fieldRecordsPerHour: 600,
  // This allows all sessions and some requests. At up to 18 kB for an idle connection, it takes 830 MB.
  connectionCount: 46_000,
  // Browsers never send one before the answer to the last.
  connectionRequestCount: 16,
  // Browsers and proxies send 20 to 30, another worker adds its own. A thousand tiny ones take ten times their bytes.
  headerCount: 100,
  // Thousands of sockets may be opened at once.
  backlogCount: 4096,
  // Browsers send a large message in fragments, some of them in many.
  partCount: 1024,
  payloadPartCount: 16 * 1024,
  // This allows the largest message in packets of half a kilobyte or less.
  packetCount: 4096,
  payloadPacketCount: 32 * 1024,
  // Browsers send them only as answers, and other clients a few per minute.
  controlFramesPerSecond: 1000,
  // A turn handles this many frames, or as much payload: 8 KiB for each frame.
  framesPerTurn: 16,
  allFramesPerTurn: 64,
  heartbeatMs: HEARTBEAT_MS,
  // This is above nginx's 60 s, so that nginx closes the connection.
  keepAliveMs: 65_000,
  headersMs: 60_000,
  requestMs: 300_000,
  timeoutLookMs: 5_000,
  // The client of an idle connection may be about to use it.
  idleGraceMs: 1_000,
  drainMs: 5_000,
});
