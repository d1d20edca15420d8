/**
 * The walls of the house (docs/architecture.md): a folder imports only from itself and from the rows below it,
 * another domain is entered only by its open files, and some things are known to one file alone. It reads what the
 * compiler wrote (`npm run check` builds first): types are gone there, and types may be taken from anywhere.
 */
const rows = [
  ['demo'],
  ['legacy'],
  ['pages'],
  ['rights'],
  ['cards'],
  ['tiles', 'images', 'search'],
  ['transfer'],
  ['jobs'],
  ['files', 'rasters'],
  ['objects'],
  ['layers'],
  ['visualizations'],
  ['containers'],
  ['icons'],
  ['access'],
  ['external'],
  ['http'],
  ['storage'],
  ['db'],
  ['styles', 'geo', 'queries', 'fonts'],
];

/** The files by which a domain is entered from above; `http`, `db` and `geo` are open. Every `routes.ts` is for `app.ts` alone. */
const doors = {
  tiles: ['pool', 'picture', 'swatch', 'externals'],
  styles: ['compile'],
  queries: ['query'],
  fonts: ['files', 'drawn', 'woff'],
  cards: ['cards'],
  transfer: ['import'],
  storage: ['disk'],
  images: ['resizer'],
  search: [],
  jobs: ['jobs', 'folder'],
  files: ['store', 'range'],
  rasters: ['store'],
  objects: ['store'],
  visualizations: ['visualization'],
  layers: [
    'layers',
    'changes',
    'columns',
    'types',
    'edit',
    'style',
    'search-index',
    'sort-index',
    'speck-index',
    'indexer',
    'traits',
    'constraint-checks',
    'view',
    'visual/visual',
    'readers',
  ],
  containers: ['containers', 'maps', 'names', 'tree'],
  icons: ['icons'],
  external: ['source', 'policy', 'pictures'],
  access: ['caller', 'once-seen', 'public-caller', 'rights', 'grants'],
};

const folder = (name) => `^dist/src/${name}/`;
const tops =
  '^dist/src/(main|lifetime|processes|shares|installation|server|serving|serving-process|handing-over|app|cli|cli-tiles|cli-tiles-fill)\\.js$';

const upward = rows.flatMap((names, row) =>
  names.map((name) => ({
    name: `${name}-calls-only-down`,
    severity: 'error',
    from: { path: folder(name) },
    to: {
      path: [
        tops,
        ...rows.slice(0, row).flat().map(folder),
        ...names.filter((other) => other !== name).map(folder),
      ],
    },
  })),
);

const entered = Object.entries(doors).map(([name, files]) => ({
  name: `${name}-is-entered-by-its-doors`,
  severity: 'error',
  from: { path: '^dist/src/', pathNot: [folder(name), tops, '\\.test\\.js$'] },
  to: { path: folder(name), pathNot: `^dist/src/${name}/(${files.join('|')})\\.js$` },
}));

const only = (name, from, to) => ({
  name,
  severity: 'error',
  from: { path: '^dist/src/', pathNot: [...from, '\\.test\\.js$'] },
  to: { path: to },
});

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'src-knows-no-web',
      severity: 'error',
      from: { path: '^dist/src/' },
      to: { path: '^dist/(web|test|bench|scripts|soak)/' },
    },
    only('routes-are-for-app', ['^dist/src/app\\.js$'], '/routes\\.js$'),
    only(
      'fastify-is-known-to-http',
      ['^dist/src/(app\\.js|http/|.*/routes\\.js$|.*/hook\\.js$)'],
      '(^|node_modules/)@?fastify',
    ),
    only('mapnik-is-known-to-the-renderer', ['^dist/src/tiles/renderer\\.js$'], '@mapnik'),
    only('pg-is-known-to-db', [folder('db')], 'node_modules/pg(-|/)'),
    ...upward,
    ...entered,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['\\.test\\.js$'] },
    moduleSystems: ['es6'],
  },
};
