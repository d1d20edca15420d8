import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { freshCode, startServer, type TestServer } from '../../support/server.js';

/** The callers. Users have a right on the project; rights of the public do not apply to them. */
const callers = ['public', 'viewer', 'editor', 'administrator', 'stranger'] as const;
type Who = (typeof callers)[number];

/** Expected results in the order of `callers`. 0 stands for the answer to permitted callers. */
type Expected = readonly [number, number, number, number, number];
interface Profile {
  /** On a map that everybody may view. */
  published: Expected;
  /** On a withdrawn map. */
  withdrawn: Expected;
}
const both = (expected: Expected): Profile => ({ published: expected, withdrawn: expected });

const reads: Profile = { published: [0, 0, 0, 0, 403], withdrawn: [403, 0, 0, 0, 403] };
/** Reads of the doors of the OGC standards: what a caller may not view is not there. */
const seesInDoor: Profile = { published: [0, 0, 0, 0, 404], withdrawn: [404, 0, 0, 0, 404] };
const editsInDoor = both([401, 403, 0, 0, 404]);
const readsWithToken = both([401, 0, 0, 0, 403]);
const edits = both([401, 403, 0, 0, 403]);
const administers = both([401, 403, 403, 0, 403]);
const signedIn = both([401, 0, 0, 0, 0]);
const anybody = both([0, 0, 0, 0, 0]);
/** For resources of the administrator: others do not learn that they exist. */
const ofAdministrators = both([404, 404, 404, 0, 404]);
const installs = both([401, 403, 403, 403, 403]);

/**
 * The target of a request: a map with a folder and a layer with objects. `n` is different for each request, so that it
 * can be deleted.
 */
interface Place {
  server: TestServer;
  map: string;
  layer: string;
  folder: string;
  n: number;
}

interface Sent {
  path: string;
  body?: unknown;
}

interface Row {
  profile: Profile;
  send: (place: Place) => Sent | Promise<Sent>;
  /** Status of a permitted request; default 200. */
  status?: number;
}
const row = (profile: Profile, send: Row['send'], status = 200): Row => ({ profile, send, status });
const to = (path: (place: Place) => string, body?: (place: Place) => unknown) => (place: Place) => ({
  path: path(place),
  ...(body ? { body: body(place) } : {}),
});

const ofMap = (rest: string) => (place: Place) => `/${place.map}${rest}`;
const ofLayer = (rest: string) => (place: Place) => `/${place.map}/layers/${place.layer}${rest}`;
const inDoor = (rest: string) => (place: Place) => `//ogc/demo/${place.map}${rest}`;
const inCollection = (rest: string) => (place: Place) =>
  `//ogc/demo/${place.map}/collections/${place.layer}${rest}`;
const point = { type: 'Point', coordinates: [1, 2] };
const feature = { type: 'Feature', properties: { name: 'new' }, geometry: point };

/** A link from a column of the layer `target` to one of the layer `layer`. */
const dictionary = { column_code: 'size', dict_layer_code: 'layer', dict_column_code: 'size' };

const newUser = async ({ server, n }: Place): Promise<string> => {
  const login = `user_${n}`;
  await server.admin('POST', '/users/', { login, password: 'long-enough' });
  return login;
};
const newFolder = async ({ server, map, n }: Place): Promise<string> =>
  (await server.admin('POST', `/${map}/folders/`, { code: `f${n}` })).code;
const newLayer = async ({ server, map, n }: Place): Promise<string> =>
  (await server.admin('POST', `/${map}/layers/`, { code: `l${n}` })).code;
const newColumn = async ({ server, map, layer, n }: Place): Promise<string> =>
  (await server.admin('POST', `/${map}/layers/${layer}/structure/`, { code: `c${n}`, type: 'string' })).code;
const newObject = async ({ server, map, layer }: Place): Promise<number> =>
  (await server.admin('POST', `/${map}/layers/${layer}/objects/`, { fields: { name: 'new' }, geom: point }))
    .id;

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
function picture(name: string): FormData {
  const form = new FormData();
  form.set('file', new Blob([pixel]), name);
  return form;
}
const newFile = async ({ server, map, layer }: Place): Promise<{ id: number; uuid: string }> =>
  server.admin('POST', `/${map}/layers/${layer}/objects/1/files/?field=photos`, picture('one.png'));

/** A completed job of the administrator. */
async function newExport({ server, map, layer }: Place): Promise<string> {
  const path = `/${map}/layers/${layer}/export/?format=geojson&async=1`;
  const { id } = (await server.request('GET', path, { token: server.adminToken })).json;
  while ((await server.admin('GET', `/jobs/${id}/`)).state !== 'done') await sleep(20);
  return id;
}

