import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import test, { type TestContext } from 'node:test';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { PNG } from 'pngjs';
import { startServer } from '../support/server.js';
import { startBrowser, withoutBrowser } from './browser.js';

const library = resolve('node_modules/maplibre-gl');
const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
};

/** The example of the guide and the lines that replace its style sheet and import in a project of Vite. */
async function readExample(): Promise<{ page: string; imports: string }> {
  const text = await readFile('docs/guide/tiles.md', 'utf8');
  const page = /```html\n(.*?)```/s.exec(text)?.[1];
  const imports = /```js\n(import 'maplibre-gl.*?)```/s.exec(text)?.[1];
  assert.ok(page && imports, 'the guide has both examples');
  return { page, imports };
}

type Handler = (path: string, response: ServerResponse) => Promise<void>;

/** Starts a web server that other origins may read. Returns its address. */
async function serve(t: TestContext, handler: Handler): Promise<string> {
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    const { pathname } = new URL(request.url!, 'http://localhost');
    if (pathname === '/favicon.ico') response.writeHead(204).end();
    else handler(pathname, response).catch(() => response.writeHead(404).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function sendFile(path: string, response: ServerResponse): Promise<void> {
  const content = await readFile(path);
  response.setHeader('content-type', mediaTypes[extname(path)] ?? 'application/octet-stream').end(content);
}

/** A CDN with the installed version of MapLibre: like unpkg.com, it redirects from the major version. */
async function serveLibrary(t: TestContext): Promise<string> {
  const { version } = JSON.parse(await readFile(join(library, 'package.json'), 'utf8')) as {
    version: string;
  };
  assert.equal(version.split('.')[0], '6');
  const prefix = `/maplibre-gl@${version}/`;
  return await serve(t, async (path, response) => {
    if (path.startsWith(prefix)) await sendFile(join(library, path.slice(prefix.length)), response);
    else response.writeHead(302, { location: path.replace('/maplibre-gl@6/', prefix) }).end();
  });
}

/** Opens a page and waits until the map has the background colour of the tiles. Fails on any error of the page. */
async function checkMap(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 600, height: 440 } });
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(url);
  const map = page.locator('#map canvas');
  await map.waitFor();
  for (const end = Date.now() + 60_000; ; await page.waitForTimeout(250)) {
    const { data } = PNG.sync.read(await map.screenshot());
    const centre = data.subarray(data.length / 2, data.length / 2 + 3);
    if (centre.toString('hex') === '338855') break;
    assert.ok(Date.now() < end, `the map shows the colour ${centre.toString('hex')}; ${problems.join(', ')}`);
  }
  assert.deepEqual(problems, []);
  await page.close();
}

/** Builds a project of Vite that holds the example. Returns the folder with the built page. */
async function buildProject(folder: string, page: string, imports: string): Promise<string> {
  const [, script] = /<script type="module">(.*)<\/script>/s.exec(page)!;
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'src/main.js'), imports + script!.replace(/^\s*import .*$/m, ''));
  const html = page
    .replace(/<link[^>]*>\n/, '')
    .replace(/<script type="module">.*<\/script>/s, '<script type="module" src="/src/main.js"></script>');
  await writeFile(join(folder, 'index.html'), html);
  await promisify(execFile)(process.execPath, [resolve('node_modules/vite/bin/vite.js'), 'build'], {
    cwd: folder,
  });
  return join(folder, 'dist');
}

test('the MapLibre example of the guide draws tiles', { skip: withoutBrowser }, async (t) => {
  const browser = await startBrowser(t);
  const server = await startServer();
  t.after(() => server.stop());
  await server.admin('POST', '/', { code: 'world', css_style: 'Map { background-color: #338855; }' });
  const example = await readExample();
  const folder = await mkdtemp(join(tmpdir(), 'maplibre-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const page = example.page
    .replaceAll('https://unpkg.com', await serveLibrary(t))
    .replaceAll('http://127.0.0.1:8080', server.url);

  await t.test('as a file that loads the library from a CDN', async () => {
    const file = join(folder, 'map.html');
    await writeFile(file, page);
    await checkMap(browser, `file://${file}`);
  });

  await t.test('as a page of another origin', async (t) => {
    const url = await serve(t, async (_path, response) => {
      response.setHeader('content-type', 'text/html').end(page);
    });
    await checkMap(browser, url);
  });

  await t.test('in a project of Vite', async (t) => {
    const project = await mkdtemp(join(folder, 'vite-'));
    const built = await buildProject(project, page, example.imports);
    const url = await serve(t, (path, response) =>
      sendFile(join(built, path === '/' ? 'index.html' : path), response),
    );
    await checkMap(browser, url);
  });
});
