import assert from 'node:assert/strict';
import test from 'node:test';
import { badRequest, ServiceError } from '@cartulary/errors/internal/errors.js';
import { byKey, differences, keyOf } from './differences.js';
import { unionOfExtents } from './start.js';
import * as translate from './translate.js';

test('an incorrect request is a 500 with the error object, all other statuses stay', () => {
  const { status, code, message, data } = translate.earlierError(badRequest('Why', { parameters: ['a'] }));
  assert.deepEqual([status, code, message, data], [500, 'bad_request', 'Why', { parameters: ['a'] }]);
  for (const error of [new ServiceError('forbidden'), new ServiceError('bad_request', 'x', {}, 415)])
    assert.equal(translate.earlierError(error), error);
});

test('a file that was added: code is empty, 1.0 has no uuid, its path names the version', () => {
  const file = {
    name: 'a.png',
    path: '/api/2.8/demo/files/u/',
    mime: 'image/png',
    id: 7,
    uuid: 'u',
    size: 3,
  };
  const plain = { name: 'a.png', mime: 'image/png', id: 7, code: '' };
  assert.deepEqual(translate.addedFile(file, '2.0'), { ...plain, path: '/api/2.0/demo/files/u/', uuid: 'u' });
  assert.deepEqual(translate.addedFile(file, '1.0'), { ...plain, path: '/api/1.0/demo/files/u/' });
  assert.equal(translate.inVersion('https://x/api/2.8/p/', '1.0'), 'https://x/api/1.0/p/');
});

test('the icon for double density is that of the service in twice its size', () => {
  const icon = '/api/2.8/demo/m/layers/l/icon/';
  assert.equal(translate.retinaIcon(icon), `${icon}?size=64`);
  assert.equal(translate.retinaIcon(`${icon}?size=24&lng=ru`), `${icon}?size=48&lng=ru`);
  assert.equal(translate.retinaIcon(`${icon}?size=400`), `${icon}?size=512`);
  for (const other of ['', '/pins/red.png', '/icon/', null]) assert.equal(translate.retinaIcon(other), other);
});

test('the kind, the extent and the mark of a visualization are added to a layer', () => {
  const traits = { kind: 'Point', hasMulti: false, isVisualization: true, bbox: null } as const;
  const more = { icon_retina: '', g_type: 'Point', bbox: null };
  const item = { id: 1, type: 'layer', icon: '' };
  assert.deepEqual(translate.layerItem(item, traits, true), { ...item, type: 'visual', ...more });
  assert.deepEqual(translate.layerItem(item, traits, false), { ...item, ...more });
});

test('timestamp is the datetime of 1.0, in requests and answers', () => {
  assert.deepEqual(translate.columnOf10({ code: 'a', type: 'timestamp' }), { code: 'a', type: 'datetime' });
  assert.deepEqual(translate.columnFor10({ code: 'a', type: 'datetime' }), { code: 'a', type: 'timestamp' });
  for (const body of [{ type: 'string' }, {}, [], null, 'timestamp'])
    assert.equal(translate.columnOf10(body), body);
});

test('the geometry of 2.0 stands under geom', () => {
  const geom = { type: 'Point', coordinates: [1, 2] };
  assert.equal(translate.geometryIn({ geom }), geom);
  assert.equal(translate.geometryIn({ geom: null }), null);
  assert.throws(() => translate.geometryIn(geom), { code: 'required_missing', data: { required: ['geom'] } });
  for (const body of [null, 'x', [1], undefined])
    assert.throws(() => translate.geometryIn(body), { code: 'bad_request' });
});

test('the login of 1.0 asks for user and pass by these names', () => {
  assert.throws(() => translate.demandUserAndPass({ user: 'a' }), { data: { required: ['pass'] } });
  assert.throws(() => translate.demandUserAndPass({}), { data: { required: ['user', 'pass'] } });
  translate.demandUserAndPass({ user: 'a', pass: 'b' });
  translate.demandUserAndPass({ login: 'a', password: 'b' });
});

test('functions are found by method and path, whatever their parameters are called', () => {
  const table = byKey(differences['2.0']);
  assert.ok(table.has(keyOf('GET', '/:map_code/layers/:code/')));
  assert.ok(table.has(keyOf('HEAD', '/image/:uuid')));
  assert.ok(table.has(keyOf('GET', '')) && table.has(keyOf('GET', '/')));
  assert.ok(!table.has(keyOf('PATCH', '/:map/layers/:layer')));
  assert.ok(!table.has(keyOf('GET', '/:map/layers/:layer/count')));
});

test('the extent of a map is that of all its extents', () => {
  assert.equal(unionOfExtents([]), null);
  assert.equal(unionOfExtents([null, undefined]), null);
  const box = { sw: [1, 2], ne: [3, 4] } as const;
  const other = { sw: [0, 3], ne: [2, 9] } as const;
  assert.deepEqual(unionOfExtents([undefined, { sw: [1, 2], ne: [3, 4] }, null]), box);
  assert.deepEqual(
    unionOfExtents([
      { sw: [...box.sw], ne: [...box.ne] },
      { sw: [...other.sw], ne: [...other.ne] },
    ]),
    {
      sw: [0, 2],
      ne: [3, 9],
    },
  );
});