/** Every function of the interface, by its name in the OpenAPI document (below `/api/2.8/{project}` without that). */
const table: Record<string, Row> = {
  'GET /api/': row(
    anybody,
    to(() => '//api/'),
  ),
  'POST /api/2.8/': row(installs, (place) => ({ path: '//api/2.8/', body: { code: `p${place.n}` } })),
  'GET /api/2.8/': row(
    installs,
    to(() => '//api/2.8/'),
  ),
  'PATCH /': row(
    installs,
    to(
      () => '/',
      () => ({ name: 'Name' }),
    ),
  ),
  'DELETE /': row(
    installs,
    to(() => '/'),
  ),
  'GET /administration/storage/': row(
    administers,
    to(() => '/administration/storage/'),
  ),
  'GET /administration/journal/': row(
    administers,
    to(() => '/administration/journal/'),
  ),
  'GET /administration/settings/': row(
    installs,
    to(() => '/administration/settings/'),
  ),

  'POST /login/': row(
    anybody,
    to(
      () => '/login/',
      () => ({ login: 'admin', password: 'correct-horse-battery' }),
    ),
  ),
  'POST /logout/': row(
    both([401, 0, 0, 0, 0]),
    to(() => '/logout/'),
  ),
  'PUT /login/password/': row(
    both([401, 0, 0, 0, 0]),
    to(
      () => '/login/password/',
      () => ({ password: 'long-enough', new_password: 'long-enough' }),
    ),
  ),
  'POST /login/keys/': row(
    both([401, 0, 0, 0, 0]),
    to(
      () => '/login/keys/',
      () => ({ password: 'long-enough', name: 'QGIS' }),
    ),
  ),
  'GET /login/sessions/': row(
    signedIn,
    to(() => '/login/sessions/'),
  ),
  'DELETE /login/sessions/': row(
    signedIn,
    to(() => '/login/sessions/'),
  ),
  'DELETE /login/sessions/{session}/': row(
    both([401, 0, 0, 0, 0]),
    to(() => '/login/sessions/none/'),
    404,
  ),
  'GET /authorized/': row(
    anybody,
    to(() => '/authorized/'),
  ),
  'POST /ext-login/': row(
    both([500, 0, 0, 0, 0]),
    to(() => '/ext-login/'),
    403,
  ),
  'POST /ext-auth/': row(
    edits,
    to(
      () => '/ext-auth/',
      () => ({ login: 'viewer' }),
    ),
  ),
  'GET /users/list/': row(
    administers,
    to(() => '/users/list/'),
  ),
  'GET /users/info/': row(
    signedIn,
    to(() => '/users/info/'),
  ),
  'POST /users/': row(
    administers,
    to(
      () => '/users/',
      ({ n }) => ({ login: `u${n}`, password: 'long-enough' }),
    ),
  ),
  'PATCH /users/{login}/': row(administers, async (place) => ({
    path: `/users/${await newUser(place)}/`,
    body: { name: 'Name' },
  })),
  'DELETE /users/{login}/': row(administers, async (place) => ({ path: `/users/${await newUser(place)}/` })),
  'GET /users/{login}/sessions/': row(
    administers,
    to(() => '/users/viewer/sessions/'),
  ),
  'DELETE /users/{login}/sessions/': row(administers, async (place) => ({
    path: `/users/${await newUser(place)}/sessions/`,
  })),
  'DELETE /users/{login}/sessions/{session}/': row(
    administers,
    to(() => '/users/viewer/sessions/none/'),
    404,
  ),

  'GET /rights/': row(
    administers,
    to(() => '/rights/'),
  ),
  'PUT /rights/': row(
    administers,
    to(
      () => '/rights/',
      () => [],
    ),
  ),
  'GET /{map}/rights/': row(administers, to(ofMap('/rights/'))),
  'PUT /{map}/rights/': row(
    administers,
    to(ofMap('/rights/'), () => []),
  ),
  'GET /{map}/versions/': row(
    reads,
    to(({ map, layer }) => `/${map}/versions/?layer=${layer}`),
  ),
  'GET /deletion/': row(
    administers,
    to(({ map }) => `/deletion/?map=${map}`),
  ),
  'GET /{map}/layers/{layer}/structure/{field}/conversion/': row(
    edits,
    to(ofLayer('/structure/name/conversion/?type=text')),
  ),
  'GET /{map}/layers/{layer}/rights/': row(administers, to(ofLayer('/rights/'))),
  'PUT /{map}/layers/{layer}/rights/': row(
    administers,
    to(ofLayer('/rights/'), () => []),
  ),
  'GET /rights/overview/': row(
    administers,
    to(() => '/rights/overview/'),
  ),
  'GET /rights/explain/': row(
    signedIn,
    to(({ map }) => `/rights/explain/?map=${map}`),
  ),

  'POST /': row(
    edits,
    to(
      () => '/',
      ({ n }) => ({ code: `new${n}` }),
    ),
  ),
  'GET /{map}/': row(reads, to(ofMap('/'))),
  'PATCH /{map}/': row(
    edits,
    to(ofMap('/'), () => ({ name: 'Name' })),
  ),
  'DELETE /{map}/': row(administers, async ({ server, n }) => {
    await server.admin('POST', '/', { code: `gone${n}` });
    return { path: `/gone${n}/` };
  }),
  // Of the caller alone, who has none.
  'GET /{map}/draft/': row(edits, to(ofMap('/draft/')), 404),
  'DELETE /{map}/draft/': row(edits, to(ofMap('/draft/')), 404),
  'POST /{map}/draft/publish/': row(edits, to(ofMap('/draft/publish/')), 404),
  'PUT /{map}/draft/': row(
    edits,
    to(ofMap('/draft/'), () => ({ css_style: 'Map { background-color: red; }' })),
  ),
  // Of the caller alone, who has none.
  'GET /{map}/layers/{layer}/draft/': row(edits, to(ofLayer('/draft/')), 404),
  'DELETE /{map}/layers/{layer}/draft/': row(edits, to(ofLayer('/draft/')), 404),
  'POST /{map}/layers/{layer}/draft/publish/': row(edits, to(ofLayer('/draft/publish/')), 404),
  'PUT /{map}/layers/{layer}/draft/': row(
    edits,
    to(ofLayer('/draft/'), () => ({ css_style: '' })),
  ),
  // Of the caller alone. Without the header of the protocol.
  'POST /files/uploads/': row(
    signedIn,
    to(() => '/files/uploads/'),
    412,
  ),
  'GET /files/uploads/': row(
    signedIn,
    to(() => '/files/uploads/'),
  ),
  'GET /files/uploads/{upload}/': row(
    signedIn,
    to(() => '/files/uploads/none/'),
    404,
  ),
  'PATCH /files/uploads/{upload}/': row(
    signedIn,
    to(() => '/files/uploads/none/'),
    412,
  ),
  'DELETE /files/uploads/{upload}/': row(
    signedIn,
    to(() => '/files/uploads/none/'),
    412,
  ),
  'GET /maps/': row(
    signedIn,
    to(() => '/maps/'),
  ),
  'GET /maps/available/': row(
    signedIn,
    to(() => '/maps/available/'),
  ),
  'GET /maps/public/': row(
    administers,
    to(() => '/maps/public/'),
  ),

  'POST /{map}/folders/': row(
    edits,
    to(ofMap('/folders/'), () => ({})),
  ),
  'GET /{map}/folders/{folder}/': row(
    readsWithToken,
    to(({ map, folder }) => `/${map}/folders/${folder}/`),
  ),
  'PUT /{map}/folders/{folder}/': row(edits, async (place) => ({
    path: `/${place.map}/folders/${place.folder}/`,
    body: { name: 'Name', parent_id: await mapId(place) },
  })),
  'PATCH /{map}/folders/{folder}/': row(edits, async (place) => ({
    path: `/${place.map}/folders/${place.folder}/`,
    body: { name: 'Name', parent_id: await mapId(place) },
  })),
  'DELETE /{map}/folders/{folder}/': row(edits, async (place) => ({
    path: `/${place.map}/folders/${await newFolder(place)}/`,
  })),

  'GET /{map}/identify/': row(reads, to(ofMap('/identify/?lon=0&lat=0&z=5'))),
  'GET /{map}/layers/': row(reads, to(ofMap('/layers/'))),
  'POST /{map}/layers/': row(
    edits,
    to(ofMap('/layers/'), () => ({})),
  ),
  'POST /{map}/publish/': row(
    edits,
    to(ofMap('/publish/'), () => []),
  ),
  'POST /{map}/move/': row(
    edits,
    to(ofMap('/move/'), () => ({ id: 999_999, parent_id: 999_999 })),
    404,
  ),
  'GET /{map}/layers/{layer}/': row(reads, to(ofLayer('/'))),
  'PUT /{map}/layers/{layer}/': row(
    edits,
    to(ofLayer('/'), () => ({ name: 'Name' })),
  ),
  'PATCH /{map}/layers/{layer}/': row(
    edits,
    to(ofLayer('/'), () => ({ name: 'Name' })),
  ),
  'DELETE /{map}/layers/{layer}/': row(edits, async (place) => ({
    path: `/${place.map}/layers/${await newLayer(place)}/`,
  })),
  'GET /{map}/layers/{layer}/bbox/': row(reads, to(ofLayer('/bbox/'))),
  'POST /{map}/layers/{layer}/refresh/': row(readsWithToken, to(ofLayer('/refresh/')), 500),
  'GET /{map}/layers/{layer}/legend/': row(reads, to(ofLayer('/legend/')), 404),
  'GET /{map}/layers/{layer}/legend/{class}/icon/': row(reads, to(ofLayer('/legend/0/icon/')), 404),
  'POST /{map}/layers/{layer}/legend/refresh/': row(edits, to(ofLayer('/legend/refresh/')), 404),

  'GET /{map}/layers/{layer}/structure/': row(reads, to(ofLayer('/structure/'))),
  'POST /{map}/layers/{layer}/structure/': row(
    edits,
    to(ofLayer('/structure/'), ({ n }) => ({ code: `new${n}`, type: 'number' })),
  ),
  'PUT /{map}/layers/{layer}/structure/{field}/': row(
    edits,
    to(ofLayer('/structure/name/'), () => ({ type: 'string' })),
  ),
  'PATCH /{map}/layers/{layer}/structure/{field}/': row(
    edits,
    to(ofLayer('/structure/name/'), () => ({ type: 'string' })),
  ),
  'DELETE /{map}/layers/{layer}/structure/{field}/': row(edits, async (place) => ({
    path: ofLayer(`/structure/${await newColumn(place)}/`)(place),
  })),

  'GET /{map}/layers/{layer}/constraints/': row(administers, to(ofLayer('/constraints/'))),
  'POST /{map}/layers/{layer}/constraints/': row(
    administers,
    to(ofLayer('/constraints/'), ({ n }) => ({ type: 'unique', columns: ['size'], name: `unique ${n}` })),
  ),
  'DELETE /{map}/layers/{layer}/constraints/': row(administers, async (place) => {
    const body = { type: 'unique', columns: ['size'], name: `gone ${place.n}` };
    await server.admin('POST', ofLayer('/constraints/')(place), body);
    return { path: ofLayer('/constraints/')(place), body: { name: body.name } };
  }),
  'POST /{map}/layers/{layer}/constraints/violations/': row(
    edits,
    to(ofLayer('/constraints/violations/'), () => ({ type: 'unique', columns: ['size'] })),
  ),
  'GET /{map}/dictionaries/': row(readsWithToken, to(ofMap('/dictionaries/'))),
  'GET /{map}/dictionaries/{layer}/': row(readsWithToken, to(ofMap('/dictionaries/layer/'))),
  'POST /{map}/dictionaries/{layer}/': row(
    edits,
    to(ofMap('/dictionaries/target/'), ({ n }) => ({ ...dictionary, constraint_name: `link ${n}` })),
  ),
  'DELETE /{map}/dictionaries/{layer}/': row(edits, async (place) => {
    const constraint_name = `gone ${place.n}`;
    await server.admin('POST', ofMap('/dictionaries/target/')(place), { ...dictionary, constraint_name });
    return { path: ofMap('/dictionaries/target/')(place), body: { constraint_name } };
  }),
  'GET /{map}/dictionaries_f/': row(readsWithToken, to(ofMap('/dictionaries_f/'))),
  'GET /{map}/dictionaries_f/{layer}/': row(readsWithToken, to(ofMap('/dictionaries_f/layer/'))),
  'POST /{map}/dictionaries_f/{layer}/': row(
    edits,
    to(ofMap('/dictionaries_f/target/'), () => dictionary),
  ),
  'DELETE /{map}/dictionaries_f/{layer}/': row(edits, async (place) => {
    await server.admin('POST', ofMap('/dictionaries_f/target/')(place), dictionary);
    return { path: ofMap('/dictionaries_f/target/')(place), body: { column_code: 'size' } };
  }),

  'GET /{map}/layers/{layer}/count/': row(reads, to(ofLayer('/count/'))),
  'GET /{map}/layers/{layer}/objects/': row(reads, to(ofLayer('/objects/?fields=name'))),
  'POST /{map}/layers/{layer}/filter/': row(
    reads,
    to(ofLayer('/filter/'), () => ({ fields: ['name'] })),
  ),
  'POST /{map}/layers/{layer}/statistics/': row(
    reads,
    to(ofLayer('/statistics/'), () => ({ column: 'name' })),
  ),
  'POST /{map}/layers/{layer}/statistics/groups/': row(
    reads,
    to(ofLayer('/statistics/groups/'), () => ({ by: ['name'] })),
  ),
  'GET /{map}/layers/{layer}/objects/{object}/': row(reads, to(ofLayer('/objects/1/'))),
  'POST /{map}/layers/{layer}/objects/': row(
    edits,
    to(ofLayer('/objects/'), () => ({ fields: {} })),
  ),
  'POST /{map}/layers/{layer}/objects/batch/': row(
    edits,
    to(ofLayer('/objects/batch/'), () => ({ create: [{ fields: {} }] })),
  ),
  'PUT /{map}/layers/{layer}/objects/{object}/': row(
    edits,
    to(ofLayer('/objects/1/'), () => ({ fields: {} })),
  ),
  'DELETE /{map}/layers/{layer}/objects/{object}/': row(edits, async (place) => ({
    path: ofLayer(`/objects/${await newObject(place)}/`)(place),
  })),
  'DELETE /{map}/layers/{layer}/objects/': row(edits, async (place) => ({
    path: ofLayer('/objects/')(place),
    body: { delete_params: String(await newObject(place)) },
  })),
  'POST /{map}/layers/{layer}/objects/{object}/copy/': row(
    edits,
    to(ofLayer('/objects/1/copy/'), ({ map }) => ({ map_code: map, layer_code: 'target' })),
  ),
  'GET /{map}/layers/{layer}/objects/{object}/geom/': row(readsWithToken, to(ofLayer('/objects/1/geom/'))),
  'PUT /{map}/layers/{layer}/objects/{object}/geom/': row(
    edits,
    to(ofLayer('/objects/1/geom/'), () => point),
  ),
  'GET /{map}/layers/{layer}/export/': row(reads, to(ofLayer('/export/?format=geojson'))),
  'POST /{map}/layers/{layer}/export/': row(
    reads,
    to(ofLayer('/export/'), () => ({ format: 'geojson' })),
  ),
  'POST /{map}/query/': row(
    edits,
    to(ofMap('/query/'), ({ map, layer }) => ({ query: `select svc_id, geom from ${map}.${layer}` })),
  ),
  'POST /{map}/layers/{layer}/makevalid/': row(edits, to(ofLayer('/makevalid/'))),
  'POST /{map}/import/': row(edits, to(ofMap('/import/?upload=none&dry_run=1')), 404),
  'GET /{map}/layers/{layer}/import/undo/': row(edits, to(ofLayer('/import/undo/'))),
  'POST /{map}/layers/{layer}/import/undo/': row(edits, to(ofLayer('/import/undo/')), 400),
  'POST /{map}/layers/{layer}/import/': row(
    edits,
    to(ofLayer('/import/'), () => ({ type: 'FeatureCollection', features: [] })),
  ),

  'GET /{map}/layers/{layer}/objects/{object}/files/': row(reads, to(ofLayer('/objects/1/files/'))),
  'POST /{map}/layers/{layer}/objects/{object}/files/': row(
    edits,
    to(ofLayer('/objects/1/files/?field=photos'), () => picture('new.png')),
  ),
  'DELETE /{map}/layers/{layer}/objects/{object}/files/{file}/': row(edits, async (place) => ({
    path: ofLayer(`/objects/1/files/${(await newFile(place)).id}/?field=photos`)(place),
  })),
  'GET /files/{uuid}/': row(reads, async (place) => ({ path: `/files/${(await newFile(place)).uuid}/` })),
  'GET /image/{uuid}/': row(reads, async (place) => ({ path: `/image/${(await newFile(place)).uuid}/?w=8` })),
  'GET /jobs/': row(
    signedIn,
    to(() => '/jobs/'),
  ),
  'GET /jobs/{job}/': row(ofAdministrators, async (place) => ({ path: `/jobs/${await newExport(place)}/` })),
  'GET /jobs/{job}/events/': row(ofAdministrators, async (place) => ({
    path: `/jobs/${await newExport(place)}/events/`,
  })),
  'GET /jobs/{job}/file/': row(ofAdministrators, async (place) => ({
    path: `/jobs/${await newExport(place)}/file/`,
  })),
  'DELETE /jobs/{job}/': row(ofAdministrators, async (place) => ({
    path: `/jobs/${await newExport(place)}/`,
  })),
  'GET /{map}/search/': row(reads, to(ofMap('/search/?phrase=one'))),

  'GET /mvt/{project}/{map}/{z}/{x}/{y}.pbf': row(
    reads,
    to(({ map }) => `//mvt/demo/${map}/0/0/0.pbf`),
  ),
  'GET /mvt/{project}/{map}/tilejson.json': row(
    reads,
    to(({ map }) => `//mvt/demo/${map}/tilejson.json`),
  ),
  'GET /tiles/{project}/{map}/{z}/{x}/{y}.{format}': row(
    reads,
    to(({ map }) => `//tiles/demo/${map}/0/0/0.png`),
  ),
  'GET /tiles/{project}/{map}/{z}/{x}/{y}.mvt': row(
    reads,
    to(({ map }) => `//tiles/demo/${map}/0/0/0.mvt`),
  ),
  'GET /tiles/{project}/{map}/{z}/{x}/{y}.pbf': row(
    reads,
    to(({ map }) => `//tiles/demo/${map}/0/0/0.pbf`),
  ),
  'GET /tiles/{project}/{map}/tilejson.json': row(
    reads,
    to(({ map }) => `//tiles/demo/${map}/tilejson.json`),
  ),
  'GET /tiles/{project}/{map}/style.json': row(
    reads,
    to(({ map }) => `//tiles/demo/${map}/style.json`),
  ),
  'GET /tiles/{project}/{map}/sprite.json': row(
    reads,
    to(({ map }) => `//tiles/demo/${map}/sprite.json`),
  ),
  'GET /tiles/{project}/{map}/sprite.png': row(
    reads,
    to(({ map }) => `//tiles/demo/${map}/sprite.png`),
  ),
  'GET /tiles/{project}/{map}/sprite@2x.json': row(
    reads,
    to(({ map }) => `//tiles/demo/${map}/sprite@2x.json`),
  ),
  'GET /tiles/{project}/{map}/sprite@2x.png': row(
    reads,
    to(({ map }) => `//tiles/demo/${map}/sprite@2x.png`),
  ),
  'GET /tiles/{project}/{map}/glyphs/{fonts}/{range}.pbf': row(
    reads,
    to(({ map }) => `//tiles/demo/${map}/glyphs/DejaVu Sans Book/0-255.pbf`),
  ),
  'GET /wmts/{project}/{map}/': row(
    seesInDoor,
    to(({ map }) => `//wmts/demo/${map}/?request=GetCapabilities`),
  ),
  'POST /wmts/{project}/{map}/': row(
    seesInDoor,
    to(
      ({ map }) => `//wmts/demo/${map}/`,
      () => new URLSearchParams({ request: 'GetCapabilities' }),
    ),
  ),
  'GET /wmts/{project}/{map}/1.0.0/WMTSCapabilities.xml': row(
    seesInDoor,
    to(({ map }) => `//wmts/demo/${map}/1.0.0/WMTSCapabilities.xml`),
  ),
  'GET /wmts/{project}/{map}/{layer}/{style}/{matrixSet}/{z}/{y}/{x}.{format}': row(
    seesInDoor,
    to(({ map }) => `//wmts/demo/${map}/map.all/default/WebMercatorQuad/0/0/0.png`),
  ),
  'GET /wms/{project}/{map}/': row(
    seesInDoor,
    to(({ map }) => `//wms/demo/${map}/?request=GetCapabilities`),
  ),
  'POST /wms/{project}/{map}/': row(
    seesInDoor,
    to(
      ({ map }) => `//wms/demo/${map}/`,
      () => new URLSearchParams({ request: 'GetCapabilities' }),
    ),
  ),
  'GET /icons/': row(
    both([403, 0, 0, 0, 403]),
    to(() => '/icons/'),
  ),
  'GET /icons/{icon}/': row(
    // Any right to view suffices: a published map exists in both states.
    both([0, 0, 0, 0, 403]),
    to(() => '/icons/cafe/'),
  ),
  'POST /icons/': row(edits, ({ n }) => ({ path: `/icons/?name=i${n}`, body: svg })),
  'PUT /icons/{icon}/': row(edits, ({ n }) => ({ path: `/icons/i${n}/`, body: svg })),
  'DELETE /icons/{icon}/': row(edits, async ({ server, n }) => {
    await server.admin('PUT', `/icons/i${n}/`, svg);
    return { path: `/icons/i${n}/` };
  }),
  'GET /{map}/layers/{layer}/icon/': row(reads, to(ofLayer('/icon/'))),
  'GET /wfs/{project}/{map}/': row(
    seesInDoor,
    to(({ map }) => `//wfs/demo/${map}?request=GetCapabilities`),
  ),
  'POST /wfs/{project}/{map}/': row(
    seesInDoor,
    to(
      ({ map }) => `//wfs/demo/${map}`,
      () => '<GetCapabilities service="WFS"/>',
    ),
  ),
  'GET /ogc/{project}/': row(
    anybody,
    to(() => '//ogc/demo/'),
  ),
  'GET /ogc/{project}/{map}/': row(seesInDoor, to(inDoor(''))),
  'GET /ogc/{project}/{map}/api/': row(seesInDoor, to(inDoor('/api'))),
  'GET /ogc/{project}/{map}/conformance/': row(seesInDoor, to(inDoor('/conformance'))),
  'GET /ogc/{project}/{map}/map/': row(seesInDoor, to(inDoor('/map?bbox=1,1,2,2&width=8&height=8'))),
  'GET /ogc/{project}/{map}/tiles/': row(seesInDoor, to(inDoor('/tiles'))),
  'GET /ogc/{project}/{map}/tiles/{set}/': row(seesInDoor, to(inDoor('/tiles/WebMercatorQuad'))),
  'GET /ogc/{project}/{map}/tiles/{set}/{z}/{y}/{x}/': row(
    seesInDoor,
    to(inDoor('/tiles/WebMercatorQuad/0/0/0?f=mvt')),
  ),
  'GET /ogc/{project}/{map}/map/tiles/': row(seesInDoor, to(inDoor('/map/tiles'))),
  'GET /ogc/{project}/{map}/map/tiles/{set}/': row(seesInDoor, to(inDoor('/map/tiles/WebMercatorQuad'))),
  'GET /ogc/{project}/{map}/map/tiles/{set}/{z}/{y}/{x}/': row(
    seesInDoor,
    to(inDoor('/map/tiles/WebMercatorQuad/0/0/0?f=png')),
  ),
  'GET /ogc/{project}/{map}/collections/{layer}/map/': row(
    seesInDoor,
    to(inCollection('/map?bbox=1,1,2,2&width=8&height=8')),
  ),
  'GET /ogc/{project}/{map}/collections/{layer}/tiles/': row(seesInDoor, to(inCollection('/tiles'))),
  'GET /ogc/{project}/{map}/collections/{layer}/tiles/{set}/': row(
    seesInDoor,
    to(inCollection('/tiles/WebMercatorQuad')),
  ),
  'GET /ogc/{project}/{map}/collections/{layer}/tiles/{set}/{z}/{y}/{x}/': row(
    seesInDoor,
    to(inCollection('/tiles/WebMercatorQuad/0/0/0?f=mvt')),
  ),
  'GET /ogc/{project}/{map}/collections/{layer}/map/tiles/': row(seesInDoor, to(inCollection('/map/tiles'))),
  'GET /ogc/{project}/{map}/collections/{layer}/map/tiles/{set}/': row(
    seesInDoor,
    to(inCollection('/map/tiles/WebMercatorQuad')),
  ),
  'GET /ogc/{project}/{map}/collections/{layer}/map/tiles/{set}/{z}/{y}/{x}/': row(
    seesInDoor,
    to(inCollection('/map/tiles/WebMercatorQuad/0/0/0?f=png')),
  ),
  'GET /ogc/{project}/{map}/tileMatrixSets/': row(seesInDoor, to(inDoor('/tileMatrixSets'))),
  'GET /ogc/{project}/{map}/tileMatrixSets/{set}/': row(
    seesInDoor,
    to(inDoor('/tileMatrixSets/WebMercatorQuad')),
  ),
  'GET /ogc/{project}/{map}/collections/': row(seesInDoor, to(inDoor('/collections'))),
  'GET /ogc/{project}/{map}/collections/{layer}/': row(seesInDoor, to(inCollection(''))),
  'GET /ogc/{project}/{map}/collections/{layer}/queryables/': row(
    seesInDoor,
    to(inCollection('/queryables')),
  ),
  'GET /ogc/{project}/{map}/collections/{layer}/sortables/': row(seesInDoor, to(inCollection('/sortables'))),
  'GET /ogc/{project}/{map}/collections/{layer}/schema/': row(seesInDoor, to(inCollection('/schema'))),
  'GET /ogc/{project}/{map}/collections/{layer}/feature-schema/': row(
    seesInDoor,
    to(inCollection('/feature-schema')),
  ),
  'GET /ogc/{project}/{map}/collections/{layer}/items/': row(seesInDoor, to(inCollection('/items'))),
  'POST /ogc/{project}/{map}/collections/{layer}/items/': row(
    editsInDoor,
    to(inCollection('/items'), () => feature),
    201,
  ),
  'GET /ogc/{project}/{map}/collections/{layer}/items/{object}/': row(
    seesInDoor,
    to(inCollection('/items/1')),
  ),
  'PUT /ogc/{project}/{map}/collections/{layer}/items/{object}/': row(
    editsInDoor,
    async (place) => ({ path: inCollection(`/items/${await newObject(place)}`)(place), body: feature }),
    204,
  ),
  'PATCH /ogc/{project}/{map}/collections/{layer}/items/{object}/': row(
    editsInDoor,
    to(inCollection('/items/1'), () => ({ properties: { name: 'Name' } })),
    204,
  ),
  'DELETE /ogc/{project}/{map}/collections/{layer}/items/{object}/': row(
    editsInDoor,
    async (place) => ({ path: inCollection(`/items/${await newObject(place)}`)(place) }),
    204,
  ),
  'GET /tms/{project}/{map}/': row(
    reads,
    to(({ map }) => `//tms/demo/${map}/?z=0&x=0&y=0`),
  ),
};

