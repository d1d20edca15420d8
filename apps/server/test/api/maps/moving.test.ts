import assert from 'node:assert/strict';
import test from 'node:test';
import { freshCode, startServer, type TestServer } from '../../support/server.js';
import { outcome, signIn } from '../access/people.js';

let server: TestServer;
test.before(async () => {
  server = await startServer();
});
test.after(() => server.stop());

interface Item {
  id: number;
  code: string;
  parent_id: number;
  access?: number;
}

/** A map with the folders a (layer x, folder c) and b (layer y). */
async function newMap(): Promise<{ code: string; ids: Record<string, number> }> {
  const map = await server.admin('POST', '/', { code: freshCode('m'), has_publication: false });
  const ids: Record<string, number> = { map: map.id };
  for (const [code, kind, parent] of [
    ['a', 'folders', 'map'],
    ['b', 'folders', 'map'],
    ['x', 'layers', 'a'],
    ['c', 'folders', 'a'],
    ['y', 'layers', 'b'],
  ] as const)
    ids[code] = (await server.admin('POST', `/${map.code}/${kind}/`, { code, parent_id: ids[parent] })).id;
  return { code: map.code, ids };
}

/** The tree as `a(x c)b(y)`. */
function drawn(items: readonly Item[], parent: number): string {
  return items
    .filter((item) => item.parent_id === parent)
    .map(({ code, id }) => {
      const inside = drawn(items, id);
      return inside ? `${code}(${inside})` : code;
    })
    .join(' ');
}

test('folders and layers move within and between folders', async () => {
  const { code, ids } = await newMap();
  const moved = async (item: string, parent: string, sort?: number): Promise<string> => {
    const body = { id: ids[item], parent_id: ids[parent], sort };
    return drawn(await server.admin<Item[]>('POST', `/${code}/move/`, body), ids.map!);
  };
  assert.equal(await moved('c', 'map'), 'a(x) b(y) c');
  assert.equal(await moved('c', 'map', 0.5), 'c a(x) b(y)');
  assert.equal(await moved('c', 'map', 2.5), 'a(x) c b(y)');
  assert.equal(await moved('x', 'b', 0.5), 'a c b(x y)');
  assert.equal(await moved('b', 'c'), 'a c(b(x y))');
  assert.equal(await moved('c', 'a', 1), 'a(c(b(x y)))');
  const read = await server.admin<Item[]>('GET', `/${code}/layers/?type=full`);
  assert.equal(drawn(read, ids.map!), 'a(c(b(x y)))');
});

test('what cannot be moved is refused, and the tree stays', async () => {
  const { code, ids } = await newMap();
  const other = await newMap();
  const move = (body: object) =>
    outcome(server, 'POST', `/${code}/move/`, { token: server.adminToken, body });
  assert.deepEqual(await move({ id: ids.a, parent_id: ids.a }), [400, 'bad_request']);
  assert.deepEqual(await move({ id: ids.a, parent_id: ids.c }), [400, 'bad_request']);
  assert.deepEqual(await move({ id: ids.map, parent_id: ids.a }), [404, 'container_not_found']);
  assert.deepEqual(await move({ id: other.ids.x, parent_id: ids.a }), [404, 'container_not_found']);
  assert.deepEqual(await move({ id: ids.x, parent_id: other.ids.a }), [404, 'container_not_found']);
  assert.deepEqual(await move({ id: ids.x, parent_id: ids.y }), [404, 'container_not_found']);
  assert.deepEqual(await move({ id: ids.x, parent_id: 2 ** 40 }), [404, 'container_not_found']);
  const items = await server.admin<Item[]>('GET', `/${code}/layers/?type=full`);
  assert.equal(drawn(items, ids.map!), 'a(x c) b(y)');
});

