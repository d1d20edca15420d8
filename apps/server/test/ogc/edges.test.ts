/** Content at the limits of reference systems, of addresses and of formats: every door answers it, and none loses a part in silence. */
import assert from 'node:assert/strict';
import test from 'node:test';
import sharp from 'sharp';
import { loggedUrl } from '../../src/http/logged-url.js';
import { startServer, type TestAnswer, type TestServer } from '../support/server.js';

let server: TestServer;

test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'world' });
  for (const [code, type] of [
    ['name', 'string'],
    ['long', 'text'],
  ])
    await server.admin('POST', '/m/layers/world/structure/', { code, type });
  const places: [string, number, number][] = [
    ['north', 0, 90],
    ['south', 12, -90],
    ['middle', 10, 47],
    ['west of the line', 175, 10],
    ['east of the line', -175, 10],
  ];
  await server.admin('POST', '/m/layers/world/objects/batch/', {
    create: places.map(([name, ...coordinates], i) => ({
      fields: { name, long: 'abcde'[i]!.repeat(5_000) },
      geom: { type: 'Point', coordinates },
    })),
  });
});
test.after(() => server?.stop());

const get = (path: string) => server.request('GET', `//${path}`);
const items = (parameters: Record<string, string>, layer = 'world') =>
  get(`ogc/demo/m/collections/${layer}/items?${new URLSearchParams(parameters)}`);
const features = (parameters: Record<string, string>) =>
  get(
    `wfs/demo/m?${new URLSearchParams({ service: 'WFS', version: '2.0.0', request: 'GetFeature', ...parameters })}`,
  );
const ids = ({ json }: TestAnswer): number[] => json.features.map(({ id }: { id: number }) => id);

test('a geometry that a system does not reach is null, and the others of the list have theirs', async () => {
  // Lambert's conic projection of France has no place for the south pole.
  const answer = await items({ crs: 'EPSG:2154' });
  assert.equal(answer.status, 200, answer.text);
  const shown = answer.json.features.map(({ geometry }: any) => geometry?.type);
  assert.deepEqual(shown, ['Point', undefined, 'Point', 'Point', 'Point']);
  const single = await get('ogc/demo/m/collections/world/items/2?crs=EPSG:2154');
  assert.deepEqual([single.status, single.json?.geometry], [200, null], single.text);
  const gml = await features({ typenames: 'world', srsname: 'urn:ogc:def:crs:EPSG::2154' });
  assert.equal(gml.status, 200, gml.text);
  assert.equal(gml.text.match(/<map:world /g)?.length, 5);
  assert.equal(gml.text.match(/<gml:Point /g)?.length, 4);
});

test('an address without a route, and another method, are answered in the form of the service', async () => {
  const forms = {
    ogc: /^application\/problem\+json$/,
    wms: /^text\/xml/,
    wfs: /^application\/xml/,
    wmts: /^application\/xml/,
  };
  const end = { ogc: '', wms: '?request=GetMap', wfs: '', wmts: '' };
  for (const [service, type] of Object.entries(forms) as [keyof typeof forms, RegExp][])
    for (const [method, path, status] of [
      ['GET', '', 404],
      ['GET', '/demo/m/nothing/1/2', 404],
      ['POST', '/demo/m/nothing/1/2', 404],
      ['DELETE', `/demo/m${end[service]}`, 405],
      ['GET', '/demo/m/%zz', 400],
    ] as const) {
      const answer = await server.request(method, `//${service}${path}`, { headers: { accept: '*/*' } });
      const where = `${method} ${service}${path}: ${answer.text}`;
      assert.equal(answer.status, status, where);
      assert.match(answer.headers.get('content-type')!, type, where);
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', where);
      if (status === 405) assert.match(answer.headers.get('allow')!, /GET/, where);
      if (status === 405 && service !== 'ogc')
        assert.match(answer.text, /ode="OperationNotSupported"/, where);
    }
  const browser = { headers: { accept: 'text/html,*/*' } };
  for (const path of ['ogc/demo/m/nothing', 'maps/nothing/']) {
    const answer = await server.request('GET', `//${path}`, browser);
    assert.match(answer.headers.get('content-type')!, /^text\/html/, path);
  }
});

