/** Wrong values of every parameter of every door: an answer, or the exception of its standard; never a fault of the service. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { startServer, type TestAnswer, type TestServer } from '../support/server.js';

let server: TestServer;
test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
  for (const code of ['towns', 'secret'])
    await server.admin('POST', '/m/layers/', { code, css_style: `#${code} { marker-width: 4; }` });
  for (const [code, type] of [
    ['name', 'string'],
    ['people', 'number'],
    ['founded', 'datetime'],
  ])
    await server.admin('POST', '/m/layers/towns/structure/', { code, type });
  const create = [9, 10].map((x) => ({
    fields: { name: `Town ${x}`, people: x, founded: '2024-01-01T00:00:00Z' },
    geom: { type: 'Point', coordinates: [x, 50] },
  }));
  await server.admin('POST', '/m/layers/towns/objects/batch/', { create });
  await server.admin('PUT', '/m/layers/secret/rights/', { user: 'public', right: 'none' });
});
test.after(() => server?.stop());

const long = 'a'.repeat(2_000);
const texts = ['', 'constructor', "'<&>", '\u0000', '%𝕏', '-1', long];
const numbers = ['', 'x', '-1', '0', '1.5', '1e3', 'Infinity', '9'.repeat(30), '١'];
const boxes = [
  '',
  'a,b,c,d',
  '1,2,3',
  '1,2,3,4,5',
  '1,2,3,4,5,6',
  '1,2,3,4,5,6,7',
  ',,,',
  '9,49,9,49',
  '51,11,49,9',
  '170,-10,-170,10',
  '-181,-91,181,91',
  '49,8,51,12',
  '0,0,1e-300,1e-300',
  '1e308,1e308,1.1e308,1.1e308',
  'NaN,NaN,NaN,NaN',
  '-Infinity,-90,Infinity,90',
];
const systems = [
  'EPSG:0',
  'EPSG:99999',
  'EPSG:4978',
  'EPSG:5773',
  'EPSG:4326;EPSG:3857',
  "EPSG:4326'--",
  'urn:ogc:def:crs:EPSG::',
  'http://127.0.0.1:1/def/crs/EPSG/0/4326',
  'AUTO2:42001,1,9,50',
  '4326',
  long,
];
const nested = (levels: number): string => `${'('.repeat(levels)}people > 1${')'.repeat(levels)}`;
const jsonNested = (levels: number): string =>
  `${'{"op":"not","args":['.repeat(levels)}{"op":"=","args":[1,1]}${']}'.repeat(levels)}`;
const cql = [
  '',
  '((',
  'people >',
  "people = 'x'",
  'none = 1',
  'people = 1e999',
  'people / 0 > 1',
  'people ^ 1e9 > 1',
  nested(3_000),
  `${'NOT '.repeat(3_000)}people > 1`,
  Array.from({ length: 2_000 }, (_, i) => `people = ${i}`).join(' OR '),
  jsonNested(500),
  '{"op":"=","args":[]}',
  '{"op":"__proto__","args":[1]}',
  '[]',
  'null',
  `name LIKE '${'%a'.repeat(500)}'`,
  'S_INTERSECTS(geom, POLYGON((0 0, 1 1)))',
  'S_INTERSECTS(geom, POINT(1e300 1e300))',
  "founded > TIMESTAMP('99999-01-01T00:00:00Z')",
  "founded > DATE('2024-02-31')",
  'S_INTERSECTS(name, geom)',
];
/** What fails in different places: reading, compiling, calculating. Other doors have the same compiler. */
const fewFilters = ['', 'people >', 'none = 1', 'people ^ 1e9 > 1', nested(500), jsonNested(500)];
const fewBoxes = [
  '',
  '1,2,3',
  '9,49,9,49',
  '170,-10,-170,10',
  '1e308,1e308,1.1e308,1.1e308',
  'NaN,NaN,NaN,NaN',
];
const fewSystems = ['EPSG:99999', 'EPSG:4978', "EPSG:4326'--", long];
const entity = '<!DOCTYPE f [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>';
const fes = (content: string): string =>
  `<fes:Filter xmlns:fes="http://www.opengis.net/fes/2.0" xmlns:gml="http://www.opengis.net/gml/3.2">${content}</fes:Filter>`;