test('of two who move at once the second is told', async () => {
  const { code, ids } = await newMap();
  const tree = await server.request('GET', `/${code}/layers/?type=full`, { token: server.adminToken });
  const etag = tree.headers.get('etag')!;
  const move = (item: string) =>
    server.request('POST', `/${code}/move/`, {
      token: server.adminToken,
      headers: { 'if-match': etag, accept: 'application/json' },
      body: { id: ids[item], parent_id: ids.map },
    });
  const first = await move('x');
  assert.equal(first.status, 200);
  assert.notEqual(first.headers.get('etag'), etag);
  const second = await move('y');
  assert.equal(second.status, 412);
  assert.equal(drawn(second.json.data.present, ids.map!), 'a(c) b(y) x');
});

test('moving needs the rights that a change needs; returnAccess tells them', async () => {
  const { code, ids } = await newMap();
  const token = await signIn(server);
  const { login } = (await server.request('GET', '/users/info/', { token })).json;
  const move = (item: string) =>
    outcome(server, 'POST', `/${code}/move/`, { token, body: { id: ids[item], parent_id: ids.map } });
  const grant = (path: string, right: string) =>
    server.admin('PUT', `/${code}/${path}rights/`, { user: login, right });
  assert.deepEqual(await move('x'), [403, 'forbidden']);
  await grant('', 'view');
  assert.deepEqual(await move('x'), [403, 'forbidden']);
  await grant('', 'edit');
  await grant('layers/x/', 'view');
  await grant('layers/y/', 'administer');
  assert.deepEqual(await move('x'), [403, 'forbidden']);
  assert.deepEqual((await move('y'))[0], 200);
  const { json } = await server.request('GET', `/${code}/layers/?type=full&returnAccess=1`, { token });
  const access = Object.fromEntries((json as Item[]).map((item) => [item.code, item.access]));
  assert.deepEqual(access, { a: 2, b: 2, c: 2, x: 1, y: 3 });
  await grant('layers/x/', 'none');
  assert.deepEqual(await move('x'), [404, 'container_not_found']);
});

test('versions tell what has changed of a map and a layer', async () => {
  const { code, ids } = await newMap();
  const token = await signIn(server);
  const { login } = (await server.request('GET', '/users/info/', { token })).json;
  await server.admin('PUT', `/${code}/rights/`, { user: login, right: 'view' });
  const read = async (layer = 'x') =>
    (await server.request('GET', `/${code}/versions/?layer=${layer}`, { token })).json;
  const etagOf = async (path: string) =>
    (await server.request('GET', path, { token: server.adminToken })).headers.get('etag');
  const first = await read();
  assert.deepEqual(first, {
    map: await etagOf(`/${code}/`),
    trees: await etagOf(`/${code}/layers/`),
    layer: {
      etag: await etagOf(`/${code}/layers/x/`),
      structure: await etagOf(`/${code}/layers/x/structure/`),
      data: first.layer.data,
    },
  });
  const changed = async (act: () => Promise<unknown>): Promise<string[]> => {
    const before = await read();
    await act();
    const after = await read();
    const parts = [...['map', 'trees'].map((key) => [before[key], after[key], key])];
    for (const key of Object.keys(before.layer)) parts.push([before.layer[key], after.layer[key], key]);
    return parts.flatMap(([one, other, key]) => (one === other ? [] : key));
  };
  const layer = `/${code}/layers/x`;
  const column = { code: 'a', type: 'string' };
  assert.deepEqual(await changed(() => server.admin('PATCH', `/${code}/`, { name: 'A' })), ['map']);
  assert.deepEqual(
    await changed(() => server.admin('POST', `/${code}/move/`, { id: ids.b, parent_id: ids.map, sort: 0.5 })),
    ['trees'],
  );
  assert.deepEqual(await changed(() => server.admin('PATCH', `${layer}/`, { name: 'X' })), ['etag']);
  assert.deepEqual(await changed(() => server.admin('POST', `${layer}/structure/`, column)), [
    'structure',
    'data',
  ]);
  const object = { fields: { a: '1' } };
  assert.deepEqual(await changed(() => server.admin('POST', `${layer}/objects/`, object)), ['data']);
  assert.equal((await read('a')).layer, null, 'a folder');
  await server.admin('PUT', `${layer}/rights/`, { user: login, right: 'none' });
  assert.equal((await read()).layer, null, 'a layer that may not be viewed');
});