test('a map with positions beyond the poles, or far beyond 180 degrees, which a query makes, is drawn in every frame', async () => {
  const query =
    'select svc_id, case when svc_id = 3 then st_translate(geom, 1000, 0) else st_buffer(geom, 1) end as geom from m.world';
  await server.admin('POST', '/m/layers/', {
    code: 'around',
    type: 'virtual',
    json: { query },
    css_style: '#around { polygon-fill: #c00; }',
  });
  const wide = ['?bbox=-200,-95,200,95&width=100', '?bbox=-200,-95,200,95&width=100&crs=CRS84'];
  for (const frame of ['', '?bbox=-10,-90,10,90', '?bbox=-100,-80,100,80&width=300&height=200', ...wide]) {
    const answer = await get(`ogc/demo/m/collections/around/map${frame}`);
    assert.equal(answer.status, 200, `${frame} ${answer.text.slice(0, 300)}`);
  }
});

test('an envelope across 180 degrees has both of its sides in every spatial operator', async () => {
  const within = (operator: string) =>
    features({
      typenames: 'world',
      outputformat: 'json',
      filter: `<Filter xmlns:gml="http://www.opengis.net/gml/3.2"><${operator}><ValueReference>geom</ValueReference><gml:Envelope srsName="CRS:84">
        <gml:lowerCorner>170 0</gml:lowerCorner><gml:upperCorner>-170 20</gml:upperCorner></gml:Envelope></${operator}></Filter>`,
    });
  const numbers = async (operator: string) => {
    const answer = await within(operator);
    assert.equal(answer.status, 200, answer.text);
    return answer.json.features.map(({ properties }: any) => properties.name);
  };
  const both = ['west of the line', 'east of the line'];
  assert.deepEqual(await numbers('BBOX'), both);
  assert.deepEqual(await numbers('Intersects'), both);
  assert.deepEqual(await numbers('Within'), both);
  assert.deepEqual(await numbers('Disjoint'), ['north', 'south', 'middle']);
});

test('a view that reaches beyond the poles, as QGIS sends it, has all that lies within; only one beside the earth is refused', async () => {
  const envelope = (low: string, high: string) =>
    `<Filter xmlns:gml="http://www.opengis.net/gml/3.2"><BBOX><ValueReference>geom</ValueReference><gml:Envelope srsName="urn:ogc:def:crs:EPSG::4326">
      <gml:lowerCorner>${low}</gml:lowerCorner><gml:upperCorner>${high}</gml:upperCorner></gml:Envelope></BBOX></Filter>`;
  const wfs = { typenames: 'world', outputformat: 'json' };
  for (const [box, count] of [
    [[-400, -200, 400, 200], 5],
    [[5, -95, 15, 95], 2],
    [[170, -95, 190, 95], 2],
  ] as const) {
    const [west, south, east, north] = box;
    const answers = [
      await items({ bbox: box.join() }),
      await items({ bbox: [south, west, north, east].join(), 'bbox-crs': 'EPSG:4326' }),
      await features({ ...wfs, bbox: `${south},${west},${north},${east},urn:ogc:def:crs:EPSG::4326` }),
      await features({ ...wfs, filter: envelope(`${south} ${west}`, `${north} ${east}`) }),
    ];
    for (const { status, json, text } of answers)
      assert.deepEqual([status, json?.features?.length], [200, count], `${box} ${text}`);
  }
  assert.match((await features({ ...wfs, bbox: '100,0,120,10' })).text, /locator="bbox"[\s\S]*latitudes/);
});

