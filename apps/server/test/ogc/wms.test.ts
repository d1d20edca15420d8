/** What programs send to WMS and WMTS beside the usual requests: other formats of GetFeatureInfo, forms by POST, other versions. */
import assert from 'node:assert/strict';
import test from 'node:test';
import sharp from 'sharp';
import { startServer, type TestAnswer, type TestServer } from '../support/server.js';

let server: TestServer;

test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'towns' });
  for (const [code, type] of Object.entries({ name: 'string', people: 'number', capital: 'bool' }))
    await server.admin('POST', '/m/layers/towns/structure/', { code, type });
  const square = (x: number, y: number, side: number): number[][] => [
    ...[[x, y] as number[], [x + side, y], [x + side, y + side], [x, y + side], [x, y]],
  ];
  await server.admin('POST', '/m/layers/towns/objects/batch/', {
    create: [
      {
        fields: { name: 'A & <B>', people: 1.5, capital: true },
        geom: { type: 'Polygon', coordinates: [square(8, 48, 4), square(8.5, 48.5, 1)] },
      },
      { fields: { name: 'Point' }, geom: { type: 'Point', coordinates: [10, 50] } },
      {
        fields: { name: 'Both' },
        geom: { type: 'MultiPolygon', coordinates: [[square(9, 49, 2)], [square(20, 49, 2)]] },
      },
    ],
  });
});
test.after(() => server?.stop());

const place = { service: 'WMS', version: '1.3.0', layers: 'towns', styles: '', width: '100', height: '100' };
const map = { ...place, request: 'GetMap', crs: 'EPSG:4326', bbox: '48,8,52,12', format: 'image/png' };
const info = {
  ...map,
  request: 'GetFeatureInfo',
  query_layers: 'towns',
  i: '50',
  j: '50',
  feature_count: '9',
};
type Parameters = Record<string, string>;
const ask = (parameters: Parameters, service = 'wms'): Promise<TestAnswer> =>
  server.request('GET', `//${service}/demo/m/?${new URLSearchParams(parameters)}`);
const post = (parameters: Parameters, search = '', service = 'wms'): Promise<TestAnswer> =>
  server.request('POST', `//${service}/demo/m/${search}`, { body: new URLSearchParams(parameters) });

test('a system may have its name of other services, with the order of its axes', async () => {
  const picture = async (own: Parameters): Promise<string> => {
    const { status, headers, bytes } = await ask({ ...map, ...own });
    assert.equal(`${status} ${headers.get('content-type')}`, '200 image/png', JSON.stringify(own));
    return bytes.toString('base64');
  };
  const expected = await picture({});
  for (const crs of ['urn:ogc:def:crs:EPSG::4326', 'http://www.opengis.net/def/crs/EPSG/0/4326'])
    assert.equal(await picture({ crs }), expected, crs);
  const bbox = '8,48,12,52';
  for (const crs of ['CRS:84', 'OGC:CRS84', 'urn:ogc:def:crs:OGC:1.3:CRS84'])
    assert.equal(await picture({ crs, bbox }), expected, crs);
  const earlier = { version: '1.1.1', srs: 'urn:ogc:def:crs:EPSG::4326', bbox };
  assert.equal(await picture(earlier), expected, '1.1.1: x before y in every system');
});

