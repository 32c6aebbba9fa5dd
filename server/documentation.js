/** The documentation in docs/ as pages of the site. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked, Renderer } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';
import { isCommand, splitAtFigures } from '../core/base/format.js';

/**
 * @import { Tokens } from 'marked'
 * @import { At } from './base-path.js'
 * @typedef {{ title: string, head: string, html: string, headings: readonly { id: string, html: string }[] }} DocumentPage `head`: its
 *   title, as HTML; `headings`: of a long page
 */

const FOLDER = fileURLToPath(new URL('../docs', import.meta.url));
const PATH = '/docs';
/** With fewer sections, a page needs no list of them. */
const MIN_LISTED = 4;
/** A table of so many columns with a cell longer than that, in characters, is one of words: on a phone its rows are blocks. */
const [MIN_STACKED, LONG_CELL] = [3, 30];
/** A README is the page of its folder. */
const ENDING = /(?:\/README)?\.md$/;

/** Makes the HTML of one document. */
class PageRenderer extends Renderer {
  /** @param {(href: string) => string | undefined} hrefOf a link's on the site; absent where that has no such page */
  constructor(hrefOf) {
    super();
    this.hrefOf = hrefOf;
  }

  /** @param {Tokens.Link} token @returns {string} */
  link(token) {
    const href = this.hrefOf(token.href);
    return href === undefined ? this.parser.parseInline(token.tokens) : super.link({ ...token, href });
  }

  /** It scrolls where it is too wide, by keyboard too. @param {Tokens.Table} token @returns {string} */
  table(token) {
    const table = this.hasWords(token) ? this.stackedTable(token) : super.table(token);
    return `<div class="scroll" role="group" aria-label="Table" tabindex="0">${table}</div>`;
  }

  /** Has it long cells as they are shown, and no column of figures? @param {Tokens.Table} token @returns {boolean} */
  hasWords({ header, rows, align }) {
    const lengthOf = (/** @type {Tokens.TableCell} */ { tokens }) =>
      withoutTags(this.parser.parseInline(tokens)).length;
    return (
      header.length >= MIN_STACKED &&
      !align.includes('right') &&
      rows.some(([, ...others]) => others.some((cell) => lengthOf(cell) > LONG_CELL))
    );
  }

  /** Each of its cells has the name of its column. @param {Tokens.Table} token @returns {string} */
  stackedTable({ header, rows }) {
    const cellsOf = (/** @type {Tokens.TableCell[]} */ cells) =>
      cells.map(({ tokens }) => this.parser.parseInline(tokens));
    const heads = cellsOf(header);
    const names = heads.map(withoutTags);
    const rowOf = (/** @type {string[]} */ [first, ...others]) =>
      `<tr><th scope="row" class="words">${first}</th>${others.map((cell, i) => `<td class="words" data-name="${names[i + 1]}">${cell}</td>`).join('')}</tr>\n`;
    const head = heads.map((one) => `<th scope="col">${one}</th>`).join('');
    return `<table class="stacked">\n<thead><tr>${head}</tr></thead>\n<tbody>${rows.map((row) => rowOf(cellsOf(row))).join('')}</tbody></table>\n`;
  }

  /** @param {Tokens.Code} token @returns {string} */
  code(token) {
    return super.code(token).replace('<pre>', '<pre tabindex="0">');
  }

  /** No line breaks between a figure and its unit. @param {Tokens.Text | Tokens.Escape} token @returns {string} */
  text(token) {
    if ('tokens' in token && token.tokens) return super.text(token);
    return splitAtFigures(token.text)
      .map((part, i) => {
        const html = super.text({ ...token, text: part });
        return i % 2 === 0 || isCommand(part) ? html : `<span class="together">${html}</span>`;
      })
      .join('');
  }

  /** Documents have only comments for programs. */
  html() {
    return '';
  }
}

/** @param {string} html @returns {string} */
const withoutTags = (html) => html.replace(/<[^>]*>/g, '');

/**
 * @param {At} at
 * @returns {ReadonlyMap<string, () => DocumentPage>} by path; a page is made when it is first asked for
 */
export function createDocumentation(at) {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const pathOf = (/** @type {string} */ file) =>
    path.posix.join('/', file.replaceAll(path.sep, '/')).replace(ENDING, '');
  const paths = new Map(files.map((file) => [PATH + pathOf(file), file]));
  return new Map([...paths].map(([url, file]) => [url, once(() => renderFile(file, { at, paths }))]));
}

/**
 * @param {string} file within docs @param {{ at: At, paths: ReadonlyMap<string, string> }} site `paths`: of all pages
 * @returns {DocumentPage}
 */
function renderFile(file, { at, paths }) {
  const base = new URL(file.replaceAll(path.sep, '/'), `file://${PATH}/`);
  /** @param {string} href */
  function hrefOf(href) {
    if (/^(?:https:|#)/.test(href)) return href;
    const { pathname, hash } = new URL(href, base);
    const page = pathname.replace(ENDING, '');
    return paths.has(page) ? at(page) + hash : undefined;
  }
  const text = readFileSync(path.join(FOLDER, file), 'utf8');
  const marked = new Marked().setOptions({ renderer: new PageRenderer(hrefOf) }).use(gfmHeadingId());
  const [, head, html] = /^(<h1.*<\/h1>\n)([^]*)$/.exec(/** @type {string} */ (marked.parse(text))) ?? [];
  return { title: String(/^# (.*)$/m.exec(text)?.[1]), head, html, headings: listSections() };
}

/** @returns {DocumentPage['headings']} those of the page that was parsed last, if they are many */
function listSections() {
  const sections = getHeadingList().filter(({ level }) => level === 2);
  if (sections.length < MIN_LISTED) return [];
  // A link has none inside it.
  return sections.map(({ id, text }) => ({ id, html: text.replace(/<\/?a\b[^>]*>/g, '') }));
}

/** @template T @param {() => T} make @returns {() => T} */
function once(make) {
  /** @type {T | undefined} */
  let made;
  return () => (made ??= make());
}