test('a box around a pole, across 180 degrees, or beyond the reach of its system has what lies in it', async () => {
  const names = ({ status, json, text }: TestAnswer): string[] => {
    assert.equal(status, 200, text);
    return json.features.map(({ properties }: any) => properties.name);
  };
  for (const [crs, bbox, expected] of [
    // Around the North Pole; its corner reaches 30 degrees.
    ['EPSG:3995', '-1000000,-1000000,1000000,1000000', ['north']],
    [
      'EPSG:3995',
      '-12000000,-12000000,12000000,12000000',
      ['north', 'middle', 'west of the line', 'east of the line'],
    ],
    ['EPSG:3031', '-9000000,-9000000,1000000,9000000', ['south']],
    // From afar: more than the side of the earth that the system knows.
    ['EPSG:27700', '-9000000,-9000000,9000000,9000000', ['north', 'middle']],
    ['EPSG:3035', '-5000000,-5000000,12000000,12000000', ['north', 'middle']],
    ['EPSG:3832', '2500000,0,4500000,3000000', ['west of the line', 'east of the line']],
    ['EPSG:4258', '-95,-400,95,400', ['north', 'south', 'middle', 'west of the line', 'east of the line']],
  ] as const) {
    const { json, ...answer } = await items({ bbox, 'bbox-crs': crs });
    assert.deepEqual(names({ json, ...answer }), expected, `${crs} ${bbox}`);
    assert.equal(json.numberMatched, expected.length);
    const uri = `urn:ogc:def:crs:EPSG::${crs.slice(5)}`;
    const wfs = await features({
      typenames: 'world',
      outputformat: 'json',
      bbox: `${bbox},${uri}`,
      count: '1',
    });
    assert.equal(wfs.json.numberMatched, expected.length, `WFS ${crs} ${bbox}`);
    const [west, south, east, north] = bbox.split(',');
    const box = `<BBOX><ValueReference>geom</ValueReference><gml:Envelope srsName="${uri}"><gml:lowerCorner>${west} ${south}</gml:lowerCorner><gml:upperCorner>${east} ${north}</gml:upperCorner></gml:Envelope></BBOX>`;
    const asked = (condition: string, more: Record<string, string> = {}) =>
      features({
        ...{ typenames: 'world', outputformat: 'json', ...more },
        filter: `<Filter xmlns:gml="http://www.opengis.net/gml/3.2">${condition}</Filter>`,
      });
    const one =
      '<PropertyIsLike wildCard="*" singleChar="." escapeChar="!"><ValueReference>name</ValueReference><Literal>*</Literal></PropertyIsLike>';
    assert.deepEqual(names(await asked(`<And>${one}${box}</And>`)), expected, `FES ${crs} ${bbox}`);
    assert.equal(
      (await asked(box, { count: '1' })).json.numberMatched,
      expected.length,
      `FES ${crs} ${bbox}`,
    );
    if (crs === 'EPSG:4258') continue;
    // Beside the features of the box, those in the box around it would be left out, or deleted.
    for (const condition of [`<Not>${box}</Not>`, box.replaceAll('BBOX', 'Disjoint')])
      assert.match((await asked(condition)).text, /locator="filter"[\s\S]*pole/);
    const deletion = await server.request('POST', '//wfs/demo/m', {
      body: `<Transaction service="WFS" version="2.0.0"><Delete typeName="world"><Filter xmlns:gml="http://www.opengis.net/gml/3.2">${box}</Filter></Delete></Transaction>`,
      headers: { 'content-type': 'text/xml' },
      token: server.adminToken,
    });
    assert.ok(deletion.status === 400 && /pole/.test(deletion.text), deletion.text);
  }
  const beside = await items({ bbox: '90000000,90000000,91000000,91000000', 'bbox-crs': 'EPSG:3035' });
  assert.equal(beside.status, 400, beside.text);
});