test('GetFeatureInfo as GML: x before y in every system, types by layers, and texts that are escaped', async () => {
  const gml = { ...info, info_format: 'application/vnd.ogc.gml' };
  const { headers, text } = await ask(gml);
  assert.equal(headers.get('content-type'), 'application/vnd.ogc.gml; charset=utf-8');
  const members = Object.fromEntries(
    [
      ...text.matchAll(/<gml:featureMember><map:towns fid="(.*?)">(.*)<\/map:towns><\/gml:featureMember>/g),
    ].map(([, id, content]) => [id!, content!]),
  );
  assert.deepEqual(Object.keys(members).toSorted(), ['towns.1', 'towns.2', 'towns.3'], text);
  assert.equal(
    members['towns.2'],
    '<map:name>Point</map:name><map:geom><gml:Point srsName="EPSG:4326"><gml:coordinates>10,50</gml:coordinates></gml:Point></map:geom>',
  );
  const area = members['towns.1'];
  assert.match(
    area!,
    /<map:name>A &amp; &lt;B&gt;<\/map:name><map:people>1.5<\/map:people><map:capital>true</,
  );
  assert.match(area!, /<gml:innerBoundaryIs><gml:LinearRing><gml:coordinates>8.5,48.5 9.5,48.5 /);
  assert.match(text, /<gml:MultiPolygon srsName="EPSG:4326"><gml:polygonMember><gml:Polygon><gml:outerB/);
  assert.match(text, new RegExp(`xmlns:map="${server.url}/wfs/demo/m"`));
  const mercator = { crs: 'EPSG:3857', bbox: '1001875,6274861,1224514,6621294' };
  assert.match(
    (await ask({ ...gml, ...mercator, j: '52' })).text,
    /srsName="EPSG:3857"><gml:coordinates>1113194.9/,
  );
  const nothing = await ask({ ...gml, bbox: '-50,8,-48,12' });
  assert.ok(nothing.status === 200 && !nothing.text.includes('featureMember'), nothing.text);
  for (const version of ['1.1.1', '1.3.0']) {
    const known = await ask({ service: 'WMS', version, request: 'GetCapabilities' });
    assert.match(
      known.text,
      /<GetFeatureInfo>[\s\S]*<Format>application\/vnd.ogc.gml<\/Format>[\s\S]*<\/GetFeatureInfo>/,
    );
  }
});

test('a form by POST is what the same parameters are in an address', async () => {
  const tile = { service: 'WMTS', version: '1.0.0', request: 'GetTile', layer: 'towns', style: 'default' };
  const at = { tilematrixset: 'WebMercatorQuad', tilematrix: '5', tilerow: '10', tilecol: '16' };
  for (const [service, parameters] of [
    ['wms', { service: 'WMS', request: 'GetCapabilities', lng: 'en' }],
    ['wms', map],
    ['wms', { ...map, CQL_FILTER: "name = 'Both'" }],
    ['wms', { ...info, info_format: 'application/json' }],
    ['wmts', { service: 'WMTS', request: 'GetCapabilities' }],
    ['wmts', { ...tile, ...at, format: 'image/png' }],
  ] as const) {
    const [got, posted] = [await ask(parameters, service), await post(parameters, '', service)];
    assert.deepEqual([got.status, posted.status], [200, 200], posted.text);
    assert.ok(posted.bytes.equals(got.bytes), JSON.stringify(parameters));
  }
  // Longer than addresses may be.
  const filter = `name IN (${Array.from({ length: 1_500 }, (_, i) => `'name ${i}'`).join()})`;
  assert.equal((await post({ ...map, filter })).status, 200);
});

test('a form may come without a type, with a token, and beside parameters of the address', async () => {
  const { info_format: _, ...shown } = { ...info, info_format: '' };
  // Without a type, as OWSLib sends it.
  const body = new TextEncoder().encode(String(new URLSearchParams(shown)));
  const untyped = await server.request('POST', '//wms/demo/m/', { body });
  assert.match(untyped.text, /^Layer 'towns'/);
  const { layers, ...rest } = map;
  assert.equal((await post(rest, `?layers=${layers}`)).headers.get('content-type'), 'image/png');
  await server.admin('POST', '/', { code: 'closed' });
  await server.admin('PUT', '/closed/rights/', { user: 'public', right: 'none' });
  const closed = (more: Parameters) =>
    server.request('POST', '//wms/demo/closed/', {
      body: new URLSearchParams({ request: 'GetCapabilities', ...more }),
    });
  assert.equal((await closed({})).status, 404);
  const document = await closed({ token: server.adminToken, lng: 'ru' });
  assert.equal(document.status, 200, document.text);
  assert.ok(
    document.text.includes(`?lng=ru&amp;token=${server.adminToken}`),
    'addresses repeat language and token',
  );
});

