/** The types of the validation library, as the files that define schemas name them: they get the library as an argument, so that no page loads it. */

/**
 * @import { GenericSchema, InferOutput } from 'valibot'
 * @typedef {typeof import('valibot')} Valibot
 */

/**
 * What a schema lets through, by the function that makes the schema.
 * @template {(...given: any[]) => GenericSchema} S @typedef {InferOutput<ReturnType<S>>} OutputOf
 */

export {};