const xmlFilters = [
  '<',
  '<a',
  '<a></b>',
  `${entity}<Filter>&c;</Filter>`,
  fes(''),
  fes('<fes:Nothing/>'),
  fes(`${'<fes:Not>'.repeat(2_000)}${'</fes:Not>'.repeat(2_000)}`),
  fes(
    `${'<fes:Not>'.repeat(80)}<fes:PropertyIsNull><fes:ValueReference>name</fes:ValueReference></fes:PropertyIsNull>${'</fes:Not>'.repeat(80)}`,
  ),
  fes(
    '<fes:PropertyIsEqualTo><fes:Literal>1</fes:Literal><fes:Literal>1</fes:Literal></fes:PropertyIsEqualTo>',
  ),
  fes('<fes:BBOX><gml:Envelope><gml:lowerCorner>1</gml:lowerCorner></gml:Envelope></fes:BBOX>'),
  fes(
    '<fes:BBOX><gml:Envelope srsName="EPSG:99999"><gml:lowerCorner>1 1</gml:lowerCorner><gml:upperCorner>2 2</gml:upperCorner></gml:Envelope></fes:BBOX>',
  ),
  fes(
    '<fes:Intersects><fes:ValueReference>geom</fes:ValueReference><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>1 2 3</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></fes:Intersects>',
  ),
  fes(
    '<fes:DWithin><fes:ValueReference>geom</fes:ValueReference><gml:Point><gml:pos>1 1</gml:pos></gml:Point><fes:Distance uom="m">1e400</fes:Distance></fes:DWithin>',
  ),
  fes('<fes:ResourceId rid="towns.99999999999999999999"/>'),
];

type Parameters = Readonly<Record<string, readonly string[]>>;
interface Door {
  name: string;
  path: string;
  /** A request that is right. */
  base: Readonly<Record<string, string>>;
  /** Wrong values by parameter. */
  wrong: Parameters;
}

