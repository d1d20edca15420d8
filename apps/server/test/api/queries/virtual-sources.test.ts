import assert from 'node:assert/strict';
import test from 'node:test';
import { prepareQueryRole } from '@cartulary/database/internal/query-role.js';
import { ident, sql } from '@cartulary/sql/internal/sql.js';
import { freshCode, startServer } from '../../support/server.js';

const server = await startServer({ CARTULARY_QUERY_ROWS: '1000', CARTULARY_QUERY_TIMEOUT: '1500' });
test.after(() => server.stop());
const { admin, request, db } = server;

const asAdmin = (method: string, path: string, body?: unknown) =>
  request(method, path, { token: server.adminToken, body });

/** Creates a map with a layer `l` of one point with the text `a` and the number `n`. */
async function place(): Promise<string> {
  const map = freshCode('m');
  await admin('POST', '/', { code: map });
  await admin('POST', `/${map}/layers/`, { code: 'l' });
  await admin('POST', `/${map}/layers/l/structure/`, { code: 'a', type: 'string' });
  await admin('POST', `/${map}/layers/l/structure/`, { code: 'n', type: 'number' });
  await add(map, 'one', 10);
  return map;
}

const add = (map: string, a: string, x: number) =>
  admin('POST', `/${map}/layers/l/objects/`, {
    fields: { a, n: x },
    geom: { type: 'Point', coordinates: [x, x] },
  });

const virtual = (map: string, code: string, query: string, type = 'virtual') =>
  admin('POST', `/${map}/layers/`, { code, type, json: { query } });

async function person(login: string, rights: [path: string, right: string | null][]): Promise<string> {
  await admin('POST', '/users/', { login, password: 'long-enough', publicAccess: false });
  for (const [path, right] of rights) await admin('PUT', `${path}rights/`, { user: login, right });
  const { json } = await request('POST', '/login/', { body: { login, password: 'long-enough' } });
  return json.token;
}

test('callers who may not view a source layer see nothing of the virtual one', async () => {
  const map = await place();
  await admin('POST', `/${map}/layers/`, { code: 'open' });
  const v = await virtual(map, 'v', `select * from ${map}.l`);
  const outer = await virtual(map, 'outer', `select * from ${map}.v`);
  const token = await person('curious', [[`/${map}/`, 'edit']]);
  const as = (method: string, path: string, body?: unknown) => request(method, path, { token, body });
  assert.equal((await as('GET', `/${map}/layers/v/objects/?fields=*`)).json.length, 1);
  assert.equal((await request('GET', `/${map}/layers/v/objects/?fields=*`)).json.length, 1, 'the public');

  for (const user of ['curious', 'public'])
    await admin('PUT', `/${map}/layers/l/rights/`, { user, right: 'none' });
  for (const layer of ['v', 'outer']) {
    for (const path of [
      '',
      'objects/',
      'objects/1/',
      'count/',
      'structure/',
      'bbox/',
      'icon/',
      'export/?format=geojson',
    ])
      assert.equal((await as('GET', `/${map}/layers/${layer}/${path}`)).status, 403, `${layer}/${path}`);
    assert.equal((await as('DELETE', `/${map}/layers/${layer}/`)).status, 403);
  }
  for (const type of ['full', 'publish']) {
    const tree = (await as('GET', `/${map}/layers/?type=${type}&returnBbox=1`)).json;
    assert.deepEqual(
      tree.map(({ code }: { code: string }) => code),
      ['open'],
    );
  }
  assert.deepEqual((await as('GET', `/${map}/search/?phrase=one`)).json, []);
  for (const { id } of [v, outer])
    assert.equal((await as('GET', `//tms/demo/${map}/?z=0&x=0&y=0&layers=${id}`)).status, 403);
  const made = await as('POST', `/${map}/layers/`, {
    type: 'virtual',
    json: { query: `select * from ${map}.l` },
  });
  const absent = await as('POST', `/${map}/layers/`, {
    type: 'virtual',
    json: { query: `select * from ${map}.k` },
  });
  assert.equal(made.json.code, 'query_invalid');
  assert.equal(made.json.message.replace(`${map}.l`, ''), absent.json.message.replace(`${map}.k`, ''));
  assert.equal((await asAdmin('GET', `/${map}/layers/outer/count/`)).json, 1, 'others see it as before');
});

