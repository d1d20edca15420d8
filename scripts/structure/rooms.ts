/**
 * The rooms of the workspace and what each may know. `docs/architecture.md` explains them; `check.ts` enforces them.
 * Every room may import `errors`.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  'packages/errors': [],
  'packages/sql': [],
  'packages/runtime': [],
  'packages/geo': [],
  'packages/select-guard': [],
  'packages/fonts': [],
  'packages/client': [],
  'packages/columns': ['sql', 'geo'],
  'packages/cartocss': ['geo'],
  'packages/visualizations': ['cartocss', 'columns', 'sql'],
  'packages/database': ['sql', 'runtime'],
  'packages/formats': ['columns', 'geo', 'runtime', 'sql'],
  'packages/renderer': ['cartocss', 'fonts', 'geo', 'runtime'],
  'apps/server': [
    'cartocss',
    'columns',
    'database',
    'fonts',
    'formats',
    'geo',
    'renderer',
    'runtime',
    'select-guard',
    'sql',
    'visualizations',
  ],
  'apps/web': ['cartocss', 'client', 'columns', 'formats'],
  conformance: [],
  bench: ['geo', 'server', 'sql'],
  soak: ['bench', 'database', 'server', 'sql'],
  scripts: ['database', 'fonts', 'formats', 'server'],
};

/**
 * The folders and files of `apps/server/src`, from the top to the bottom. One imports only from rows below its own: of the
 * same row only from itself.
 */
export const domains: readonly (readonly string[])[] = [
  ['main.ts', 'index.ts'],
  ['cli'],
  ['process'],
  ['app.ts'],
  ['demo', 'legacy'],
  ['services.ts'],
  ['administration'],
  ['deletion', 'pages', 'rights'],
  ['ogc'],
  ['feature-sheets'],
  ['tiles', 'images', 'search'],
  ['exports'],
  ['imports'],
  ['jobs'],
  ['files', 'rasters'],
  ['objects'],
  ['layers'],
  ['containers'],
  ['icons'],
  ['uploads'],
  ['access'],
  ['external'],
  ['http'],
  ['storage'],
  ['config.ts', 'node-version.ts'],
];

/**
 * Folders of `apps/server/src` that hold doors beside each other: a folder in them imports only from itself, from its `common`
 * and from files beside it.
 */
export const doorFolders: readonly string[] = ['ogc'];

/** Packages from outside that some files alone may load, by any means: the paths of those files. Their types may be used anywhere. */
export const confined: Readonly<Record<string, RegExp>> = {
  '@mapnik/mapnik': /^packages\/renderer\/src\//,
  pg: /^packages\/database\/src\//,
  fastify: /^apps\/server\/src\/(app\.ts|http\/|.*routes\.ts$|.*hook\.ts$)/,
};

/** Most code files in a folder: more means that a room is missing. */
export const maxFilesPerFolder = 20;

/** Most lines of a function, from its first to its last: more means that it does two things. */
export const maxLinesPerFunction = 60;