test('another body than a form is 415, and errors of a form have the form of its version', async () => {
  for (const [body, type] of [
    ['<GetMap/>', 'text/xml'],
    ['{}', 'application/json'],
  ] as const) {
    const answer = await server.request('POST', '//wms/demo/m/', { body, headers: { 'content-type': type } });
    assert.equal(answer.status, 415, answer.text);
    assert.match(answer.text, /<ServiceException code="InvalidParameterValue" locator="Content-Type">/);
  }
  const old = await post({ ...map, version: '1.1.1', srs: 'EPSG:4326', layers: 'nothing' });
  assert.match(
    old.text,
    /<ServiceExceptionReport version="1.1.1">\n {2}<ServiceException code="LayerNotDefined">/,
  );
  assert.match((await post({}, '', 'wmts')).text, /exceptionCode="MissingParameterValue"/);
  // A type of a body that is not there says nothing.
  const headers = { 'content-type': 'application/json' };
  const got = await server.request('GET', `//wms/demo/m/?${new URLSearchParams(map)}`, { headers });
  assert.equal(got.status, 200, got.text);
});

test('versions are negotiated, and pictures of 1.1.0 are those of 1.1.1', async () => {
  for (const [version, answered] of [
    ['1.0.0', '1.1.1'],
    ['1.1.0', '1.1.1'],
    ['1.2.0', '1.1.1'],
    ['1.1', '1.1.1'],
    ['1.3.0', '1.3.0'],
    ['1.3', '1.3.0'],
    ['1.10.0', '1.3.0'],
    ['', '1.3.0'],
  ] as const) {
    const { text } = await ask({ service: 'WMS', request: 'GetCapabilities', version });
    assert.match(text, new RegExp(`<WM[ST_MC]+apabilities version="${answered}"`, 'i'), version);
  }
  const old = { ...map, srs: 'EPSG:4326', bbox: '8,48,12,52' };
  const [now, before, first] = [
    await ask(map),
    await ask({ ...old, version: '1.1.1' }),
    await ask({ ...old, version: '1.1.0' }),
  ];
  assert.equal(first.status, 200, first.text);
  assert.ok(first.bytes.equals(before.bytes) && first.bytes.equals(now.bytes));
  for (const short of [await ask({ ...map, version: '1.3' }), await ask({ ...old, version: '1.1' })])
    assert.ok(short.bytes.equals(now.bytes), short.text);
  assert.match(
    (await ask({ ...map, version: '1.3', layers: 'x' })).text,
    /ServiceExceptionReport version="1.3.0"/,
  );
  const { i: x, j: y, ...asked } = { ...info, ...old, request: 'GetFeatureInfo', version: '1.1.0' };
  assert.match((await ask({ ...asked, x, y })).text, /^Layer 'towns'/);
  // A count above the limit is the limit.
  assert.match((await ask({ ...asked, x, y, feature_count: '1000000' })).text, /^Layer 'towns'/);
});

/** The pixels of a picture, four bytes each. */
const pixelsOf = async ({ status, bytes, headers }: TestAnswer) => {
  assert.equal(status, 200);
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const colors = new Set(Array.from({ length: data.length / 4 }, (_, at) => data.readUInt32BE(at * 4)));
  const size = `${info.width} × ${info.height}`;
  return { size, colors, type: headers.get('content-type'), cache: headers.get('cache-control') };
};

