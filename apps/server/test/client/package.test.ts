import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { adminPassword, startServer } from '../support/server.js';

const run = promisify(execFile);

/** The code of a page's examples, and what they print in all where it is shown. */
function examplesOf(markdown: string): { code: string; shown: string } {
  const blocks = [...markdown.matchAll(/^```(js|text)\n([\s\S]*?)^```$/gm)];
  const of = (kind: string): string => blocks.map(([, name, text]) => (name === kind ? text : '')).join('');
  return { code: of('js'), shown: of('text') };
}

test('the package installs elsewhere without a network, and the examples of its page work there', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cartulary-package-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const server = await startServer();
  t.after(() => server.stop());
  const sources = [
    'packages/client',
    'node_modules/openapi-fetch',
    'node_modules/openapi-typescript-helpers',
  ];
  const { stdout } = await run('npm', [
    'pack',
    '--json',
    '--ignore-scripts',
    '--pack-destination',
    folder,
    ...sources.map((source) => resolve(source)),
  ]);
  const packed: { filename: string; files: { path: string }[] }[] = JSON.parse(stdout);
  const [own] = packed;
  assert.ok(own!.files.some(({ path }) => path === 'README.md'));
  assert.ok(
    own!.files.every(({ path }) => /^(README\.md|package\.json|dist\/src\/.*\.(js|d\.ts))$/.test(path)),
  );

  const inFolder = { cwd: folder, env: { ...process.env, CARTULARY_ADMIN_PASSWORD: adminPassword } };
  await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  const archives = packed.map(({ filename }) => `./${filename.replace('@', '').replace('/', '-')}`);
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...archives], inFolder);

  const pages = [join(folder, 'node_modules/@cartulary/client/README.md'), 'docs/guide/client.md'];
  for (const page of pages) {
    const { code, shown } = examplesOf(await readFile(page, 'utf8'));
    await writeFile(join(folder, 'examples.js'), code.replaceAll('http://127.0.0.1:8080', server.url));
    const printed = await run(process.execPath, ['examples.js'], inFolder);
    assert.equal(printed.stdout, shown || '47 47\ndone\nPoint\n', page);
    assert.equal(printed.stderr, '');
  }

  // Its types, as another program sees them.
  await writeFile(join(folder, 'user.ts'), userProgram);
  const options = '--noEmit --strict --target es2022 --module nodenext --lib es2023,dom --types'.split(' ');
  await run(
    process.execPath,
    [resolve('node_modules/typescript/bin/tsc'), ...options, '', 'user.ts'],
    inFolder,
  );
});

const userProgram = `
import { type AnyClientError, CartularyClient, isClientError } from '@cartulary/client';
const client = new CartularyClient({ url: 'http://127.0.0.1', project: 'demo' });
const layer = await client.get('/api/2.8/{project}/{map}/layers/{layer}/', { params: { path: { map: 'a', layer: 'b' } } });
export const code: string = layer.code;
// @ts-expect-error: there is no such path
client.get('/api/2.8/{project}/nowhere/');
// @ts-expect-error: the layer is missing
client.get('/api/2.8/{project}/{map}/layers/{layer}/', { params: { path: { map: 'a' } } });
// @ts-expect-error: a layer has no such property
layer.nothing;
// @ts-expect-error: the code is missing
client.post('/api/2.8/{project}/', { body: {} });
export function tell(error: unknown): string {
  if (!isClientError(error)) return '';
  const known: AnyClientError = error;
  if (known.code === 'code_taken') {
    const taken: 'code_taken' = known.code;
    return taken;
  }
  // @ts-expect-error: no error has this code
  return known.code === 'wrong_code' ? '' : known.message;
}
`;