const layers = [...texts, 'nothing', 'secret', 'towns,nothing', ',', 'towns,'.repeat(1_200)];
const formats = ['', 'x', 'image/tiff', 'text/html', long, '*/*'];
const picture: Parameters = { width: numbers, height: numbers };
const ows: Parameters = { service: texts, request: texts, version: [...texts, '0', '9.9.9', '1'] };
const wms = { service: 'WMS', version: '1.3.0', request: 'GetMap', layers: 'towns', styles: '' };
const wmsPlace = { crs: 'EPSG:4326', bbox: '49,8,51,12', width: '64', height: '64', format: 'image/png' };
const wfs = { service: 'WFS', version: '2.0.0', request: 'GetFeature', typenames: 'map:towns' };
const wmsWrong: Parameters = {
  ...ows,
  ...picture,
  layers,
  styles: [...texts, 'default,default,default'],
  crs: systems,
  bbox: boxes,
  format: formats,
  transparent: texts,
  bgcolor: [...texts, '0x', '0xGGGGGG', 'red'],
  dpi: numbers,
  cql_filter: fewFilters,
  sld_body: xmlFilters.slice(0, 4),
  lng: texts,
};
const doors: readonly Door[] = [
  { name: 'WMS GetMap', path: 'wms/demo/m/', base: { ...wms, ...wmsPlace }, wrong: wmsWrong },
  {
    name: 'WMS 1.1.1',
    path: 'wms/demo/m/',
    base: {
      ...wms,
      version: '1.1.1',
      srs: 'EPSG:4326',
      bbox: '8,49,12,51',
      width: '64',
      height: '64',
      format: 'image/png',
    },
    wrong: { srs: fewSystems, bbox: fewBoxes },
  },
  {
    name: 'WMS GetFeatureInfo',
    path: 'wms/demo/m/',
    base: { ...wms, ...wmsPlace, request: 'GetFeatureInfo', query_layers: 'towns', i: '1', j: '1' },
    wrong: {
      i: numbers,
      j: numbers,
      query_layers: layers,
      info_format: formats,
      feature_count: numbers,
      fi_point_tolerance: numbers,
      crs: fewSystems,
      bbox: fewBoxes,
    },
  },
  {
    name: 'WMS GetLegendGraphic',
    path: 'wms/demo/m/',
    base: {
      service: 'WMS',
      version: '1.3.0',
      request: 'GetLegendGraphic',
      layer: 'towns',
      format: 'image/png',
    },
    wrong: { layer: layers, format: formats, lng: texts },
  },
  {
    name: 'WMTS',
    path: 'wmts/demo/m/',
    base: {
      ...{ service: 'WMTS', version: '1.0.0', request: 'GetTile', layer: 'towns', style: 'default' },
      ...{
        tilematrixset: 'WebMercatorQuad',
        tilematrix: '3',
        tilerow: '2',
        tilecol: '4',
        format: 'image/png',
      },
    },
    wrong: {
      ...ows,
      layer: layers,
      style: texts,
      tilematrixset: texts,
      tilematrix: numbers,
      tilerow: numbers,
      tilecol: numbers,
      format: formats,
      filter: fewFilters,
    },
  },
  {
    name: 'WFS GetFeature',
    path: 'wfs/demo/m',
    base: wfs,
    wrong: {
      ...ows,
      typenames: [...layers, '()', '(towns)(nothing)', '(towns'],
      count: numbers,
      startindex: numbers,
      resulttype: texts,
      srsname: systems,
      bbox: [...boxes, ...fewSystems.map((one) => `8,49,12,51,${one}`)],
      propertyname: texts,
      sortby: [...texts, 'geom', 'name SIDEWAYS'],
      resourceid: [...texts, 'towns.x', `towns.${'9'.repeat(30)}`, 'towns.1,secret.1'],
      outputformat: formats,
      cql_filter: cql,
      filter: xmlFilters,
      storedquery_id: texts,
    },
  },
  {
    name: 'WFS GetPropertyValue',
    path: 'wfs/demo/m',
    base: { ...wfs, request: 'GetPropertyValue', valuereference: 'name' },
    wrong: { valuereference: [...texts, 'a/b/c', '@gml:id', 'geom'] },
  },
  {
    name: 'WFS DescribeFeatureType',
    path: 'wfs/demo/m',
    base: { ...wfs, request: 'DescribeFeatureType' },
    wrong: { typenames: layers },
  },
  {
    name: 'items',
    path: 'ogc/demo/m/collections/towns/items',
    base: {},
    wrong: {
      limit: numbers,
      bbox: boxes,
      'bbox-crs': systems,
      crs: systems,
      datetime: [
        ...texts,
        '/',
        '../..',
        '2024-01-01/2023-01-01',
        '2024-13-01',
        '2024-01-01T00:00:00Z/P1Y',
        '99999-01-01/..',
      ],
      filter: cql,
      'filter-lang': texts,
      'filter-crs': systems,
      sortby: [...texts, 'geom', '-', 'name,,people', `${' '.repeat(200)}x\n`],
      properties: texts,
      cursor: texts,
      before: texts,
      offset: numbers,
      people: numbers,
      f: formats,
      lng: texts,
    },
  },
  {
    name: 'Maps',
    path: 'ogc/demo/m/map',
    base: { bbox: '8,49,12,51', width: '64', height: '64' },
    wrong: {
      ...picture,
      bbox: fewBoxes,
      'bbox-crs': fewSystems,
      crs: fewSystems,
      'mm-per-pixel': numbers,
      bgcolor: texts,
      transparent: texts,
      collections: layers,
      filter: fewFilters,
      f: formats,
    },
  },
  {
    name: 'map tiles',
    path: 'ogc/demo/m/map/tiles/WorldCRS84Quad/3/1/8',
    base: {},
    wrong: { collections: layers, filter: fewFilters, f: formats },
  },
  {
    name: 'vector tiles',
    path: 'ogc/demo/m/tiles/WebMercatorQuad/3/2/4',
    base: {},
    wrong: { collections: layers, filter: fewFilters, f: formats },
  },
  {
    name: 'XYZ',
    path: 'tiles/demo/m/3/4/2.png',
    base: {},
    wrong: { layers: numbers, base: texts, filter: fewFilters, lng: texts },
  },
];

const get = (path: string, query: Readonly<Record<string, string>>): Promise<TestAnswer> =>
  server.request('GET', `//${path}?${new URLSearchParams(query)}`, {
    headers: { accept: 'application/json' },
  });

/** Fails unless it is an answer, or an exception in the form of the standard that names what is wrong. */
function demandForm(answer: TestAnswer, path: string, what: string): void {
  const { status, text, headers } = answer;
  const shown = `${what}: ${status} ${text.slice(0, 300)}`;
  assert.ok(status < 500, shown);
  // An address that is too long is refused before it is read.
  if (status < 400 || status === 431) return;
  const type = headers.get('content-type') ?? '';
  if (/^w/.test(path)) {
    assert.match(type, /xml/, shown);
    assert.match(text, /<(ows:)?(ServiceException|ExceptionText)/, shown);
  } else if (/^ogc/.test(path)) assert.equal(type, 'application/problem+json', shown);
  assert.doesNotMatch(text, /internal|node_modules|\.js:\d|root:x/, shown);
}

