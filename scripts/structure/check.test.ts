import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkStructure } from './check.js';

/** The rules that a workspace of these files breaks. */
const broken = (files: Record<string, string>): string[] =>
  checkStructure(new Map(Object.entries(files))).map(({ rule, file }) => `${rule} ${file}`);

const lists = (...names: string[]): string =>
  JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, '1.0.0'])) });

test('imports that go down and through doors break no rule', () => {
  const files = {
    'packages/geo/src/tile.ts':
      "import { ServiceError } from '@cartulary/errors';\nexport const a = ServiceError;\n",
    'apps/server/src/tiles/plan.ts':
      "import { readFile } from 'node:fs/promises';\nimport { a } from '@cartulary/geo';\nimport type { B } from '../layers/b.js';\nconst c = [a, readFile] as B[];\n",
    'apps/server/src/layers/b.ts': 'export type B = unknown;\n',
    'apps/server/test/tile.test.ts': "import { x } from '@cartulary/geo/internal/tile.js';\nx();\n",
  };
  assert.deepEqual(broken(files), []);
});

test('a package that imports another one upward is found, also for types', () => {
  const file = 'packages/geo/src/tile.ts';
  assert.deepEqual(broken({ [file]: "import type { Pool } from '@cartulary/database';\n" }), [
    `arrow ${file}`,
  ]);
  assert.deepEqual(broken({ [file]: "export { Pool } from '@cartulary/database';\n" }), [`arrow ${file}`]);
});

test('a room is imported by its door only', () => {
  const file = 'apps/server/src/tiles/plan.ts';
  const inside = "import { a } from '@cartulary/geo/internal/tile.js';\n";
  const around = "import { a } from '../../../../packages/geo/src/tile.js';\n";
  assert.deepEqual(broken({ [file]: inside }), [`door ${file}`]);
  assert.deepEqual(broken({ [file]: around, 'packages/geo/src/tile.ts': '' }), [`door ${file}`]);
});

test('imports within the server go down only, also for types', () => {
  const upward = "import type { Tile } from '../tiles/tile.js';\n";
  const files = {
    'apps/server/src/layers/b.ts': upward,
    'apps/server/src/tiles/tile.ts': 'export type Tile = 1;\n',
  };
  assert.deepEqual(broken(files), ['domain apps/server/src/layers/b.ts']);
  const located = {
    'apps/server/src/layers/c.ts': "import type { S } from '../services.js';\n",
    'apps/server/src/services.ts': '',
  };
  assert.deepEqual(broken(located), ['domain apps/server/src/layers/c.ts']);
  const unknown = { 'apps/server/src/new/a.ts': "import '../http/b.js';\n", 'apps/server/src/http/b.ts': '' };
  assert.deepEqual(broken(unknown), ['domain apps/server/src/new/a.ts']);
});

test('doors of the standards import what they share, not each other', () => {
  const door = 'apps/server/src/ogc/wms/a.ts';
  const files = {
    [door]: "import type { B } from '../wmts/b.js';\n",
    'apps/server/src/ogc/wmts/b.ts': "import type { C } from '../common/c.js';\nexport type B = C;\n",
    'apps/server/src/ogc/common/c.ts': 'export type C = 1;\n',
    'apps/server/src/ogc/errors.ts': "import type { B } from './wmts/b.js';\nexport type D = B;\n",
  };
  assert.deepEqual(broken(files), [`domain ${door}`]);
});

test('files that import types of each other form a cycle', () => {
  const files = {
    'packages/geo/src/a.ts': "import type { B } from './b.js';\nexport type A = B;\n",
    'packages/geo/src/b.ts': "import type { C } from './c.js';\nexport type B = C;\n",
    'packages/geo/src/c.ts': "import type { A } from './a.js';\nexport type C = A;\n",
  };
  assert.deepEqual(broken(files), ['cycle packages/geo/src/a.ts']);
});

test('only the renderer loads Mapnik, by any kind of load', () => {
  const name = "'@mapnik/mapnik'";
  const loads = `const mapnik = createRequire(import.meta.url)(${name});\n`;
  const other = {
    'packages/formats/src/a.ts': loads,
    'packages/formats/package.json': lists('@mapnik/mapnik'),
  };
  assert.deepEqual(broken(other), ['confined packages/formats/src/a.ts']);
  const own = {
    'packages/renderer/src/a.ts': loads,
    'packages/renderer/package.json': lists('@mapnik/mapnik'),
  };
  assert.deepEqual(broken(own), []);
  const renamed = `const load = createRequire(import.meta.url);\nload(${name});\n`;
  assert.deepEqual(broken({ 'packages/formats/src/a.ts': renamed }), ['confined packages/formats/src/a.ts']);
  const type = `import type { Image } from ${name};\nexport type A = Image;\n`;
  const listed = { 'packages/formats/package.json': lists('@mapnik/mapnik') };
  assert.deepEqual(broken({ 'packages/formats/src/a.ts': type, ...listed }), []);
});