const mapId = async ({ server, map }: Place): Promise<number> => (await server.admin('GET', `/${map}/`)).id;

let server: TestServer;
let pixel: Buffer;
const logins: Partial<Record<Who, string>> = {};

test.before(async () => {
  server = await startServer();
  pixel = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const rights = { viewer: 'view', editor: 'edit', administrator: 'administer', stranger: undefined };
  for (const [login, right] of Object.entries(rights)) {
    await server.admin('POST', '/users/', { login, password: 'long-enough', publicAccess: false });
    if (right) await server.admin('PUT', '/rights/', { user: login, right });
    logins[login as Who] = login;
  }
});
test.after(() => server.stop());

async function makePlace(isPublished: boolean): Promise<Omit<Place, 'n'>> {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  const folder = (await server.admin('POST', `/${map}/folders/`, {})).code;
  for (const code of ['layer', 'target']) {
    await server.admin('POST', `/${map}/layers/`, { code });
    await server.admin('POST', `/${map}/layers/${code}/structure/`, { code: 'name', type: 'string' });
    await server.admin('POST', `/${map}/layers/${code}/structure/`, { code: 'photos', type: 'file' });
    await server.admin('POST', `/${map}/layers/${code}/structure/`, { code: 'size', type: 'number' });
  }
  await server.admin('POST', `/${map}/layers/layer/objects/`, { fields: { name: 'one' }, geom: point });
  if (!isPublished) await server.admin('PATCH', `/${map}/`, { publish: false });
  return { server, map, layer: 'layer', folder };
}

