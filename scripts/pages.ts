import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { InlineConfig, Plugin } from 'vite';
import { writeBaseMap } from './base-map.js';
import { buildDocs } from './docs.js';
import { cartocssGrammar } from './grammar.js';
import { tablerIcons } from './icons.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const source = join(root, 'apps/web/src');
const target = join(root, 'apps/web/dist/pages');
/** The map page imports this file. */
const baseMap = join(root, 'apps/web/dist/base-map.json');
/** The last file of a build, which holds the time of the newest source. Without it a build is incomplete. */
const stampName = '.built';

/** Inputs of the pages outside of `apps/web`. */
const otherSources = [
  'package-lock.json',
  'tsconfig.base.json',
  'scripts/pages.ts',
  'scripts/docs.ts',
  'scripts/docs-page.ts',
  'scripts/base-map.ts',
  'scripts/icons.ts',
  'apps/server/src/demo',
  'scripts/grammar.ts',
  'packages/cartocss/src',
  'packages/client/src',
  'packages/errors/src/notes.ts',
  'packages/geo/src/antimeridian.ts',
  'docs',
].map((path) => join(root, path));

/** Harmless warnings: "use client" marks in libraries, and durations of plugins. */
const ignoredWarnings = new Set(['MODULE_LEVEL_DIRECTIVE', 'PLUGIN_TIMINGS']);

/** What no page uses of the styles of libraries. MapLibre's controls and markers are mostly pictures; the pages have their own. */
const unusedStyles = [
  /[^{}]*\.maplibregl-(?:ctrl|marker|user-location)[^{}]*\{[^{}]*\}/g,
  /(?<=[{;])--mantine-color-(?:pink|grape|violet|indigo|cyan|lime|orange)-[\w-]+:[^;}]*;?/g,
];

const withoutUnusedStyles = (): Plugin => ({
  name: 'without-unused-styles',
  enforce: 'post',
  generateBundle: (_, bundle) => {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue;
      const css = typeof file.source === 'string' ? file.source : Buffer.from(file.source).toString();
      file.source = unusedStyles.reduce((text, unused) => text.replace(unused, ''), css);
    }
  },
});

/**
 * Vite's configuration. Addresses are relative, so that the service can run below any path of a host. In HTML files
 * `__BASE__` stands for the relative path to the root, which the server inserts.
 */
export const viteConfig: InlineConfig = {
  root: source,
  configFile: false,
  base: './',
  logLevel: 'warn',
  publicDir: false,
  plugins: [tablerIcons(), cartocssGrammar(), withoutUnusedStyles()],
  build: {
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      input: Object.fromEntries(
        ['home', 'viewer', 'console', 'docs'].map((page) => [page, join(source, page, 'index.html')]),
      ),
      onLog(level, log, handle) {
        if (!ignoredWarnings.has(log.code ?? '')) handle(level, log);
      },
    },
  },
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `__BASE__/${file}` : { relative: true }),
  },
};

/**
 * Builds the pages into `apps/web/dist/pages` if an input is newer. Returns whether it did.
 * A build goes to a folder of its own, which then replaces the old one, so that concurrent builds do not mix.
 */
export async function buildPages(): Promise<boolean> {
  const newest = Math.max(...(await Promise.all([source, ...otherSources].map(newestUnder))));
  const built = await readFile(join(target, stampName), 'utf8').catch(() => '');
  if (built === String(newest)) return false;
  const fresh = `${target}.${process.pid}`;
  try {
    const { build } = await import('vite');
    await writeBaseMap(baseMap);
    await build({ ...viteConfig, build: { ...viteConfig.build, outDir: fresh } });
    await buildDocs(join(root, 'docs'), fresh);
    await compressAssets(join(fresh, 'assets'));
    await writeFile(join(fresh, stampName), String(newest));
    await rm(target, { recursive: true, force: true });
    await rename(fresh, target);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return true;
}

/** Modification time of a file, ms since 1970; 0 if it does not exist. */
const timeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

/** The newest modification time of a file, or of a folder and its content. Removing a file changes its folder's time. */
async function newestUnder(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const within = entries.map((entry) =>
    entry.isDirectory() ? newestUnder(join(path, entry.name)) : timeOf(join(path, entry.name)),
  );
  return Math.max(await timeOf(path), ...(await Promise.all(within)));
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Writes a .br and a .gz beside each text file: the server sends them instead of compressing on request. */
async function compressAssets(folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((file) => /^\.(js|mjs|css|svg|json)$/.test(extname(file)));
  await Promise.all(
    files.map(async (file) => {
      const path = join(folder, file);
      const content = await readFile(path);
      if (content.length < 1024) return;
      // The best quality takes ten times as long as the one before it, and saves a tenth: what every reader loads is worth it.
      const quality = extname(file) === '.json' ? 9 : constants.BROTLI_MAX_QUALITY;
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      };
      const [small, other] = await Promise.all([brotli(content, { params }), zip(content, { level: 9 })]);
      await Promise.all([writeFile(`${path}.br`, small), writeFile(`${path}.gz`, other)]);
    }),
  );
}