test('a shape of a filter around a pole, or across 180 degrees, in its own system has what lies in it', async () => {
  const square = (side: number, x = 0, y = 0): string =>
    [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
      [-1, -1],
    ]
      .map(([i, j]) => `${x + i! * side} ${y + j! * side}`)
      .join();
  const all = ['north', 'south', 'middle', 'west of the line', 'east of the line'];
  const line = ['west of the line', 'east of the line'];
  for (const [crs, shape, expected] of [
    ['EPSG:3413', `POLYGON((${square(1_000_000)}))`, ['north']],
    ['EPSG:3413', `POLYGON((${square(12_000_000)}))`, all.filter((name) => name !== 'south')],
    // A ring of land around the pole, without the pole.
    ['EPSG:3413', `POLYGON((${square(12_000_000)}),(${square(1_000_000)}))`, ['middle', ...line]],
    ['EPSG:3031', `POLYGON((${square(1_000_000)}))`, ['south']],
    ['EPSG:3031', `MULTIPOLYGON(((${square(500_000)})),((${square(10_000, 3_000_000)})))`, ['south']],
    // The side of a square passes at 46 degrees north, its corners lie at 29.
    ['EPSG:3995', `POLYGON((${square(5_000_000)}))`, ['north', 'middle']],
    ['EPSG:3832', `POLYGON((${square(2_000_000, 3_400_000, 1_000_000)}))`, line],
    ['EPSG:3832', 'LINESTRING(2782987.27 1111475.1,3896182.18 1111475.1)', line],
    ['EPSG:3857', 'POLYGON((18000000 0,22000000 0,22000000 2000000,18000000 2000000,18000000 0))', line],
  ] as const) {
    // A line has no inside: what lies near it counts.
    const filter = shape.startsWith('L') ? `S_DWITHIN(geom,${shape},200000)` : `S_INTERSECTS(geom,${shape})`;
    const answer = await items({ filter, 'filter-crs': crs });
    assert.equal(answer.status, 200, answer.text);
    const names = answer.json.features.map(({ properties }: any) => properties.name);
    assert.deepEqual(names, expected, `${crs} ${shape}`);
    const not = await items({ filter: `NOT ${filter}`, 'filter-crs': crs });
    assert.equal(not.json.numberMatched, all.length - expected.length, `not ${crs} ${shape}`);
    const rings = [...shape.matchAll(/\(([-\d][^()]*)\)/g)].map(([, ring]) => ring!.replaceAll(',', ' '));
    if (!shape.startsWith('POLYGON')) continue;
    const [outer, ...holes] = rings.map(
      (ring) => `<gml:LinearRing><gml:posList>${ring}</gml:posList></gml:LinearRing>`,
    );
    const gml = `<gml:Polygon srsName="${crs}"><gml:exterior>${outer}</gml:exterior>${holes.map((hole) => `<gml:interior>${hole}</gml:interior>`).join('')}</gml:Polygon>`;
    const fes = `<Filter xmlns:gml="http://www.opengis.net/gml/3.2"><Intersects><ValueReference>geom</ValueReference>${gml}</Intersects></Filter>`;
    const wfs = await features({ typenames: 'world', outputformat: 'json', filter: fes });
    assert.deepEqual(
      wfs.json?.features?.map(({ properties }: any) => properties.name),
      expected,
      `${crs} ${shape} ${wfs.text}`,
    );
  }
});

test('a large shape of a filter that crosses itself everywhere is not overlaid', async () => {
  const count = 601;
  const corners = Array.from({ length: count + 1 }, (_, i) => {
    const angle = (2 * Math.PI * ((i * 300) % count)) / count;
    return `${Math.round(5e6 * Math.cos(angle))} ${Math.round(5e6 * Math.sin(angle))}`;
  }).join();
  for (const shape of [`POLYGON((${corners}))`, `LINESTRING(${corners})`]) {
    const answer = await items({ filter: `S_DISJOINT(geom,${shape})`, 'filter-crs': 'EPSG:3413' });
    assert.equal(answer.status, 200, answer.text);
  }
  // Its teeth lie over each other once they are turned around the pole.
  const teeth = Array.from({ length: 700 }, (_, i) => `${-5e6 + i * 14_000} ${i % 2 ? 5e6 : -4.9e6}`).join();
  const comb = `POLYGON((-5000000 -5000000,${teeth},5000000 -5000000,-5000000 -5000000))`;
  const answer = await items({ filter: `S_DISJOINT(geom,${comb})`, 'filter-crs': 'EPSG:3413' });
  assert.equal(answer.status, 400, answer.text);
  assert.match(answer.text, /crosses itself too often/);
});

