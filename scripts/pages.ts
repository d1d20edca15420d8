import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { InlineConfig } from 'vite';
import { buildDocs } from './docs.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const source = join(root, 'web');
const target = join(root, 'dist/web');
/** Written last, so that a build that was cut off is made again: the time of the newest source. */
const stampName = '.built';

/** What else than `web/` decides how the pages look. */
const otherSources = [
  'package-lock.json',
  'tsconfig.base.json',
  'scripts/web.ts',
  'scripts/docs.ts',
  'docs',
].map((path) => join(root, path));

/** Libraries mark their files with "use client", which means nothing in a page; how long plugins take is no warning. */
const needless = new Set(['MODULE_LEVEL_DIRECTIVE', 'PLUGIN_TIMINGS']);

/**
 * How Vite builds the pages. Addresses are relative to the page, so that the service can lie below any path of a
 * host: in the pages themselves `__BASE__` stands for the way up, and the server fills it in.
 */
export const viteConfig: InlineConfig = {
  root: source,
  configFile: false,
  base: './',
  logLevel: 'warn',
  publicDir: false,
  build: {
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      input: Object.fromEntries(
        ['home', 'viewer', 'docs'].map((page) => [page, join(source, page, 'index.html')]),
      ),
      onLog(level, log, handle) {
        if (!needless.has(log.code ?? '')) handle(level, log);
      },
    },
  },
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `__BASE__/${file}` : { relative: true }),
  },
};

/**
 * Builds the pages into `dist/web` unless they are as new as all that they are made of. Whether it built.
 * They are made beside and put in place when complete, so that two builds at once do not mix.
 */
export async function buildPages(): Promise<boolean> {
  const newest = Math.max(...(await Promise.all([source, ...otherSources].map(newestUnder))));
  const built = await readFile(join(target, stampName), 'utf8').catch(() => '');
  if (built === String(newest)) return false;
  const fresh = `${target}.${process.pid}`;
  try {
    const { build } = await import('vite');
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

/** When a file was changed, in ms since 1970; 0 when there is no such file. */
const timeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

/** The newest time of a file, or of a folder and all in it (a file taken away changes its folder's time). */
async function newestUnder(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const within = entries.map((entry) =>
    entry.isDirectory() ? newestUnder(join(path, entry.name)) : timeOf(join(path, entry.name)),
  );
  return Math.max(await timeOf(path), ...(await Promise.all(within)));
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Lays a .br and a .gz beside each text, for a server that does not compress on the way. */
async function compressAssets(folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((file) => /^\.(js|mjs|css|svg)$/.test(extname(file)));
  await Promise.all(
    files.map(async (file) => {
      const path = join(folder, file);
      const content = await readFile(path);
      if (content.length < 1024) return;
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 };
      const [small, other] = await Promise.all([brotli(content, { params }), zip(content, { level: 9 })]);
      await Promise.all([writeFile(`${path}.br`, small), writeFile(`${path}.gz`, other)]);
    }),
  );
}