test('a write to a layer is seen at once through the layers over it', async () => {
  const map = await place();
  await virtual(map, 'v', `select * from ${map}.l`);
  const outer = await virtual(map, 'outer', `select svc_id, geom, upper(a) as a from ${map}.v`);
  const tile = () => asAdmin('GET', `//tms/demo/${map}/?z=2&x=2&y=2&base=0&layers=${outer.id}`);
  const before = await tile();
  assert.equal(before.status, 200);
  await add(map, 'two', 40);
  const after = await tile();
  assert.notEqual(after.headers.get('etag'), before.headers.get('etag'));
  assert.notDeepEqual(after.bytes, before.bytes);
  assert.equal((await asAdmin('GET', `/${map}/layers/outer/count/`)).json, 2);
  assert.deepEqual((await asAdmin('GET', `/${map}/layers/outer/bbox/`)).json.ne, [40, 40]);
});

test('a new query, and one after it, never have the version of an earlier one', async () => {
  const map = await place();
  const { id } = await virtual(map, 'v', `select * from ${map}.l`);
  const seen = new Set<number>();
  const version = async () => {
    const [row] = await db.query<{ v: number }>(sql`select cartulary.data_version(${id}) as v`);
    return row!.v;
  };
  seen.add(await version());
  for (const query of [`select 1 as svc_id`, `select * from ${map}.l`, 'select 2 as svc_id']) {
    await admin('PATCH', `/${map}/layers/v/`, { json: { query } });
    const now = await version();
    assert.ok(!seen.has(now), `${now}`);
    seen.add(now);
    await add(map, 'more', 1);
    seen.add(await version());
  }
});

test('a source layer is deleted only by force, and its readers name what they lack', async () => {
  const map = await place();
  const elsewhere = await place();
  await virtual(elsewhere, 'v', `select * from ${map}.l`);
  const outer = await virtual(elsewhere, 'outer', `select * from ${elsewhere}.v`);
  await virtual(elsewhere, 'stored', `select * from ${map}.l`, 'material');
  const refused = await asAdmin('DELETE', `/${map}/layers/l/`);
  assert.equal(refused.status, 400);
  assert.match(refused.text, new RegExp(`${elsewhere}\\.v`));
  const whole = await asAdmin('DELETE', `/${map}/`);
  assert.equal(whole.status, 400);
  assert.match(whole.text, new RegExp(`from here: ${elsewhere}\\.stored, ${elsewhere}\\.v; change`));
  assert.equal((await asAdmin('GET', `/${map}/layers/l/count/`)).json, 1);

  assert.equal((await asAdmin('DELETE', `/${map}/layers/l/?force=1`)).status, 200);
  for (const path of [
    'v/objects/',
    'outer/objects/',
    'v/count/',
    'v/bbox/',
    'v/icon/',
    'v/export/?format=csv',
  ]) {
    const answer = await asAdmin('GET', `/${elsewhere}/layers/${path}`);
    assert.equal(answer.json?.code, 'query_invalid', `${path}: ${answer.text}`);
    assert.equal(answer.json.data.layer, `${map}.l`);
  }
  const tile = await asAdmin('GET', `//tms/demo/${elsewhere}/?z=0&x=0&y=0&layers=${outer.id}`);
  assert.equal(tile.json?.code, 'query_invalid');
  assert.equal(tile.headers.get('cache-control'), 'no-store');
  const tree = await admin('GET', `/${elsewhere}/layers/?type=full&returnBbox=1`);
  assert.equal(tree.find(({ code }: { code: string }) => code === 'v').bbox, null);
  assert.deepEqual((await asAdmin('GET', `/${elsewhere}/search/?phrase=nothing`)).json, []);
  assert.equal((await asAdmin('GET', `/${elsewhere}/layers/v/`)).json.json.query, `select * from ${map}.l`);
  assert.equal((await asAdmin('GET', `/${elsewhere}/layers/stored/count/`)).json, 1, 'what is stored stays');
  assert.equal((await asAdmin('POST', `/${elsewhere}/layers/stored/refresh/`)).json.code, 'query_invalid');

  await admin('PATCH', `/${elsewhere}/layers/v/`, { name: 'Broken' });
  const still = await asAdmin('PATCH', `/${elsewhere}/layers/v/`, {
    json: { query: `select * from ${map}.l` },
  });
  assert.equal(still.json.code, 'query_invalid');
  await admin('PATCH', `/${elsewhere}/layers/v/`, { json: { query: `select * from ${elsewhere}.l` } });
  assert.equal((await asAdmin('GET', `/${elsewhere}/layers/v/count/`)).json, 1);
});