test('objects where a system tears the world apart are cut there, and draw no stripes elsewhere', async () => {
  await server.admin('POST', '/m/layers/', { code: 'seam', css_style: '#seam { polygon-fill: #f00; }' });
  const square = (west: number, south: number, east: number, north: number) => ({
    fields: {},
    geom: {
      type: 'Polygon',
      coordinates: [
        [
          [west, south],
          [east, south],
          [east, north],
          [west, north],
          [west, south],
        ],
      ],
    },
  });
  await server.admin('POST', '/m/layers/seam/objects/batch/', {
    create: [
      // Across the equator, on the far side of 9 degrees east.
      square(105, -4, 115, 0),
      // Across the meridians opposite of those of France and of the Pacific.
      square(-179, -60, -170, 60),
      square(-35, -60, -25, 60),
      // Lambert's conic projections reach the other pole nowhere.
      square(0, -89.9, 20, -60),
      square(-45, 72, -36, 76),
    ],
  });
  const reds = async (crs: string, bbox: string): Promise<number> => {
    const answer = await get(
      `ogc/demo/m/collections/seam/map?crs=${crs}&bbox-crs=${crs}&bbox=${bbox}&width=50&height=50&transparent=true`,
    );
    assert.equal(answer.status, 200, answer.text);
    const pixels = await sharp(answer.bytes).ensureAlpha().raw().toBuffer();
    return pixels.filter((value, at) => at % 4 === 3 && value > 128).length;
  };
  for (const [crs, bbox] of [
    ['EPSG:25832', '500000,-3000000,6500000,3000000'],
    ['EPSG:2154', '0,-2000000,8000000,6000000'],
    ['EPSG:3832', '-8000000,1000000,1000000,8000000'],
    ['EPSG:3832', '5000000,-5000000,15000000,5000000'],
  ] as const)
    assert.equal(await reds(crs, bbox), 0, `${crs} ${bbox}`);
  // Goode's projection is cut into lobes: between two of them nothing lies.
  assert.equal(await reds('ESRI:54052', '-6000000,7000000,-4500000,8000000'), 0);
  // Both halves of an object stay, at both ends of the world.
  assert.ok((await reds('EPSG:3832', '-20037000,-4000000,-19600000,4000000')) > 2_000);
  assert.ok((await reds('EPSG:3832', '19600000,-4000000,20037000,4000000')) > 2_000);
});

test('objects that cross themselves everywhere, where a system tears the world apart, are drawn whole', async () => {
  await server.admin('POST', '/m/layers/', {
    code: 'stars',
    css_style: '#stars { polygon-fill: #f00; line-color: #00f; }',
  });
  const count = 1_001;
  const corners = Array.from({ length: count + 1 }, (_, i) => {
    const angle = (2 * Math.PI * ((i * 500) % count)) / count;
    return [-30 + 5 * Math.cos(angle), 5 * Math.sin(angle)];
  });
  for (const geom of [
    { type: 'Polygon', coordinates: [corners] },
    { type: 'LineString', coordinates: corners },
  ])
    await server.admin('POST', '/m/layers/stars/objects/', { fields: {}, geom });
  const crs = 'EPSG:3832';
  const answer = await get(
    `ogc/demo/m/collections/stars/map?crs=${crs}&bbox-crs=${crs}&bbox=-20037000,-1000000,-18037000,1000000&width=50&height=50`,
  );
  assert.equal(answer.status, 200, answer.text);
});

test('a list whose sort values are too long for a cursor goes on by offset, and never ends in silence', async () => {
  const first = await items({ sortby: 'long', limit: '2', properties: 'name' });
  const next = first.json.links.find(({ rel }: any) => rel === 'next')?.href;
  assert.ok(next, first.text);
  const second = await server.request('GET', `/${next.slice(server.url.length)}`);
  const third = await items({ sortby: 'long', limit: '2', offset: '4', properties: 'name' });
  assert.deepEqual([...ids(first), ...ids(second), ...ids(third)], [1, 2, 3, 4, 5]);
  assert.equal(
    third.json.links.some(({ rel }: any) => rel === 'next'),
    false,
  );
});

test('codes with a hyphen or an underscore first have names in every door', async () => {
  for (const code of ['-hyphen', '_1'])
    await server.admin('POST', `/m/layers/`, { code }).then(() =>
      server.admin('POST', `/m/layers/${code}/import/`, {
        type: 'FeatureCollection',
        features: [
          { type: 'Feature', properties: { _2: 'a' }, geometry: { type: 'Point', coordinates: [1, 1] } },
        ],
      }),
    );
  for (const f of ['gpkg', 'fgb', 'shp', 'parquet'])
    for (const layer of ['-hyphen', '_1']) {
      const answer = await items({ f }, layer);
      assert.equal(answer.status, 200, `${layer} as ${f}: ${answer.text.slice(0, 300)}`);
    }
  for (const typenames of ['-hyphen', 'map:_-hyphen', '_1', 'map:_1']) {
    const answer = await features({ typenames, propertyname: '_2', sortby: '_2' });
    assert.equal(answer.status, 200, `${typenames}: ${answer.text}`);
    assert.match(answer.text, /<map:_2>a<\/map:_2>/);
  }
});

