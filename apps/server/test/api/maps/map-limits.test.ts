import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '@cartulary/sql/internal/sql.js';
import { freshCode, startServer, type TestServer } from '../../support/server.js';
import { outcome } from '../access/people.js';

const mostBytes = 65_536;

let server: TestServer;
before(async () => {
  server = await startServer({
    CARTULARY_MAP_ITEMS: '3',
    CARTULARY_MAP_SIZE: String(mostBytes),
    CARTULARY_MAP_COLUMNS: '100',
  });
});
after(() => server?.stop());

const admin = (method: string, path: string, body?: unknown) =>
  outcome(server, method, path, { token: server.adminToken, body });

const refused = [400, 'bad_request'];

/** A style of about so many bytes. */
const styleOf = (bytes: number): string => `/* ${'x'.repeat(bytes)} */ #layer { polygon-fill: #ff0000; }`;

test('a map has at most so many folders and layers as the setting says', async () => {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  await server.admin('POST', `/${map}/folders/`, { code: 'f' });
  await server.admin('POST', `/${map}/folders/`, { code: 'g' });
  await server.admin('POST', `/${map}/layers/`, { code: 'a' });
  for (const path of [`/${map}/folders/`, `/${map}/layers/`]) {
    assert.deepEqual(await admin('POST', path, { code: 'h' }), refused);
  }
  const tree = await server.admin('GET', `/${map}/layers/?type=full`);
  assert.deepEqual(tree.map(({ code }: { code: string }) => code).toSorted(), ['a', 'f', 'g']);
  assert.equal((await server.admin('PATCH', `/${map}/layers/a/`, { name: 'A' })).name, 'A');
  const [{ id }] = tree;
  const items = [1, 2, 3, 4].map((item) => ({ id: item, parent_id: 0, map_layer_id: id }));
  assert.deepEqual(await admin('POST', `/${map}/publish/`, items), refused, 'a publication tree');
  assert.equal((await server.admin('POST', `/${map}/publish/`, items.slice(1))).length, 3);
  await server.admin('DELETE', `/${map}/folders/g/`);
  assert.equal((await server.admin('POST', `/${map}/layers/`, { code: 'h' })).code, 'h');
});

test('the styles and settings of a map have at most so many bytes in total', async () => {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  await server.admin('POST', `/${map}/layers/`, { code: 'a', css_style: styleOf(40_000) });
  await server.admin('POST', `/${map}/layers/`, { code: 'b' });
  const { css_style: before } = await server.admin('GET', `/${map}/layers/b/`);
  const style = { css_style: styleOf(40_000) };
  assert.deepEqual(await admin('PATCH', `/${map}/layers/b/`, style), refused);
  assert.deepEqual(await admin('POST', `/${map}/layers/`, { code: 'c', ...style }), refused);
  assert.deepEqual(await admin('PATCH', `/${map}/`, { comment: 'x'.repeat(40_000) }), refused);
  assert.deepEqual(await admin('POST', `/${map}/folders/`, { json: { k: noise(60_000) } }), refused);
  assert.equal((await server.admin('GET', `/${map}/layers/b/`)).css_style, before);

  // What is beyond already may become smaller, but not larger.
  await server.db.query(sql`
    update cartulary.container set css_style = ${styleOf(80_000)} where code = 'b' and map_id =
      (select id from cartulary.container where type = 'map' and code = ${map})`);
  assert.deepEqual(await admin('PATCH', `/${map}/layers/b/`, { css_style: styleOf(90_000) }), refused);
  assert.equal((await server.admin('PATCH', `/${map}/layers/b/`, { css_style: styleOf(70_000) })).code, 'b');
});

/** Text that does not become much shorter when it is compressed. */
const noise = (length: number): string =>
  Array.from({ length }, (_, i) => String.fromCharCode(33 + (((i * i * 7_919 + 31 * i) % 8_191) % 90))).join(
    '',
  );

test('a draft that would make the styles of its map too large is not published', async () => {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  await server.admin('POST', `/${map}/layers/`, { code: 'a', css_style: styleOf(40_000) });
  await server.admin('POST', `/${map}/layers/`, { code: 'b' });
  await server.admin('PUT', `/${map}/layers/b/draft/`, { css_style: styleOf(40_000) });
  assert.deepEqual(await admin('POST', `/${map}/layers/b/draft/publish/`), refused);
  assert.equal((await server.admin('GET', `/${map}/layers/b/draft/`)).css_style, styleOf(40_000));
});

test('the layers of a map have at most so many columns together', async () => {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  for (const code of ['wide', 'narrow']) await server.admin('POST', `/${map}/layers/`, { code });
  assert.equal((await importProperties(map, 'wide', 92)).import.added, 1);
  // svc_id and geom count, too: `wide` has 94.
  const add = (code: string) => admin('POST', `/${map}/layers/narrow/structure/`, { code, type: 'string' });
  for (const code of ['a', 'b', 'c', 'd']) assert.equal((await add(code))[0], 200);
  assert.deepEqual(await add('e'), refused);
  await assert.rejects(importProperties(map, 'narrow', 1), /import_failed/);
  assert.equal((await importProperties(map, 'wide', 92)).import.added, 1, 'no column is added');
  const json = { query: `select svc_id, geom, a from "${map}".narrow` };
  const query = () => admin('POST', `/${map}/layers/`, { code: 'query', type: 'virtual', json });
  assert.deepEqual(await query(), [500, 'query_invalid']);
  for (const code of ['b', 'c', 'd'])
    await server.admin('DELETE', `/${map}/layers/narrow/structure/${code}/`);
  assert.equal((await query())[0], 200);
  assert.deepEqual(await add('b'), refused, 'the columns of the query count');

  // What is beyond already may stay.
  await server.db.query(sql`
    insert into cartulary.layer_column (layer_id, code, type)
    select id, 'before', 'string' from cartulary.container where code = 'wide'
      and map_id = (select id from cartulary.container where type = 'map' and code = ${map})`);
  assert.equal((await server.admin('PATCH', `/${map}/layers/query/`, { json })).code, 'query');
});

/** Imports one object with so many properties. */
function importProperties(map: string, layer: string, count: number): Promise<any> {
  const properties = Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, i]));
  const feature = { type: 'Feature', geometry: { type: 'Point', coordinates: [8, 47] }, properties };
  const form = new FormData();
  form.append('file', new Blob([JSON.stringify(feature)]), 'one.geojson');
  return server.admin('POST', `/${map}/layers/${layer}/import/`, form);
}
