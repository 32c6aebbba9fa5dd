/** Reads documents of schema 2, in which the WebSocket had the name that SockJS's endpoint for one has today. */
import { FORMER_NAMES } from '../../net/former-names.js';
import { SCHEMA } from './schema.js';

/** The functions that upgrade a document, by its former schema. @type {Record<string, (document: any) => any>} */
export const formerSchemas = {
  'sockshootout/countdown/2': ({ tests, ...rest }) => ({
    ...rest,
    schema: SCHEMA,
    tests: Array.isArray(tests) ? tests.map(upgradeTest) : tests,
  }),
};

/** @param {any} test @returns {any} the same, unless it has that name */
function upgradeTest(test) {
  const transport = FORMER_NAMES.get(test?.trial?.transport);
  return transport === undefined ? test : { ...test, trial: { ...test.trial, transport } };
}