test('years of five digits, which a query may give, do not prevent a file', async () => {
  const query =
    "select svc_id, geom, case svc_id when 1 then timestamptz '12000-01-01 00:00:00+00' else timestamptz '2024-01-01 00:00:00+00' end as at from m.world";
  await server.admin('POST', '/m/layers/', { code: 'far', type: 'virtual', json: { query } });
  for (const f of ['gpkg', 'fgb', 'parquet', 'shp', 'csv', 'xlsx', 'kml', 'mif', 'tab']) {
    const answer = await items({ f }, 'far');
    assert.equal(answer.status, 200, `${f}: ${answer.text.slice(0, 300)}`);
  }
});

test('an address that was copied with its parameters is taken, though the client adds them again', async () => {
  for (const service of ['wms', 'wfs', 'wmts']) {
    const copied = `${service}/demo/m?service=${service}&request=GetCapabilities`;
    const plain = await get(copied);
    assert.equal(plain.status, 200, plain.text);
    for (const more of [
      `SERVICE=${service.toUpperCase()}&REQUEST=GetCapabilities`,
      `service=${service}&request=GetCapabilities`,
      'version=&format=&updatesequence=',
    ]) {
      const answer = await get(`${copied}&${more}`);
      assert.deepEqual([answer.status, answer.text], [200, plain.text], `${service} ${more}`);
    }
    const other = await get(`${copied}&REQUEST=GetTile`);
    assert.match(other.text, /REQUEST must be given once/, service);
    const texts = await get(`${copied}&cql_filter=name='a'&CQL_FILTER=name='A'`);
    assert.match(texts.text, /must be given once/, `${service}: values that differ in case`);
  }
  const empty = { cql_filter: '', filter: '', bbox: '', count: '', sortby: '', propertyname: '' };
  const answer = await features({ typenames: 'world', outputformat: 'json', ...empty });
  assert.deepEqual(ids(answer), [1, 2, 3, 4, 5], answer.text);
});

test('a layer of one point, or of points on a line, has a box with room for its symbols', async () => {
  await server.admin('POST', '/', { code: 'narrow' });
  for (const [code, ...places] of [
    ['one', [2, 48]],
    ['row', [0, 45], [8, 45]],
    ['edge', [180, 40], [180, 60]],
  ] as const) {
    await server.admin('POST', '/narrow/layers/', { code });
    const create = places.map((coordinates) => ({ fields: {}, geom: { type: 'Point', coordinates } }));
    await server.admin('POST', `/narrow/layers/${code}/objects/batch/`, { create });
  }
  const wms = (await get('wms/demo/narrow/?service=WMS&request=GetCapabilities')).text;
  const wmts = (await get('wmts/demo/narrow/1.0.0/WMTSCapabilities.xml')).text;
  for (const [code, box] of [
    ['one', '1.995,47.995,2.005,48.005'],
    ['row', '0,44.8,8,45.2'],
    ['edge', '179.5,40,180,60'],
  ]) {
    const placed = new RegExp(
      `<Name>${code}</Name>[\\s\\S]*?CRS:84" minx="(.*?)" miny="(.*?)" maxx="(.*?)" maxy="(.*?)"`,
    );
    assert.equal(placed.exec(wms)?.slice(1).join(), box, wms);
    const corners = new RegExp(
      `Corner>(\\S+) (\\S+)</ows:LowerCorner>\\S*?>(\\S+) (\\S+)</ows:Upper.*\\s*<ows:Identifier>${code}<`,
    );
    assert.equal(corners.exec(wmts)?.slice(1).join(), box, wmts);
  }
});

