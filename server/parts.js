/**
 * What a worker is made of: each part is handed those others that it needs.
 *
 * @import { RequestHandler } from 'express'
 * @import { Logger } from 'pino'
 * @import { PutOff } from './app.js'
 * @import { Assets } from './assets/index.js'
 * @import { Gather } from './cluster/gather.js'
 * @import { RelayMark } from './cluster/relay-mark.js'
 * @import { Workers } from './cluster/workers.js'
 * @import { Config } from './config.js'
 * @import { Echo } from './echo/echo.js'
 * @import { Example } from './example.js'
 * @import { Gate } from './http/gate.js'
 * @import { Limits } from './http/limits.js'
 * @import { OriginOf } from './http/public-origin.js'
 * @import { Alarms } from './jobs/alarms.js'
 * @import { Jobs } from './jobs/jobs.js'
 * @import { Answers } from './payload/answers.js'
 * @import { BytesInFlight } from './payload/bytes-in-flight.js'
 * @import { ContentPool } from './payload/content-pool.js'
 * @import { Archive } from './saved-runs/archive.js'
 * @import { DocumentThread } from './saved-runs/document-thread.js'
 * @import { Store } from './store/index.js'
 * @import { Metrics } from './telemetry/metrics.js'
 * @import { Traffic } from './telemetry/traffic.js'
 *
 * @typedef {object} Parts
 * @property {Config} config
 * @property {Limits} limits
 * @property {Logger} log
 * @property {Metrics} metrics
 * @property {Gate} gate
 * @property {Traffic} traffic
 * @property {Workers} [workers] absent where there is but one
 * @property {RelayMark} relayMark
 * @property {Gather} gather
 * @property {() => boolean} isReady false as soon as this worker drains
 * @property {PutOff} [putOff]
 * @property {Echo} echo
 * @property {Echo} countDown
 * @property {Jobs} jobs
 * @property {Alarms} alarms
 * @property {ContentPool} content
 * @property {BytesInFlight} inFlight
 * @property {Answers} answers
 * @property {readonly string[] | undefined} allowedOrigins who may measure this server; absent for everyone
 * @property {string} sockjsUrl of our copy of sockjs-client, for SockJS's iframe
 * @property {Assets} assets
 * @property {Example} example
 * @property {Store} store
 * @property {Archive} archive
 * @property {DocumentThread} documents
 * @property {OriginOf} originOf
 * @property {RequestHandler} reads limits those who read saved runs
 *
 * @typedef {Pick<Parts, 'gate' | 'limits' | 'log' | 'metrics' | 'relayMark' | 'traffic'>} CommonParts of most endpoints
 * @typedef {Pick<Parts, 'alarms' | 'gate' | 'jobs' | 'limits' | 'metrics' | 'traffic'>} JobParts
 * @typedef {Pick<Parts, 'answers' | 'gate' | 'inFlight' | 'limits' | 'metrics' | 'traffic'>} PayloadParts
 */
export {};
