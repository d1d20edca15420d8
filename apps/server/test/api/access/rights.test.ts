import assert from 'node:assert/strict';
import test from 'node:test';
import { startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
test.before(async () => {
  server = await startServer();
});
test.after(() => server.stop());

const names = ['none', 'view', 'edit', 'administer'] as const;

/** An independent implementation of the rule of rights: the nearest grant per principal, the highest over the principals. */
function expected(
  grants: Record<string, (number | null)[]>,
  publish: boolean,
  publicAccess: boolean,
): number {
  const nearest = (levels: (number | null)[]): number => levels[2] ?? levels[1] ?? levels[0] ?? 0;
  const principals = [
    nearest(grants.bob!),
    nearest(grants.staff!),
    ...(publish && publicAccess ? [nearest(grants.public!)] : []),
  ];
  return Math.max(...principals);
}

test('the right of a user is the highest over itself, its groups and the public, each by its nearest grant', async () => {
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'l' });
  await server.admin('POST', '/users/', { login: 'bob', password: 'long-enough', groups: ['staff'] });
  const { token } = (
    await server.request('POST', '/login/', { body: { login: 'bob', password: 'long-enough' } })
  ).json;
  const targets = ['/rights/', '/m/rights/', '/m/layers/l/rights/'];
  let seed = 7;
  const random = (n: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * n);
  };
  for (let round = 0; round < 60; round++) {
    const grants: Record<string, (number | null)[]> = { bob: [], staff: [], public: [] };
    for (const [i, path] of targets.entries()) {
      const levels = Object.keys(grants).map((who) => {
        const level = random(5) - 1;
        grants[who]![i] = level < 0 ? null : level;
        return { [who === 'staff' ? 'group' : 'user']: who, right: level < 0 ? null : names[level] };
      });
      await server.admin('PUT', path, levels);
    }
    const publish = random(3) > 0;
    const publicAccess = random(3) > 0;
    await server.db.transaction(async (tx) => {
      const { sql } = await import('@cartulary/sql/internal/sql.js');
      await tx.query(
        sql`update cartulary.container set publish = ${publish}, version = version + 1 where code = 'm'`,
      );
      await tx.query(sql`update cartulary.account set public_access = ${publicAccess} where login = 'bob'`);
    });
    const right = expected(grants, publish, publicAccess);
    const explained = await server.admin('GET', '/rights/explain/?login=bob&map=m&layer=l');
    const situation = JSON.stringify({ grants, publish, publicAccess });
    assert.equal(explained.right, names[right], situation);
    const view = await server.request('GET', '/m/layers/l/structure/', { token });
    assert.equal(view.status, right >= 1 ? 200 : 403, situation);
    const edit = await server.request('PATCH', '/m/layers/l/', { token, body: { json: { round } } });
    assert.equal(edit.status, right >= 2 ? 200 : 403, situation);
  }
});

test('grants are listed, replaced, inherited again, and refused by name', async () => {
  await server.admin('PUT', '/rights/', [
    { user: 'bob', right: null },
    { group: 'staff', right: null },
    { user: 'public', right: null },
  ]);
  assert.deepEqual(await server.admin('GET', '/rights/'), []);
  assert.deepEqual(await server.admin('PUT', '/rights/', { group: 'staff', right: 'edit' }), [
    { group: 'staff', right: 'edit' },
  ]);
  const unknown = await server.request('PUT', '/rights/', {
    token: server.adminToken,
    body: [
      { user: 'bob', right: 'view' },
      { user: 'ghost', right: 'view' },
    ],
  });
  assert.deepEqual([unknown.status, unknown.text.includes('ghost')], [404, true]);
  assert.deepEqual(
    await server.admin('GET', '/rights/'),
    [{ group: 'staff', right: 'edit' }],
    'all or nothing',
  );
  assert.equal(
    (
      await server.request('PUT', '/rights/', {
        token: server.adminToken,
        body: { user: 'bob', right: 'own' },
      })
    ).status,
    400,
  );
});

test('a withdrawn map and a hidden layer are omitted and refused, also from warm caches', async () => {
  await server.admin('POST', '/', { code: 'w' });
  for (const code of ['open', 'hidden']) {
    await server.admin('POST', '/w/layers/', {
      code,
      css_style: `#${code} { marker-fill: ${code === 'hidden' ? '#f00' : '#00f'}; marker-width: 40; marker-allow-overlap: true; }`,
    });
    await server.admin('POST', `/w/layers/${code}/objects/`, {
      fields: {},
      geom: { type: 'Point', coordinates: [0.1, 0.1] },
    });
  }
  const tile = (token?: string) =>
    server.request('GET', '//tms/demo/w/?z=1&x=1&y=1', token === undefined ? {} : { token });
  const both = await tile();
  assert.equal(both.status, 200);
  await server.admin('PUT', '/w/layers/hidden/rights/', { user: 'public', right: 'none' });
  const one = await tile();
  assert.notDeepEqual(one.bytes, both.bytes, 'the hidden layer is not drawn');
  assert.deepEqual((await tile(server.adminToken)).bytes, both.bytes, 'who may view it still sees it');
  const tree = await server.request('GET', '/w/layers/');
  assert.deepEqual(
    tree.json.map((item: any) => item.code),
    ['open'],
  );
  const { id } = await server.admin('GET', '/w/layers/hidden/');
  assert.equal((await server.request('GET', `//tms/demo/w/?z=1&x=1&y=1&layers=${id}`)).status, 403);
  for (const path of ['', 'structure/', 'objects/', 'count/', 'bbox/', 'export/?format=geojson', 'icon/']) {
    assert.equal((await server.request('GET', `/w/layers/hidden/${path}`)).status, 403, path);
  }
  await server.admin('PATCH', '/w/', { publish: false });
  for (const path of ['/w/', '/w/layers/', '/w/layers/open/objects/', '//tms/demo/w/?z=1&x=1&y=1']) {
    assert.equal((await server.request('GET', path)).status, 403, path);
  }
  await server.admin('PATCH', '/w/', { publish: true });
  assert.equal((await tile()).status, 200);
  await server.admin('PATCH', '/w/', { has_publication: false });
  assert.equal((await tile()).status, 403);
  assert.equal((await server.admin('GET', '/w/')).has_publication, false);
});

test('the overview has all users, groups and grants of the project, and of no other', async () => {
  await server.admin('POST', '/', { code: 'seen' });
  await server.admin('POST', '/seen/layers/', { code: 'part' });
  await server.admin('PUT', '/seen/layers/part/rights/', { group: 'staff', right: 'none' });
  const { users, groups, grants } = await server.admin('GET', '/rights/overview/');
  const bob = users.find(({ login }: { login: string }) => login === 'bob');
  assert.deepEqual(bob.groups, ['staff']);
  assert.deepEqual(groups, [{ name: 'staff', members: ['bob'] }]);
  const ofMap = grants.filter(({ map }: { map?: string }) => map === 'seen');
  assert.deepEqual(ofMap, [
    { user: 'public', right: 'view', map: 'seen' },
    { group: 'staff', right: 'none', map: 'seen', layer: 'part' },
  ]);
});