test('pictures may have 256 colours, for programs that ask for few bytes', async () => {
  const { text } = await ask({ service: 'WMS', request: 'GetCapabilities' });
  for (const type of ['image/png; mode=8bit', 'image/gif'])
    assert.match(text, new RegExp(`<GetMap>[\\s\\S]*<Format>${type}</Format>[\\s\\S]*</GetMap>`));
  const pixels = async (bytes: Buffer) => sharp(bytes).flatten({ background: '#fff' }).raw().toBuffer();
  const legend = { service: 'WMS', version: '1.3.0', request: 'GetLegendGraphic', layer: 'towns' };
  // A tile, and a picture that is none.
  const tile = {
    crs: 'EPSG:3857',
    bbox: '0,5009377.085697311,2504688.542848655,7514065.628545967',
    width: '256',
    height: '256',
  };
  for (const own of [{}, tile])
    for (const [format, type, kind] of [
      ['image/png; mode=8bit', 'image/png; mode=8bit', 'png'],
      ['image/png;mode=8bit', 'image/png; mode=8bit', 'png'],
      ['image/png8', 'image/png; mode=8bit', 'png'],
      ['image/gif', 'image/gif', 'gif'],
    ] as const) {
      const whole = await pixels((await ask({ ...map, ...own })).bytes);
      const { headers, bytes } = await ask({ ...map, ...own, format });
      assert.equal(headers.get('content-type'), type);
      const { isPalette, format: found } = await sharp(bytes).metadata();
      assert.ok(found === kind && (kind === 'gif' || isPalette), format);
      const few = await pixels(bytes);
      assert.equal(few.length, whole.length);
      assert.ok(
        few.every((value, at) => Math.abs(value - whole[at]!) < 32),
        format,
      );
      assert.equal((await ask({ ...legend, format })).headers.get('content-type'), type);
    }
  assert.match(
    (await ask({ ...map, format: 'image/tiff' })).text,
    /InvalidFormat[\s\S]*mode=8bit, image\/gif/,
  );
});

test('errors of GetMap are pictures where the request wants them', async () => {
  const wrong = { ...map, layers: 'nothing & <none>', width: '300', height: '40.0' };
  const names = { inimage: 'application/vnd.ogc.se_inimage', blank: 'application/vnd.ogc.se_blank' };
  for (const exceptions of ['INIMAGE', names.inimage]) {
    const told = await pixelsOf(await ask({ ...wrong, exceptions }));
    assert.deepEqual([told.size, told.type, told.cache], ['300 × 40', 'image/png', 'no-store']);
    assert.ok(told.colors.size > 5 && told.colors.has(0xff_ff_ff_ff), 'letters on white');
  }
  for (const exceptions of ['blank', names.blank]) {
    const { colors } = await pixelsOf(await ask({ ...wrong, exceptions }));
    assert.deepEqual([...colors], [0xff_ff_ff_ff]);
  }
  const clear = await pixelsOf(await ask({ ...wrong, EXCEPTIONS: 'BLANK', transparent: 'TRUE' }));
  assert.deepEqual([...clear.colors], [0]);
  const red = await pixelsOf(await ask({ ...wrong, exceptions: 'BLANK', bgcolor: '0xFF0000' }));
  assert.deepEqual([...red.colors], [0xff_00_00_ff]);
  const webp = await pixelsOf(await ask({ ...wrong, exceptions: 'BLANK', format: 'image/webp' }));
  assert.equal(webp.type, 'image/webp');
  // What is wrong is the background or the format itself.
  const odd = await pixelsOf(await post({ ...wrong, exceptions: 'INIMAGE', bgcolor: 'red', format: 'x' }));
  assert.deepEqual([odd.size, odd.type], ['300 × 40', 'image/png']);
  const tiny = { ...wrong, exceptions: 'INIMAGE', width: '1', height: '1' };
  assert.equal((await pixelsOf(await ask(tiny))).size, '1 × 1');
});