test('the box of a layer reaches to the poles, and in EPSG:3857 as far as that system', async () => {
  await server.admin('POST', '/', { code: 'polar' });
  for (const [code, lat] of [
    ['arctic', 88],
    ['antarctic', -88],
  ] as const) {
    await server.admin('POST', '/polar/layers/', { code });
    const geom = {
      type: 'MultiPoint',
      coordinates: [
        [-100, lat],
        [100, lat - Math.sign(lat)],
      ],
    };
    await server.admin('POST', `/polar/layers/${code}/objects/`, { fields: {}, geom });
  }
  const { text } = await get('wms/demo/polar/?service=WMS&version=1.3.0&request=GetCapabilities');
  const box = (layer: string, crs: string): number[] =>
    [
      ...new RegExp(`<Name>${layer}<[\\s\\S]*?<BoundingBox CRS="${crs}" (.*?)/>`)
        .exec(text)![1]!
        .matchAll(/"(.*?)"/g),
    ].map(([, edge]) => Number(edge));
  const [west, south, east, north] = box('arctic', 'CRS:84');
  assert.ok(west === -100 && south! < 87.1 && east === 100 && north! > 87.9, text);
  assert.ok(box('antarctic', 'CRS:84')[1]! < -87.9, text);
  assert.ok(box('map.all', 'CRS:84')[1]! < -87.9, text);
  const half = 20_037_508.342_789_244;
  for (const layer of ['arctic', 'antarctic', 'map.all']) {
    const [, low, , high] = box(layer, 'EPSG:3857');
    assert.ok(low! >= -half && low! < high! && high! <= half, `${layer} ${low} ${high}`);
  }
  for (const path of [
    'map?width=100',
    'collections/arctic/map?width=100',
    'collections/arctic/map?width=100&crs=EPSG:4326',
  ])
    assert.equal((await get(`ogc/demo/polar/${path}`)).status, 200, path);
  const tiles = await get('ogc/demo/polar/collections/arctic/map/tiles/WebMercatorQuad?f=json');
  assert.ok(tiles.json.boundingBox.upperRight[1] <= half, tiles.text);
});

test('no answer may be given again by a cache that does not ask', async () => {
  const wfs = 'wfs/demo/m?service=WFS&version=2.0.0&request=';
  for (const path of [
    'api/2.8/demo/m/',
    'api/2.8/demo/m/layers/world/objects/',
    'ogc/demo',
    'ogc/demo/m',
    'ogc/demo/m?f=html',
    'ogc/demo/m/collections/world',
    'ogc/demo/m/collections/world/items',
    'ogc/demo/m/collections/world/schema',
    'ogc/demo/m/map/tiles/WebMercatorQuad',
    `${wfs}DescribeFeatureType`,
    `${wfs}GetCapabilities`,
    `${wfs}GetFeature&typenames=world`,
    'wms/demo/m/?service=WMS&request=GetCapabilities',
    'tiles/demo/m/tilejson.json',
    'tiles/demo/m/0/0/0.png',
    'ogc/demo/nothing',
  ])
    assert.match((await get(path)).headers.get('cache-control') ?? '', /no-cache|no-store/, path);
});

test('a question mark in a value is part of it, also in the addresses of the next pages', async () => {
  const condition = "name <> 'who?'";
  const written = (text: string): string => encodeURIComponent(text).replaceAll('%3F', '?');
  const pages = [
    ['ogc/demo/m/collections/world/items?limit=2&filter=', /"href":"([^"]*)","rel":"next"/],
    [
      'wfs/demo/m?service=WFS&version=2.0.0&request=GetFeature&typenames=world&count=2&cql_filter=',
      / next="([^"]*)"/,
    ],
  ] as const;
  for (const [address, inAnswer] of pages) {
    const first = await get(`${address}${written(condition)}`);
    const next = inAnswer.exec(first.text)?.[1]?.replaceAll('&amp;', '&');
    assert.ok(next, first.text);
    const { searchParams } = new URL(next, server.url);
    assert.equal(searchParams.get('filter') ?? searchParams.get('cql_filter'), condition, next);
  }
  const list = await get(`api/2.8/demo/m/layers/world/objects/?limit=2&filter=${written(condition)}`);
  const link = /^<([^>]*)>; rel="next"/.exec(list.headers.get('link') ?? '')?.[1];
  assert.equal(new URL(link ?? '', server.url).searchParams.get('filter'), condition, list.text);
  const tiles = await get('mvt/demo/m/tilejson.json?fields=name&filter=name<>%27who?%27');
  assert.ok(tiles.json?.tiles[0].includes('who?'), tiles.text);
  assert.equal(loggedUrl('/a?b=c?d&token=e?f'), '/a?b=c?d&token=…');
});