const sessions = new Map<Who, string>();

/** The session of a caller. Each caller signs in once, and again after a function has ended the session. */
async function tokenOf(who: Who): Promise<string | undefined> {
  const login = logins[who];
  if (!login) return undefined;
  const kept = sessions.get(who);
  if (kept) return kept;
  const { json } = await server.request('POST', '/login/', { body: { login, password: 'long-enough' } });
  sessions.set(who, json.token);
  return json.token;
}

test('the table has a row for every function of the interface', async () => {
  const { paths } = (await server.request('GET', '//api/2.8/openapi.json')).json;
  const functions = Object.entries(paths as Record<string, object>).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => method !== 'parameters')
      .map((method) => `${method.toUpperCase()} ${path.replace(/^\/api\/2\.8\/\{project\}/, '')}`),
  );
  assert.deepEqual(functions.toSorted(), Object.keys(table).toSorted());
});

/** Functions of a query layer: reads as for other layers, and writes of its own settings. */
const ofQueries = [
  'GET /{map}/layers/{layer}/',
  'PATCH /{map}/layers/{layer}/',
  'GET /{map}/layers/{layer}/bbox/',
  'GET /{map}/layers/{layer}/structure/',
  'GET /{map}/layers/{layer}/count/',
  'GET /{map}/layers/{layer}/objects/',
  'POST /{map}/layers/{layer}/filter/',
  'POST /{map}/layers/{layer}/statistics/',
  'POST /{map}/layers/{layer}/statistics/groups/',
  'GET /{map}/layers/{layer}/objects/{object}/',
  'GET /{map}/layers/{layer}/objects/{object}/geom/',
  'GET /{map}/layers/{layer}/export/',
  'GET /{map}/layers/{layer}/icon/',
] as const;