test('errors are reports where no picture is wanted, or its size is not known', async () => {
  const wrong = { ...map, layers: 'nothing' };
  for (const own of [
    { exceptions: 'XML' },
    { exceptions: 'application/vnd.ogc.se_xml' },
    { exceptions: 'other' },
    { exceptions: 'INIMAGE', width: '100000' },
    { exceptions: 'INIMAGE', height: 'x' },
    { exceptions: 'BLANK', width: '' },
    { exceptions: 'BLANK', request: 'GetFeatureInfo' },
    { exceptions: 'INIMAGE', token: 'unknown' },
  ]) {
    const answer = await ask({ ...wrong, ...own } as Parameters);
    assert.match(answer.text, /<ServiceException/, JSON.stringify(own));
    assert.ok(answer.status >= 400, JSON.stringify(own));
  }
  for (const [version, formats] of [
    ['1.3.0', ['XML', 'INIMAGE', 'BLANK']],
    ['1.1.1', ['xml', 'inimage', 'blank'].map((form) => `application/vnd.ogc.se_${form}`)],
  ] as const) {
    const { text } = await ask({ service: 'WMS', version, request: 'GetCapabilities' });
    const listed = /<Exception>([\s\S]*)<\/Exception>/.exec(text)![1]!;
    assert.deepEqual(
      [...listed.matchAll(/<Format>(.*)<\/Format>/g)].map(([, format]) => format),
      formats,
    );
  }
});

test('an error of a filter names the parameter that was sent', async () => {
  for (const name of ['filter', 'CQL_FILTER', 'cql_filter']) {
    const said = new RegExp(`locator="${name.toLowerCase()}">${name.toLowerCase()}: `);
    for (const filter of ['people >', 'none = 1']) {
      assert.match((await ask({ ...map, [name]: filter })).text, said, filter);
      assert.match((await post({ ...info, [name]: filter })).text, said, filter);
    }
  }
});

test('a request may name the system and the pixel as the other version does, in the order of axes of its own', async () => {
  const { crs, ...unplaced } = map;
  const expected = await ask(map);
  const found = await ask({ ...info, info_format: 'application/json' });
  const { i, j, crs: _, ...rest } = { ...info, info_format: 'application/json' };
  const old = { version: '1.1.1', bbox: '8,48,12,52' };
  for (const [picture, objects] of [
    [
      { ...unplaced, srs: crs },
      { ...rest, srs: crs, x: i, y: j },
    ],
    [
      { ...map, ...old },
      { ...info, info_format: 'application/json', ...old },
    ],
  ] as const) {
    const shown = await ask(picture);
    assert.ok(shown.status === 200 && shown.bytes.equals(expected.bytes), shown.text);
    assert.deepEqual((await ask(objects)).json, found.json);
  }
  assert.match((await ask(unplaced)).text, /code="MissingParameterValue"[^>]*>Required: crs</);
});

test('the plus sign of application/geo+json may stand in an address as it is', async () => {
  const expected = await ask({ ...info, info_format: 'application/json' });
  // A form writes a blank as a plus sign.
  const found = await ask({ ...info, info_format: 'application/geo json' });
  assert.equal(found.status, 200, found.text);
  assert.deepEqual(found.json, expected.json);
});

test('sizes may be written with a fraction of 0, and positions lie in the pixel that holds them', async () => {
  const [whole, written] = [await ask(map), await ask({ ...map, width: '100.0', height: '100.' })];
  assert.ok(written.status === 200 && whole.bytes.equals(written.bytes), written.text);
  assert.match((await ask({ ...map, width: '100.5' })).text, /locator="width"/);
  const { text } = await ask(info);
  for (const own of [
    { i: '50.0', j: '50.0' },
    { i: '50.7', j: '50.2', feature_count: '9.0' },
  ])
    assert.equal((await ask({ ...info, ...own })).text, text);
  assert.equal((await ask({ ...info, i: '99.9' })).status, 200);
  for (const i of ['100.0', '-1', 'x', '1e1'])
    assert.match((await ask({ ...info, i })).text, /code="InvalidPoint" locator="i"/, i);
});