test('codes of maps, layers and columns that are read may change, as far as the query bears it', async () => {
  const map = await place();
  await virtual(map, 'v', `select l.svc_id, l.a, t.n from ${map}.l join ${map}.l t on t.svc_id = l.svc_id`);
  await admin('PATCH', `/${map}/layers/l/`, { code: 'New-Code' });
  const renamed = `${map}2`;
  await admin('PATCH', `/${map}/`, { code: renamed });
  const { json } = await admin('GET', `/${renamed}/layers/v/`);
  assert.equal(
    json.query,
    `select l.svc_id, l.a, t.n from "${renamed}"."New-Code" as "l" join "${renamed}"."New-Code" t on t.svc_id = l.svc_id`,
  );
  assert.equal((await asAdmin('GET', `/${renamed}/layers/v/objects/?fields=*`)).json.length, 1);
  await admin('PATCH', `/${renamed}/layers/v/`, { json: { query: `${json.query} ` } });

  const column = `/${renamed}/layers/New-Code/structure/`;
  for (const [method, path, body] of [
    ['PATCH', 'a/', { type: 'string', code: 'b' }],
    ['DELETE', 'n/', undefined],
  ] as const) {
    const refused = await asAdmin(method, `${column}${path}`, body);
    assert.equal(refused.status, 400, refused.text);
  }
  await admin('PATCH', `${column}n/`, { type: 'string' });
  const structure = await admin('GET', `/${renamed}/layers/v/structure/`);
  assert.equal(structure.find(({ code }: { code: string }) => code === 'n').type, 'string');
  await admin('POST', column, { code: 'extra', type: 'bool' });
  await admin('DELETE', `${column}extra/`);

  await admin('PATCH', `/${renamed}/layers/v/`, { json: { query: `select * from "${renamed}"."New-Code"` } });
  await admin('POST', column, { code: 'extra', type: 'bool' });
  const all = await admin('GET', `/${renamed}/layers/v/structure/`);
  assert.ok(
    all.some(({ code }: { code: string }) => code === 'extra'),
    'a star gives new columns',
  );
  await admin('POST', `/${renamed}/layers/New-Code/import/`, {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: { brought: 'x' }, geometry: null }],
  });
  const brought = await admin('GET', `/${renamed}/layers/v/objects/?fields=brought`);
  assert.deepEqual(
    brought.map((object: { fields: { brought: string } }) => object.fields.brought),
    [null, 'x'],
  );
});

test('virtual layers over virtual layers: no circle, no more than five', async () => {
  const map = await place();
  await virtual(map, 'v1', `select * from ${map}.l`);
  for (const n of [2, 3, 4, 5]) await virtual(map, `v${n}`, `select * from ${map}.v${n - 1}`);
  const deep = await asAdmin('POST', `/${map}/layers/`, {
    type: 'virtual',
    json: { query: `select * from ${map}.v5` },
  });
  assert.equal(deep.json.code, 'query_invalid');
  for (const n of [1, 3, 5]) {
    const circle = await asAdmin('PATCH', `/${map}/layers/v1/`, {
      json: { query: `select * from ${map}.v${n}` },
    });
    assert.equal(circle.json.code, 'query_invalid', circle.text);
  }
  await admin('PATCH', `/${map}/layers/v1/`, { json: { query: `select svc_id, geom, a from ${map}.l` } });
  const v5 = await admin('GET', `/${map}/layers/v5/structure/`);
  assert.deepEqual(
    v5.map(({ code }: { code: string }) => code),
    ['svc_id', 'geom', 'a'],
  );
  await admin('DELETE', `/${map}/`);
});

