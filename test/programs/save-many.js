/**
 * A program that opens a store, migrates it, and saves runs one after the other: what a worker does, as fast as it can.
 * It writes the names of the migrations that it carried out on the first line, and then each id, when it is saved.
 *
 * usage: node test/programs/save-many.js PLACE_AS_JSON NAME [COUNT]   without a count it goes on until it is ended
 */
import { writeSync } from 'node:fs';
import { openStore } from '../../server/store/index.js';
import { createDocument, createId, createSavedRun, hashToken } from '../support/saved-runs.js';

const [place, name, count = 'Infinity'] = process.argv.slice(2);

/** @param {string} text */
const say = (text) => writeSync(1, `${text}\n`);

const store = await openStore(JSON.parse(place));
say(JSON.stringify(await store.migrate()));
for (let index = 0; index < Number(count); index++) {
  const id = createId(`${name} ${index}`);
  const run = createSavedRun({ id, savedAt: new Date().toISOString(), label: name });
  await store.save(run, { document: createDocument(id), tokenHash: hashToken(id) });
  say(id);
}
await store.close();