test('GetFeatureInfo finds what the picture draws: at the poles, in projected systems, and where pixels are not square', async () => {
  await server.admin('POST', '/m/layers/', {
    code: 'polar',
    css_style:
      '#polar { marker-width: 40; marker-fill: #f00; marker-line-width: 0; marker-allow-overlap: true; }',
  });
  for (const coordinates of [
    [10, 88],
    [-179.9, 70],
  ])
    await server.admin('POST', '/m/layers/polar/objects/', {
      fields: {},
      geom: { type: 'Point', coordinates },
    });
  const size = { width: '300', height: '200' };
  for (const place of [
    { crs: 'EPSG:4326', bbox: '80,0,90,20' },
    { crs: 'EPSG:4326', bbox: '60,170,80,200' },
    { crs: 'EPSG:3995', bbox: '-1000000,-600000,1000000,600000' },
    { crs: 'EPSG:3857', bbox: '-20037508,9000000,-19000000,12000000' },
  ]) {
    const own = { ...info, ...place, ...size, layers: 'polar', query_layers: 'polar' };
    const picture = await ask({ ...own, request: 'GetMap', transparent: 'TRUE' });
    const { data } = await sharp(picture.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const isDrawn = (i: number, j: number): boolean => data[4 * (j * 300 + i) + 3]! > 0;
    const drawn = Array.from({ length: 300 * 200 }, (_, at) => at).filter((at) => data[4 * at + 3]! > 128);
    assert.ok(drawn.length > 200, JSON.stringify(place));
    const row = Math.floor(drawn[drawn.length >> 1]! / 300);
    for (let i = 0; i < 300; i += 3) {
      if ([-1, 1].some((by) => isDrawn(i + by, row) !== isDrawn(i, row))) continue;
      const at = { i: String(i), j: String(row), fi_point_tolerance: '0', info_format: 'application/json' };
      const { features } = (await ask({ ...own, ...at })).json;
      assert.equal(features.length, isDrawn(i, row) ? 1 : 0, `${JSON.stringify(place)} ${i}, ${row}`);
    }
  }
});

test('a picture of a system of a country that shows the whole world leaves out what the system does not know', async () => {
  await server.admin('POST', '/m/layers/', {
    code: 'world',
    css_style:
      '#world { marker-width: 40; marker-fill: #f00; marker-line-width: 0; marker-allow-overlap: true; }',
  });
  const create = Array.from({ length: 35 }, (_, i) => ({
    fields: {},
    geom: { type: 'Point', coordinates: [-175 + 10 * i, 0] },
  }));
  await server.admin('POST', '/m/layers/world/objects/batch/', { create });
  for (const crs of ['EPSG:27700', 'EPSG:25832']) {
    const own = {
      ...map,
      crs,
      bbox: '-10000000,-10000000,10000000,10000000',
      layers: 'world',
      version: '1.3.0',
    };
    const { status, bytes, text, headers } = await ask({ ...own, transparent: 'TRUE' });
    assert.equal(`${status} ${headers.get('content-type')}`, '200 image/png', `${crs} ${text}`);
    const { data } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const at = Array.from({ length: 100 * 100 }, (_, i) => i).find((i) => data[4 * i + 3]! > 250)!;
    const pixel = { i: String(at % 100), j: String(Math.floor(at / 100)) };
    const found = { request: 'GetFeatureInfo', query_layers: 'world', info_format: 'application/json' };
    const answer = await ask({ ...own, ...found, ...pixel });
    assert.equal(answer.json?.features.length, 1, `${crs} ${answer.text}`);
    const wide = { ...own, bbox: '-90000000,-90000000,90000000,90000000' };
    const beside = await ask({ ...wide, ...found, i: '0', j: '0' });
    assert.deepEqual(beside.json?.features, [], `${crs} ${beside.text}`);
  }
});
