import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '@cartulary/sql/internal/sql.js';
import { freshCode, startServer, type TestServer } from '../../support/server.js';
import { outcome } from '../access/people.js';

const mostBytes = 65_536;

let server: TestServer;
before(async () => {
  server = await startServer({ CARTULARY_MAP_ITEMS: '3', CARTULARY_MAP_SIZE: String(mostBytes) });
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