test('limits: rows, time, and the answers of a broken layer', async () => {
  const map = await place();
  await add(map, 'two', 20);
  const rows = Array.from({ length: 12 }, (_, i) => `${map}.l t${i}`).join(', ');
  const many = await asAdmin('POST', `/${map}/layers/`, {
    type: 'virtual',
    json: { query: `select row_number() over () as svc_id from ${rows}` },
  });
  assert.equal(many.json.code, 'query_invalid');
  assert.match(many.json.message, /1000 rows/);
  const endless = Array.from({ length: 40 }, (_, i) => `${map}.l t${i}`).join(', ');
  const late = await asAdmin('POST', `/${map}/layers/`, {
    type: 'virtual',
    json: { query: `select 1::bigint as svc_id from (select count(*) from ${endless}) c` },
  });
  assert.equal(late.json?.code, 'query_invalid', late.text);
  assert.match(late.json.message, /too long/);
  assert.equal((await asAdmin('GET', `/${map}/layers/l/count/`)).json, 2, 'the service goes on');

  const doubled = Array.from({ length: 40 }).reduce<string>(
    (inner) => `select svc_id, a || a as a from (${inner}) t`,
    `select svc_id, a from ${map}.l`,
  );
  const huge = await asAdmin('POST', `/${map}/layers/`, { type: 'virtual', json: { query: doubled } });
  assert.equal(huge.json?.code, 'query_invalid', huge.text);
  assert.equal((await asAdmin('GET', `/${map}/layers/l/count/`)).json, 2, 'the service goes on');

  const times8 = (layer: string) =>
    `select svc_id, ${Array(8).fill('a').join(' || ')} as a from ${map}.${layer}`;
  await virtual(map, 'd1', `select * from ${map}.l`);
  await virtual(map, 'd2', times8('d1'));
  await virtual(map, 'd3', times8('d2'));
  await virtual(map, 'd4', times8('d3'));
  await virtual(map, 'd5', times8('d4'));
  const grown = await asAdmin('PATCH', `/${map}/layers/d1/`, { json: { query: times8('l') } });
  assert.equal(grown.status, 400, 'the layers over it would be too large');

  await virtual(map, 'v', `select svc_id, geom, 1 / n as inverse from ${map}.l`);
  await add(map, 'zero', 0);
  const failing = await asAdmin('GET', `/${map}/layers/v/objects/?fields=*`);
  assert.equal(failing.json?.code, 'query_invalid', failing.text);
  assert.equal((await asAdmin('GET', `/${map}/layers/l/objects/`)).status, 200);
});

test('the view of a virtual layer can read only the named layers', async () => {
  const map = await place();
  const { id } = await virtual(map, 'v', `select * from ${map}.l`);
  const [view] = await db.query<{ owner: string }>(sql`
    select pg_get_userbyid(relowner) as owner from pg_class where oid = ${`cartulary_data.layer_${id}`}::text::regclass`);
  assert.equal(view!.owner, 'cartulary_query');
  const as = (statement: ReturnType<typeof sql>) =>
    db.transaction(async (tx) => {
      await tx.query(sql`set local role cartulary_query`);
      return tx.query(statement);
    });
  for (const forbidden of [
    sql`select * from cartulary.account`,
    sql`select pg_read_file('/etc/passwd')`,
    sql`select lo_import('/etc/passwd')`,
    sql`create table cartulary.x (a integer)`,
  ])
    await assert.rejects(as(forbidden), /permission denied/);
});

test('a view that came to belong to another is given back to the role at the start', async () => {
  const map = await place();
  const { id } = await virtual(map, 'v', `select * from ${map}.l`);
  const view = ident('cartulary_data', `layer_${id}`);
  await db.transaction((tx) => tx.query(sql`alter view ${view} owner to session_user`));
  await db.transaction((tx) => tx.query(sql`revoke select on ${view} from cartulary_query`));
  assert.equal(await prepareQueryRole(db), undefined);
  const [owned] = await db.query<{ owner: string }>(sql`
    select pg_get_userbyid(relowner) as owner from pg_class where oid = ${`cartulary_data.layer_${id}`}::text::regclass`);
  assert.equal(owned!.owner, 'cartulary_query');
  assert.equal((await asAdmin('GET', `/${map}/layers/v/count/`)).json, 1);
});

test('listDepended names the layers elsewhere that read a map', async () => {
  const map = await place();
  const elsewhere = await place();
  await virtual(map, 'own', `select * from ${map}.l`);
  const v = await virtual(elsewhere, 'v', `select * from ${map}.l`);
  const m = await virtual(elsewhere, 'm', `select * from ${map}.l`, 'material');
  const maps = await admin('GET', '/maps/public/');
  const item = (code: string) => maps.find((one: { code: string }) => one.code === code);
  assert.deepEqual(item(map).listDepended, [v.id, m.id]);
  assert.deepEqual(item(elsewhere).listDepended, []);
});