for (const { name, path, base, wrong } of doors)
  test(`${name}: wrong values of every parameter`, async () => {
    assert.equal((await get(path, base)).status, 200);
    for (const [parameter, values] of Object.entries(wrong))
      for (const value of values) {
        const what = `${name} ${parameter}=${value.slice(0, 60)}`;
        demandForm(await get(path, { ...base, [parameter]: value }), path, what);
      }
    for (const parameter of Object.keys(base)) {
      const { [parameter]: _, ...rest } = base;
      demandForm(await get(path, rest), path, `${name} without ${parameter}`);
    }
    const twice = Object.keys(base)[0] ?? Object.keys(wrong)[0]!;
    const doubled = `//${path}?${new URLSearchParams({ ...base, [twice]: '1' })}&${twice}=2`;
    demandForm(await server.request('GET', doubled), path, `${name} ${twice} twice`);
  });

test('bodies of XML that attack', async () => {
  const body = (content: string) =>
    `<wfs:GetFeature xmlns:wfs="http://www.opengis.net/wfs/2.0" service="WFS" version="2.0.0">${content}</wfs:GetFeature>`;
  const bodies = [
    '',
    '<',
    '{}',
    '\u0000',
    body(''),
    body('<wfs:Query/>'),
    body('<wfs:Query typeNames="map:towns"/>'.repeat(200)),
    body('<wfs:Query typeNames="map:towns"/><wfs:StoredQuery id="x"/>'),
    ...xmlFilters.map((filter) =>
      body(`<wfs:Query typeNames="map:towns">${filter.replace(/<!DOCTYPE.*]>/, '')}</wfs:Query>`),
    ),
    `${entity}${body('&b;')}`,
    `<?xml version="1.0" encoding="UTF-16"?>${body('')}`,
    body(`<!--${'-'.repeat(10_000)}`),
    body('<a>'.repeat(50_000)),
    body(`<wfs:Query ${Array.from({ length: 5_000 }, (_, i) => `a${i}="1"`).join(' ')}/>`),
    body('<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/>'),
    '<wfs:Transaction xmlns:wfs="http://www.opengis.net/wfs/2.0" service="WFS" version="2.0.0"><wfs:Native vendorId="x" safeToIgnore="true"/></wfs:Transaction>',
    '<wfs:LockFeature xmlns:wfs="http://www.opengis.net/wfs/2.0"/>',
  ];
  for (const content of bodies) {
    const answer = await server.request('POST', '//wfs/demo/m', {
      body: content,
      headers: { 'content-type': 'application/xml' },
      token: server.adminToken,
    });
    demandForm(answer, 'wfs', content.slice(0, 150));
  }
});

test('a layer without rights is answered like one that does not exist, at every door', async () => {
  const ask: [path: (layer: string) => string, query?: (layer: string) => Record<string, string>][] = [
    ...[
      '',
      '/items',
      '/items/1',
      '/queryables',
      '/feature-schema',
      '/schema',
      '/map',
      '/map/tiles',
      '/tiles',
      '/map/tiles/WebMercatorQuad/3/2/4',
    ].map((end): [(layer: string) => string] => [(layer) => `ogc/demo/m/collections/${layer}${end}`]),
    [() => 'ogc/demo/m/map', (collections) => ({ collections })],
    [() => 'wms/demo/m/', (layer) => ({ ...wms, ...wmsPlace, layers: layer })],
    [() => 'wmts/demo/m/', (layer) => ({ ...doors[4]!.base, layer })],
    [(layer) => `wmts/demo/m/${layer}/default/WebMercatorQuad/3/2/4.png`],
    ...['GetFeature', 'DescribeFeatureType'].map(
      (request): [() => string, (layer: string) => Record<string, string>] => [
        () => 'wfs/demo/m',
        (typenames) => ({ ...wfs, request, typenames }),
      ],
    ),
    [() => 'wfs/demo/m', (layer) => ({ service: 'WFS', request: 'GetFeature', resourceid: `${layer}.1` })],
  ];
  for (const [path, query] of ask) {
    const [hidden, unknown] = [
      await get(path('secret'), query?.('secret') ?? {}),
      await get(path('nothing'), query?.('nothing') ?? {}),
    ];
    assert.ok(hidden.status === 400 || hidden.status === 404, `${path('secret')}: ${hidden.status}`);
    assert.deepEqual(
      [hidden.status, hidden.text.replaceAll('secret', 'nothing')],
      [unknown.status, unknown.text],
      path('secret'),
    );
  }
});
