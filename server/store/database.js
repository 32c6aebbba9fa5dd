/** @import { Expression, Kysely } from 'kysely' */

/**
 * What both databases are to the rest of the store. Text, integers and bytes are all that is stored, as both give them
 * back alike: neither's own booleans, dates or JSON.
 *
 * @typedef {object} SavedRunsTable
 * @property {string} id
 * @property {string} saved_at
 * @property {string} experiment
 * @property {string | null} label
 * @property {string | null} note
 * @property {string | null} place_name
 * @property {number | null} latitude
 * @property {number | null} longitude
 * @property {string} server
 * @property {string | null} browser
 * @property {string} transports JSON, in the order of the plan
 * @property {0 | 1} is_valid
 * @property {string} digest JSON
 * @property {Uint8Array} token_hash
 *
 * @typedef {object} RunTransportsTable for the filter: a row for each transport of a run
 * @property {string} run_id
 * @property {string} transport
 * @property {string} saved_at the run's, so that an index has the order of the list
 *
 * @typedef {object} RunDocumentsTable apart from the runs, so that lists do not read it
 * @property {string} run_id
 * @property {Uint8Array} document
 *
 * @typedef {object} SecretsTable
 * @property {string} name
 * @property {Uint8Array} value
 *
 * @typedef {object} ChecksTable
 * @property {string} name
 * @property {string} checked_at
 *
 * @typedef {object} Tables
 * @property {SavedRunsTable} saved_runs
 * @property {RunTransportsTable} run_transports
 * @property {RunDocumentsTable} run_documents
 * @property {SecretsTable} secrets
 * @property {ChecksTable} checks
 *
 * @typedef {object} ColumnTypes what the databases call differently
 * @property {Expression<any>} orderedText text that sorts by its bytes
 * @property {Expression<any>} bytes
 * @property {Expression<any>} float of 64 bits
 *
 * @typedef {object} Database
 * @property {Kysely<Tables>} db
 * @property {Kysely<Tables>} readDb the same, only to read: nothing there waits for what waits to write
 * @property {ColumnTypes} columnTypes
 * @property {() => Promise<void>} ensureInPlace rejects where what is written now would be lost
 * @property {(error: any) => Error} explain gives a StoreError where the store is to blame, else the error itself
 * @property {(file: string) => Promise<void>} backup
 * @property {() => Promise<void>} close
 */
export {};