test('pg is loaded by the database alone, Fastify by the app, http, hooks and routes', () => {
  const pg = "import pg from 'pg';\npg.defaults;\n";
  const rooms = {
    'packages/database/package.json': lists('pg'),
    'apps/server/package.json': lists('pg', 'fastify'),
  };
  assert.deepEqual(broken({ 'packages/database/src/a.ts': pg, ...rooms }), []);
  assert.deepEqual(broken({ 'apps/server/src/tiles/a.ts': pg, ...rooms }), [
    'confined apps/server/src/tiles/a.ts',
  ]);
  const fastify = "import fastify from 'fastify';\nfastify();\n";
  for (const file of ['app.ts', 'http/a.ts', 'tiles/routes.ts', 'access/hook.ts'])
    assert.deepEqual(broken({ [`apps/server/src/${file}`]: fastify, ...rooms }), [], file);
  assert.deepEqual(broken({ 'apps/server/src/tiles/plan.ts': fastify, ...rooms }), [
    'confined apps/server/src/tiles/plan.ts',
  ]);
});

test('a room lists the external packages that it imports', () => {
  const file = 'packages/formats/src/a.ts';
  const text = "import { parse } from 'papaparse';\n";
  assert.deepEqual(broken({ [file]: text, 'packages/formats/package.json': lists('sharp') }), [
    `dependency ${file}`,
  ]);
  assert.deepEqual(broken({ [file]: text, 'packages/formats/package.json': lists('papaparse') }), []);
  const optional = JSON.stringify({ optionalDependencies: { papaparse: '1.0.0' } });
  assert.deepEqual(broken({ [file]: text, 'packages/formats/package.json': optional }), []);
  const tool = JSON.stringify({ devDependencies: { papaparse: '1.0.0' } });
  assert.deepEqual(broken({ [file]: text, 'packages/formats/package.json': tool }), [`dependency ${file}`]);
});

test('the program of a thread exists', () => {
  const file = 'packages/formats/src/a.ts';
  const address = "'./thread.js'";
  const text = `new Worker(new URL(${address}, import.meta.url));\n`;
  assert.deepEqual(broken({ [file]: text }), [`program ${file}`]);
  assert.deepEqual(broken({ [file]: text, 'packages/formats/src/thread.ts': '' }), []);
});

test('a folder has at most 20 files', () => {
  const files = (count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`packages/geo/src/f${i}.ts`, '']));
  assert.deepEqual(broken(files(20)), []);
  assert.deepEqual(broken(files(21)), ['crowded packages/geo/src']);
});

test('a function has at most 60 lines, also in tests and components', () => {
  const body = (lines: number): string => '  a();\n'.repeat(lines - 2);
  const files = (lines: number): Record<string, string> => ({
    'packages/geo/src/a.ts': `export function f(): void {\n${body(lines)}}\n`,
    'apps/server/test/a.test.ts': `test('a', async () => {\n${body(lines)}});\n`,
    'apps/web/src/A.tsx': `export const A = (): ReactNode => {\n${body(lines)}};\n`,
    'bench/a.ts': `class A {\n  f() {\n${body(lines)}  }\n}\n`,
  });
  assert.deepEqual(broken(files(60)), []);
  assert.deepEqual(
    broken(files(61)),
    Object.keys(files(61)).map((file) => `long ${file}`),
  );
});

test('an exported name means one thing', () => {
  const files = {
    'packages/geo/src/a.ts': 'export interface Place {}\n',
    'apps/server/src/tiles/b.ts': 'export const Place = 1;\n',
    'apps/server/src/tiles/c.ts': 'const Place = 2;\nexport { Place };\n',
  };
  assert.deepEqual(broken(files), ['name packages/geo/src/a.ts']);
});

test('an exported value is used in another file', () => {
  const used = { 'apps/server/src/tiles/b.ts': "import { pixelOf } from '@cartulary/geo';\npixelOf();\n" };
  const files = {
    'packages/geo/src/a.ts': 'export const pixelOf = (): number => 1;\nexport type Unnamed = 1;\n',
  };
  assert.deepEqual(broken({ ...files, ...used }), []);
  assert.deepEqual(broken(files), ['unused packages/geo/src/a.ts']);
});

test('a comment describes each function that a package exports', () => {
  const door = { 'packages/geo/src/index.ts': "export { tileOf, type Tile } from './tile.js';\n" };
  const tile = (comment: string): Record<string, string> => ({
    ...door,
    'packages/geo/src/tile.ts': `export interface Tile {}\n\n${comment}export function tileOf(): void {}\nconst inner = 1;\n`,
  });
  assert.deepEqual(broken(tile('')), ['docstring packages/geo/src/tile.ts']);
  assert.deepEqual(broken(tile('/** The tile of a position. */\n')), []);
});
