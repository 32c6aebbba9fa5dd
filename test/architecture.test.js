import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { init, parse } from 'es-module-lexer';
import * as v from 'valibot';
import { SITUATION_FIELDS } from '../core/experiment/plan/situation.js';
import { schemaOf } from '../core/experiment/documents/schemas.js';
import { PROTOCOLS } from '../core/experiment/documents/contradictions.js';
import { createFields } from '../core/experiment/documents/document-fields.js';
import { EXPERIMENTS } from '../core/experiments/all.js';
import { LOADERS } from '../core/experiments/index.js';
import * as labels from '../core/experiment/answer/labels.js';

await init;

/** Which parts may import which; nothing else, and no package but where it says so. */
const RULES = [
  { part: 'core', may: ['core'], packages: [] },
  { part: 'public/js', may: ['public/js', 'core'], packages: ['eventsource-parser', 'jquery', 'valibot'] },
  { part: 'server', may: ['server', 'core'], packages: 'any' },
  { part: 'server/store', may: ['server/store', 'core'], packages: 'any' },
  { part: 'cli', may: ['cli', 'core'], packages: 'any' },
  { part: 'lab', may: ['lab', 'cli', 'core', 'deploy/nginx'], packages: 'any' },
  { part: 'bench', may: ['bench', 'cli', 'core', 'server'], packages: 'any' },
  { part: 'figures', may: ['figures', 'lab', 'cli', 'core'], packages: 'any' },
];

/**
 * What these may import besides: the one command loads the programs that it starts, and the operator's is about the server's
 * store.
 */
const ALSO = {
  'cli/serve.js': ['server.js', 'server/cluster.js', 'server/config.js'],
  'cli/sockshootout.js': ['lab/index.js', 'deploy/nginx/render.js', 'deploy/migrate.js', 'server/compile-cache.js'],
  'cli/results.js': ['server/config.js', 'server/store/index.js', 'server/store/store-error.js'],
};

/** What knows a database. */
const DRIVERS = ['kysely', 'libsql', 'pg'];

/** @param {string} folder */
function sourcesOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .map((file) => path.posix.join(folder, file));
}

/** All but tests. */
const PRODUCT = ['core', 'public/js', 'server', 'cli', 'deploy', 'lab', 'bench', 'figures']
  .flatMap(sourcesOf)
  .filter((file) => !file.endsWith('.test.js') && !file.includes('/test/'));

const ALL = [...PRODUCT, 'server.js', 'ecosystem.config.js', ...['test', 'distance', 'deploy'].flatMap(sourcesOf)];

/** @param {string} folder @param {readonly string[]} others that belong to no single experiment @returns {string[]} */
const ownFilesOf = (folder, others = []) =>
  readdirSync(folder).flatMap((name) => (others.includes(name) ? [] : [path.posix.join(folder, name)]));

/** These import the packages that rows name, so that no source has to, or the program that a page names. */
const BY_NAME = ['public/js/libraries.js', 'public/js/pages/opening.js', 'cli/net/transports.js'];

/** @param {string} file */
function importsOf(file) {
  const [imports] = parse(readFileSync(file, 'utf8'));
  return imports.flatMap(({ type, specifier }) => {
    const isComputed = specifier === undefined && BY_NAME.includes(file);
    return type === 'import-meta' || isComputed ? [] : [String(specifier)];
  });
}

