/**
 * The parts of a worker. A function names those that it needs; what most endpoints, or most of the site, need has a name here.
 *
 * @typedef {object} CommonParts what the endpoints and the site share
 * @property {At} at
 * @property {Gate} gate
 * @property {Identity} identity the site's own address
 * @property {() => boolean} isReady false as soon as this worker drains
 * @property {Limits} limits
 * @property {Logger} log
 * @property {Metrics} metrics
 * @property {RelayMark} relayMark
 * @property {Traffic} traffic
 * @property {TurnQueue} turns a queue for work that one turn of the event loop has no room for
 * @property {VisitorOf} visitorOf
 *
 * @typedef {object} MeasuringParts what only the endpoints need
 * @property {Alarms} alarms
 * @property {readonly string[]} [allowedOrigins] who may measure this server; absent for everyone
 * @property {Answers} answers
 * @property {ContentPool} content
 * @property {Feeds} feeds
 * @property {BytesInFlight} inFlight
 * @property {Jobs} jobs
 * @property {Pool} streamPace pieces per second of the streams under way
 * @property {Streams} streams
 * @property {string} sockjsUrl of our copy of sockjs-client, for SockJS's iframe
 * @property {Workers} [workers] absent if there is only one
 * @typedef {CommonParts & MeasuringParts} EndpointParts
 *
 * @typedef {object} ReadingParts what reads shared runs
 * @property {Archive} archive
 * @property {Documents} documents
 * @typedef {ReadingParts & { madeOnce: MadeOnce, usersReader: UsersReader }} ExportParts what makes files of shared runs, and of what users measured
 * @typedef {ExportParts & { fieldScript: FieldScript, render: Render }} PageParts what makes pages of shared runs
 *
 * @typedef {object} SharingLimits
 * @property {RequestHandler} reads limits what making pages and lists may cost an address
 * @property {RequestHandler[]} studyReads limits those who read studies, too
 * @typedef {CommonParts & PageParts & SharingLimits} Parts what the site needs
 */

/**
 * @import { RequestHandler } from 'express'
 * @import { Logger } from 'pino'
 * @import { At } from './base-path.js'
 * @import { Alarms } from './endpoints/alarms.js'
 * @import { Feeds } from './endpoints/feeds.js'
 * @import { Jobs } from './endpoints/jobs.js'
 * @import { Streams } from './endpoints/streams.js'
 * @import { Answers, ContentPool } from './endpoints/payload.js'
 * @import { FieldScript } from './field/script.js'
 * @import { UsersReader } from './field/users.js'
 * @import { BytesInFlight } from './http/body.js'
 * @import { Gate } from './http/gate.js'
 * @import { Identity } from './http/identity.js'
 * @import { Limits } from './http/limits.js'
 * @import { MadeOnce, Render } from './http/made-once.js'
 * @import { Pool } from './http/pool.js'
 * @import { TurnQueue } from './http/turns.js'
 * @import { Archive } from './saved-runs/archive.js'
 * @import { Documents } from './saved-runs/documents.js'
 * @import { Metrics } from './telemetry/metrics.js'
 * @import { Traffic } from './telemetry/traffic.js'
 * @import { RelayMark, VisitorOf, Workers } from './workers.js'
 */
export {};