for (const type of ['virtual', 'material'] as const) {
  for (const state of ['published', 'withdrawn'] as const) {
    test(`rights of each caller on a ${type} layer of a ${state} map`, async () => {
      const common = await makePlace(state === 'published');
      const query = `select svc_id, geom, name from ${common.map}.layer`;
      await server.admin('POST', `/${common.map}/layers/`, { code: 'query', type, json: { query } });
      for (const name of ofQueries) {
        const { profile, send, status } = table[name]!;
        for (const [i, who] of callers.entries()) {
          const { path, body } = await send({ ...common, layer: 'query', n: i });
          const token = await tokenOf(who);
          const answer = await server.request(name.split(' ')[0]!, path, {
            ...(token ? { token } : {}),
            body,
          });
          assert.equal(answer.status, profile[state][i] || status!, `${name}, ${who}`);
        }
      }
      const writes = [401, 403, 400, 400, 403];
      const refreshes = type === 'virtual' ? [401, 500, 500, 500, 403] : [401, 403, 403, 403, 403];
      for (const [i, who] of callers.entries()) {
        const token = await tokenOf(who);
        const sent = async (path: string, rest: object = {}) =>
          (
            await server.request('POST', `/${common.map}/layers/query/${path}`, {
              ...(token ? { token } : {}),
              ...rest,
            })
          ).status;
        assert.equal(await sent('objects/', { body: { fields: {} } }), writes[i], `write, ${who}`);
        assert.equal(await sent('refresh/'), refreshes[i], `refresh, ${who}`);
      }
    });
  }
}

for (const state of ['published', 'withdrawn'] as const) {
  test(`rights of each caller on a ${state} map`, async () => {
    const common = await makePlace(state === 'published');
    let n = state === 'published' ? 0 : 10_000;
    const wrong: string[] = [];
    for (const [name, { profile, send, status }] of Object.entries(table)) {
      const method = name.split(' ')[0]!;
      const got: Record<string, number> = {};
      const wanted: Record<string, number> = {};
      for (const [i, who] of callers.entries()) {
        n += 1;
        const { path, body } = await send({ ...common, n });
        const token = await tokenOf(who);
        const answer = await server.request(method, path, { ...(token ? { token } : {}), body });
        if (name === 'POST /logout/') sessions.delete(who);
        got[who] = answer.status;
        wanted[who] = profile[state][i] || status!;
      }
      for (const who of callers)
        if (got[who] !== wanted[who]) wrong.push(`${name}, ${who}: ${got[who]} and not ${wanted[who]}`);
    }
    assert.deepEqual(wrong, []);
  });
}
