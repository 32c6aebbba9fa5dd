/**
 * `npm run version`, which `npm version` runs after it has changed package.json and package-lock.json: gives the changes
 * since the last release its heading, and README the name of the package's file. Nothing else names the version; the site and
 * the command read package.json.
 * With --check it changes nothing: `npm run preversion`, which comes before those changes, so that none has to be undone.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const HEADING = '## Unreleased\n';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const text = readFileSync('CHANGELOG.md', 'utf8');
const [before, after = ''] = text.split(HEADING);
const [changes] = after.split(/^## /m);
if (changes.trim() === '') {
  process.stderr.write('CHANGELOG.md: expected changes below “## Unreleased”, got none; describe them there\n');
  process.exit(1);
}
if (process.argv.includes('--check')) process.exit();
const day = new Date().toISOString().slice(0, 10);
writeFileSync('CHANGELOG.md', `${before}${HEADING}\n## ${version} - ${day}\n${after}`);
const readme = readFileSync('README.md', 'utf8');
writeFileSync('README.md', readme.replaceAll(/\bsockshootout-\d\S*\.tgz/g, `sockshootout-${version}.tgz`));