describe('imports run one way', () => {
  it('and each part imports only what it may', () => {
    const offenders = RULES.flatMap(({ part, may, packages }) =>
      sourcesOf(part).flatMap((file) => {
        /** @param {string} specifier */
        const isAllowed = (specifier) => {
          if (!specifier.startsWith('.')) return packages === 'any' || packages.includes(specifier);
          const target = path.posix.join(path.posix.dirname(file), specifier);
          const also = /** @type {Record<string, string[]>} */ (ALSO)[file] ?? [];
          return may.some((allowed) => target.startsWith(`${allowed}/`)) || also.includes(target);
        };
        return importsOf(file)
          .filter((specifier) => !isAllowed(specifier))
          .map((specifier) => `${file} imports ${specifier}`);
      }),
    );
    assert.deepEqual(offenders, []);
  });

  it('and name a type by @import, not in the midst of a line', () => {
    const offenders = ALL.filter((file) => /import\('[^']+'\)\.[A-Z]/.test(readFileSync(file, 'utf8')));
    assert.deepEqual(offenders, []);
  });

  it('and to a database from server/store alone', () => {
    const files = [...sourcesOf('server'), ...sourcesOf('cli'), 'server.js'];
    const users = files.filter((file) => importsOf(file).some((specifier) => DRIVERS.includes(specifier)));
    assert.ok(users.length > 0);
    assert.deepEqual(
      users.filter((file) => !file.startsWith('server/store/')),
      [],
    );
  });

  /** @param {ReadonlyMap<string, readonly string[]>} graph of what imports what; throws an AssertionError at a circle */
  function assertNoCircle(graph) {
    /** @type {Set<string>} */
    const done = new Set();
    /** @param {string} one @param {string[]} trail */
    const walk = (one, trail) => {
      assert.ok(!trail.includes(one), [...trail, one].join(' -> '));
      if (done.has(one)) return;
      for (const next of graph.get(one) ?? []) walk(next, [...trail, one]);
      done.add(one);
    };
    for (const one of graph.keys()) walk(one, []);
  }

  it('and in no circle, neither of files nor of folders', () => {
    const files = [...PRODUCT, 'server.js'];
    const targetsOf = (/** @type {string} */ file) =>
      importsOf(file).flatMap((one) => (one.startsWith('.') ? [path.posix.join(path.posix.dirname(file), one)] : []));
    const graph = new Map(files.map((file) => [file, targetsOf(file)]));
    assertNoCircle(graph);
    // A part's own folder has the programs that use all of it, and what all of it uses.
    const isRoom = (/** @type {string} */ folder) => folder.includes('/') && folder !== 'public/js';
    /** @type {Map<string, string[]>} */
    const ofRooms = new Map();
    for (const [file, targets] of graph) {
      const room = path.posix.dirname(file);
      const others = targets.map((target) => path.posix.dirname(target)).filter((one) => one !== room && isRoom(one));
      if (isRoom(room)) ofRooms.set(room, [...(ofRooms.get(room) ?? []), ...others]);
    }
    assertNoCircle(ofRooms);
  });
});

/**
 * The names of a schema's fields, and the texts that it takes: of the validation library, all the way down.
 * @param {any} schema @returns {{ names: Set<string>, values: Set<string> }}
 */
function wordsOf({ entries = {}, wrapped, item, options = [], literal }) {
  const inner = [...Object.values(entries), wrapped, item, ...options].filter((one) => typeof one === 'object');
  const parts = inner.map(wordsOf);
  const texts = [...options, literal].filter((one) => typeof one === 'string');
  return {
    names: new Set([...Object.keys(entries), ...parts.flatMap(({ names }) => [...names])]),
    values: new Set([...texts, ...parts.flatMap(({ values }) => [...values])]),
  };
}

/**
 * Fields of one experiment that are something else here: of a Map, of a server's status, of any test without a plan, of
 * a timeline, of a picture.
 */
const OTHER_MEANINGS = ['size', 'answered', 'elapsedMs', 'messages', 'arrivals'];

/** @param {readonly Set<string>[]} sets @returns {string[]} what is in one of them only */
function onlyOnce(sets) {
  const all = sets.flatMap((set) => [...set]);
  return all.filter((word) => all.indexOf(word) === all.lastIndexOf(word));
}

/** @param {string} folder @returns {string[]} */
const exportsOf = (folder) =>
  sourcesOf(folder).flatMap((file) =>
    parse(readFileSync(file, 'utf8'))[1].flatMap((exported) => ('name' in exported ? [String(exported.name)] : [])),
  );

describe('core', () => {
  it('has no file outside its layers, each of which imports from those before it, but from no experiment', () => {
    const rooms = ['answer', 'plan', 'run', 'report', 'documents'].map((room) => `experiment/${room}`);
    const layers = ['base', 'net', 'picture', ...rooms, 'experiments', 'full-test', 'matrix', 'recording', 'field'];
    const experiments = layers.indexOf('experiments');
    /** @param {string} file @returns {[layer: number, folder: string]} */
    const placeOf = (file) => {
      const [, layer, folder] = file.split('/');
      return [layers.indexOf(layer === 'experiment' ? `${layer}/${folder}` : layer), folder];
    };
    // The contract of experiments names types of all rooms, which may name its own.
    const isContract = (/** @type {string} */ file) => file === 'core/experiment/contract.js';
    const offenders = sourcesOf('core').flatMap((file) => {
      const [own, folder] = placeOf(file);
      const layer = isContract(file) ? experiments - 1 : own;
      if (layer < 0) return [file];
      // The list of the experiments imports them all.
      const isList = path.posix.dirname(file) === 'core/experiments';
      const types = readFileSync(file, 'utf8').matchAll(/(?:@import .* from |import\()'(\.[^']+)'/g);
      return [...importsOf(file), ...[...types].map(([, specifier]) => specifier)]
        .map((specifier) => path.posix.join(path.posix.dirname(file), specifier))
        .filter((target) => {
          const [itsLayer, itsFolder] = placeOf(target);
          const isOfExperiment = itsLayer === experiments && target.split('/').length > 3;
          return itsLayer > layer || (isOfExperiment && !isList && (layer !== experiments || itsFolder !== folder));
        })
        .map((target) => `${file} imports ${target}`);
    });
    assert.deepEqual(offenders, []);
  });

  it('has one loop over trials, one list of experiments, of a full test’s, and of what only pages, or only Node.js have', () => {
    const files = ['core', 'public/js', 'server', 'cli'].flatMap(sourcesOf);
    const textOf = (/** @type {string} */ file) => readFileSync(file, 'utf8').replace(/\/\*[^]*?\*\//g, '');
    const makers = files.filter((file) => /\bawait (experiment\.)?runTrial\(planned\b/.test(textOf(file)));
    assert.deepEqual(makers, ['core/experiment/run/run.js']);
    // In quotes, in a path, or as a property: what names so many of them goes through all.
    const names = Object.keys(LOADERS).map((name) => new RegExp(`['"/]${name}['"/]|^ +${name}(: |,$)`, 'm'));
    const lists = files.filter((file) => names.filter((name) => name.test(textOf(file))).length > 5);
    assert.deepEqual(lists, [
      'core/experiments/index.js',
      'public/js/full-test-members.js',
      'server/page-partials.js',
      'cli/clients/index.js',
    ]);
  });

  it('files all experiments alike', () => {
    const wanted = ['index', 'measure', 'plan', 'report', 'schema', 'summary'].map((noun) => `${noun}.js`);
    const missing = Object.keys(LOADERS).flatMap((name) => {
      const files = readdirSync(`core/experiments/${name}`);
      return wanted.filter((file) => !files.includes(file)).map((file) => `${name}/${file}`);
    });
    assert.deepEqual(missing, []);
  });

  it('lists what only the command of one experiment has, and loads no other', () => {
    const list = readFileSync('cli/clients/index.js', 'utf8');
    const loaded = [...list.matchAll(/^ {2}'?([\w-]+)'?: async \(\) => \(await import\('\.\/([\w-]+)\.js'\)\)/gm)];
    for (const [, name, file] of loaded) assert.ok(name === file && name in LOADERS, name);
    assert.deepEqual(
      loaded.map(([, , file]) => `cli/clients/${file}.js`).sort(),
      ownFilesOf('cli/clients', ['echo.js', 'index.js']).sort(),
    );
  });

  it('has nothing generic that knows an experiment: its name, or a field or a value that its documents alone have', () => {
    const said = EXPERIMENTS.map((experiment) => {
      const { names, values } = wordsOf(schemaOf(experiment, v, createFields(v)));
      return { names: new Set([...names, ...Object.keys(experiment.fields)]), values };
    });
    // What several have is common; what core/net or a situation declares is no experiment's own.
    const methods = Object.values(labels).flatMap((list) => (typeof list === 'object' ? Object.keys(list) : []));
    const declared = [...methods, ...[...PROTOCOLS.values()].flat()];
    const common = [
      ...Object.keys(createFields(v)),
      ...exportsOf('core/experiment'),
      ...exportsOf('core/net'),
      ...Object.keys(SITUATION_FIELDS),
      ...declared,
      ...OTHER_MEANINGS,
    ];
    const fields = onlyOnce(said.map(({ names }) => names)).filter((name) => !common.includes(name));
    const values = onlyOnce(said.map((one) => one.values)).filter((value) => !declared.includes(value));
    assert.ok(
      ['notified', 'arrangement', 'check', 'tests', 'depth'].every((name) => fields.includes(name)),
      String(fields),
    );
    assert.ok(
      ['size-64k', 'heartbeat', 'published'].every((value) => values.includes(value)),
      String(values),
    );

    const names = EXPERIMENTS.map(({ name }) => new RegExp(`['"]${name}['"]|\\.${name}\\b|\\b${name}:`));
    const reads = fields.map((name) => new RegExp(`\\.${name}\\b(?!\\()|\\{([^{};()]*,)?\\s*${name}\\s*[,}=:]`));
    const quotes = values.map((value) => new RegExp(`'${value}'`));
    const offenders = sourcesOf('core/experiment').flatMap((file) => {
      const code = readFileSync(file, 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*|from '[^']*'/g, '');
      const found = [...names, ...reads, ...quotes].flatMap((pattern) => pattern.exec(code)?.[0] ?? []);
      return found.map((text) => `${file}: ${text}`);
    });
    assert.deepEqual(offenders, []);
  });

  it('alone knows what lists, results and comparisons have for one experiment only', () => {
    const shown = [
      'server/routes/matrix-exports.js',
      'server/routes/matrix-pages.js',
      'server/routes/result-lists.js',
      'server/routes/result-page.js',
      'views/matrix.ejs',
    ];
    const names = new RegExp(`['"](${Object.keys(LOADERS).join('|')})['"]`);
    const offenders = [...shown, ...sourcesOf('server/saved-runs')].filter((file) =>
      names.test(readFileSync(file, 'utf8')),
    );
    assert.deepEqual(offenders, []);
  });

  it('knows neither page nor process', () => {
    const offenders = sourcesOf('core').filter((file) => {
      // Without comments, and without the names of files that it imports.
      const code = readFileSync(file, 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*|from '[^']*'/g, '');
      return /\b(document|window|process|localStorage|XMLHttpRequest|location)\b\./.test(code);
    });
    assert.deepEqual(offenders, []);
  });
});

describe('benches', () => {
  it('import into a page what the sources export', async () => {
    const pattern = /const \{ (\w+)[^}]*\} = await import\(`\$\{source\}((?:core|public)[^`]+)`\)/g;
    const wanted = sourcesOf('bench').flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)]);
    assert.ok(wanted.length >= 5);
    const missing = wanted.filter(([, name, file]) => {
      const [, exports] = parse(readFileSync(file, 'utf8'));
      return !exports.some((exported) => 'name' in exported && exported.name === name);
    });
    assert.deepEqual(
      missing.map(([whole]) => whole),
      [],
    );
  });
});

describe('what a client can set going in the server', () => {
  it('runs inside the boundary: every listener and timer, but for those that belong to no client', () => {
    const ours = {
      'server/cluster.js': ['async (code, signal) => {', '() => resolve(', 'resolve', '() => {})', 'end)'],
      'server/store/postgres.js': ['(error) => log?.warn', '() => {}'],
      'server/saved-runs/documents.js': ['(error) => failure'],
      // In a thread of its own.
      'server/saved-runs/submission.js': ['(name, value) => {', 'refuse', 'reject'],
      'server/http/turns.js': ['runTurn'],
      'server/http/connections.js': ['() => unread', '(socket) => guard', '() => clearInterval'],
      'server/http/node-server.js': ['() => {'],
      'server/main.js': ['() => {', '(error) => {'],
      'server/pulse.js': ['(message) => {', 'tick', '(answer) => {', '() => clearInterval'],
      'server/telemetry/log.js': ['() => terminals', '() => {})', '() => process.kill'],
    };
    const cannotThrow = ['IGNORE', 'endOnError', 'destroyOnError', 'forbidTransforms'];
    // By these names a WebSocket and the sessions of SockJS and Socket.IO go, whose makers guard all their listeners.
    const listener =
      /(?<!\bclient|\bconnection)\.(?:on|once|prependListener|prependOnceListener|addListener)\(\s*[^\s,()]+,\s*([^\n]*)/g;
    const timer = /(?<![.#\w])(?:process\.nextTick|set(?:Timeout|Interval|Immediate)|queueMicrotask)\(\s*([^\n]*)/g;
    const offenders = sourcesOf('server').flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const guarded = [...text.matchAll(/(?:const |this\.)(#?\w+) = guard\(/g)].map(([, name]) => name);
      const isInside = (/** @type {string} */ given) => {
        const [, name] = /^(?:this\.)?(#?\w+)\b/.exec(given) ?? [];
        const mine = /** @type {Record<string, string[]>} */ (ours)[file] ?? [];
        return (
          /^[^,]*\bguard(Request)?\(/.test(given) ||
          [...guarded, ...cannotThrow].includes(name) ||
          mine.some((start) => given.startsWith(start))
        );
      };
      return [...text.matchAll(listener), ...text.matchAll(timer)]
        .filter(([, given]) => !isInside(given))
        .map(([whole]) => `${file}: ${whole}`);
    });
    assert.deepEqual(offenders, []);
    const makers = [/new WebSocketServer\(/, /sockjs\.createServer\(/, /^import .* from 'socket\.io'/m].map((maker) =>
      sourcesOf('server').filter((file) => maker.test(readFileSync(file, 'utf8'))),
    );
    assert.deepEqual(makers, [
      ['server/channel/web-socket.js'],
      ['server/sockets/sockjs-sessions.js'],
      ['server/sockets/socketio-sessions.js'],
    ]);
    for (const [file] of makers) assert.match(readFileSync(file, 'utf8'), /guardEmitter\((client|connection),/);
  });
});

describe('packages', () => {
  it('are without the known fault of sockjs’s own uuid', () => {
    const { version } = JSON.parse(readFileSync('node_modules/uuid/package.json', 'utf8'));
    assert.ok(version.localeCompare('11.1.1', 'en', { numeric: true }) >= 0, version);
  });
});

describe('process.env', () => {
  it('is read by server/config.js alone', () => {
    const readers = [...sourcesOf('server'), 'server.js'].filter((file) =>
      readFileSync(file, 'utf8')
        .replace(/\/\*[^]*?\*\//g, '')
        .includes('process.env'),
    );
    assert.deepEqual(readers, ['server/config.js']);
  });
});

describe('exports', () => {
  it('are each imported by somebody', () => {
    const texts = new Map(ALL.map((file) => [file, readFileSync(file, 'utf8')]));
    /** @type {Set<string>} */
    const named = new Set();
    // Who imports a file whole, or when it runs, names what it takes somewhere.
    /** @type {Map<string, string>} */
    const wholly = new Map();
    for (const [file, text] of texts) {
      const take = (/** @type {string} */ target) => wholly.set(target, (wholly.get(target) ?? '') + text);
      for (const { type, importStart, importEnd, specifier } of parse(text)[0]) {
        const target = path.posix.join(path.posix.dirname(file), String(specifier));
        const [, list] = /^(?:im|ex)port[^'(*]*\{([^]*)\}/.exec(text.slice(importStart, importEnd)) ?? [];
        if (type === 'static' && list)
          for (const name of list.split(',')) named.add(`${target} ${name.trim().split(' ')[0]}`);
        else take(target);
      }
      for (const [, target] of text.matchAll(/\$\{source\}([\w/.-]+\.js)/g)) take(target);
      for (const [, target] of text.matchAll(/new URL\('([\w/.-]+\.js)', import\.meta\.url\)/g))
        take(path.posix.join(path.posix.dirname(file), target));
    }
    // Pages of other sites import it.
    named.add('public/js/later/field.js measureField');
    const offenders = PRODUCT.flatMap((file) =>
      parse(String(texts.get(file)))[1].flatMap((exported) => {
        const name = 'name' in exported ? exported.name : undefined;
        const word = new RegExp(`\\b${name}\\b`);
        const isNamed = named.has(`${file} ${name}`) || (wholly.get(file) ?? '').search(word) >= 0;
        return isNamed ? [] : [`${file}: ${name}`];
      }),
    );
    assert.deepEqual(offenders, []);
  });
});

describe('errors', () => {
  it('tell what somebody got wrong from a fault of the program, which a RangeError of JavaScript is', () => {
    const pattern = /instanceof RangeError|extends RangeError/;
    assert.deepEqual(
      PRODUCT.filter((file) => pattern.test(readFileSync(file, 'utf8'))),
      [],
    );
  });
});

describe('a site below a path', () => {
  it('has views whose links, forms and assets go through at(), which puts the path before them', () => {
    // These are whole URLs already, or a place on the page itself; a script sets what is empty.
    const whole = /^(?:<%= (?:preview\.url|sourceUrl|link) %>|#.*|)$/;
    const offenders = readdirSync('views', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ejs'))
      .flatMap((name) => {
        const links = readFileSync(path.join('views', name), 'utf8').matchAll(
          /\b(?:href|src|srcset|action|formaction|poster)=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g,
        );
        return [...links].flatMap(([text, ...values]) => {
          const value = values.find((one) => one !== undefined) ?? '';
          return /^<%= at\(.+\) %>$/.test(value) || whole.test(value) ? [] : [`${name}: ${text}`];
        });
      });
    assert.deepEqual(offenders, []);
  });

  it('is known in its pages by one module, and so are servers at other origins', () => {
    const readers = sourcesOf('public/js').filter((file) =>
      /\blocation\.origin\b|dataset\.(?:basePath|origin)\b/.test(readFileSync(file, 'utf8')),
    );
    assert.deepEqual(readers, ['public/js/site-url.js']);
  });

  it('is known on the server by what starts it and by one layer', () => {
    const readers = sourcesOf('server').filter((file) => /\bbasePath\b/.test(readFileSync(file, 'utf8')));
    assert.deepEqual(readers.sort(), [
      'server/app.js',
      'server/base-path.js',
      'server/config.js',
      'server/http-server.js',
      'server/http/identity.js',
      'server/saved-runs/open-api.js',
      'server/site.js',
    ]);
  });
});

describe('texts', () => {
  it('have no worn words', () => {
    const worn =
      /\b(told|to and fro|surely|take along|by what|asked for again|meanwhile|held up|put off|learns? of it|by its own word|not to be relied on|carriers?|saves against)\b/i;
    const parts = ['docs', 'views', 'public', 'core', 'cli', 'server'];
    const files = parts.flatMap((part) =>
      readdirSync(part, { recursive: true, encoding: 'utf8' }).map((name) => path.join(part, name)),
    );
    const read = files.filter((name) => /\.(js|ejs|md)$/.test(name));
    const found = read.filter((name) => worn.test(readFileSync(name, 'utf8')));
    assert.deepEqual(found, []);
  });
});

describe('tests', () => {
  const MAX_LINES = 500;
  const files = ALL.filter((file) => file.endsWith('.test.js'));

  it(`have at most ${MAX_LINES} lines in a file`, () => {
    const long = files.filter((file) => readFileSync(file, 'utf8').trimEnd().split('\n').length > MAX_LINES);
    assert.deepEqual(long, []);
  });

  it('share what stands in test/support: what one file uses stands in it', () => {
    const users = ALL.flatMap((file) =>
      [...new Set(importsOf(file))].map((specifier) => path.posix.join(path.posix.dirname(file), specifier)),
    );
    const helpers = sourcesOf('test/support').filter((file) => path.posix.dirname(file) === 'test/support');
    assert.deepEqual(
      helpers.filter((file) => users.filter((used) => used === file).length < 2),
      [],
    );
  });
});
