import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { promisify } from 'node:util';
import { startServer, type TestAnswer, type TestServer } from '../support/server.js';

let server: TestServer;
const door = '//wfs/demo/m';

test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm', name: 'Map <b>' });
  await server.admin('POST', '/m/layers/', { code: 'towns', name: 'Towns & more' });
  for (const [code, type] of [
    ['name', 'string'],
    ['people', 'number'],
    ['founded', 'datetime'],
    ['capital', 'bool'],
  ])
    await server.admin('POST', '/m/layers/towns/structure/', { code, type });
  const create = Array.from({ length: 25 }, (_, i) => ({
    fields: {
      name: i === 7 ? '<script> & \u0001' : `Town ${i + 1}`,
      people: i % 5 === 4 ? null : i * 100,
      founded: `2024-01-${String(i + 1).padStart(2, '0')}T12:00:00Z`,
      capital: i === 0,
    },
    geom: { type: 'Point', coordinates: [9 + i / 10, 50] },
  }));
  await server.admin('POST', '/m/layers/towns/objects/batch/', { create });
  await server.admin('POST', '/m/layers/', { code: 'areas' });
  const square = (x: number) => [
    [
      [x, 0],
      [x + 1, 0],
      [x + 1, 1],
      [x, 1],
      [x, 0],
    ],
  ];
  await server.admin('POST', '/m/layers/areas/objects/batch/', {
    create: [
      { fields: {}, geom: { type: 'Polygon', coordinates: square(0) } },
      { fields: {}, geom: { type: 'MultiPolygon', coordinates: [square(2), square(4)] } },
    ],
  });
  await server.admin('POST', '/m/layers/', { code: 'secret' });
  await server.admin('PUT', '/m/layers/secret/rights/', { user: 'public', right: 'none' });
});
test.after(() => server.stop());

const kvp = (parameters: Record<string, string>) =>
  server.request(
    'GET',
    `${door}?${new URLSearchParams({ service: 'WFS', version: '2.0.0', ...parameters })}`,
  );
const features = (parameters: Record<string, string> = {}) =>
  kvp({ request: 'GetFeature', typenames: 'map:towns', ...parameters });
const post = (xml: string | Buffer, token?: string) =>
  server.request('POST', door, {
    body: xml,
    headers: { 'content-type': 'text/xml' },
    ...(token ? { token } : {}),
  });
const ids = ({ text }: TestAnswer): number[] =>
  [...text.matchAll(/<map:towns gml:id="towns\.(\d+)">/g)].map(([, id]) => Number(id));

/** Throws for a text that is no XML; the reader of the service is not asked. */
async function demandXml(text: string): Promise<void> {
  const child = promisify(execFile)('python3', [
    '-c',
    'import sys,xml.dom.minidom as d; d.parse(sys.stdin.buffer)',
  ]);
  child.child.stdin!.end(text);
  await child;
}

test('capabilities and schemas describe what a caller may view', async () => {
  const capabilities = await kvp({ request: 'GetCapabilities' });
  assert.equal(capabilities.status, 200, capabilities.text);
  await demandXml(capabilities.text);
  assert.match(capabilities.text, /<ows:Title>Map &lt;b&gt;</);
  assert.match(capabilities.text, /<wfs:Name>map:towns<[\s\S]*<wfs:Title>Towns &amp; more</);
  assert.match(
    capabilities.text,
    /<ows:LowerCorner>(9|8\.99\d*) (50|49\.99\d*)<\/ows:LowerCorner><ows:UpperCorner>11\.(4|39\d*|40\d*) 50/,
  );
  assert.doesNotMatch(capabilities.text, /secret/);
  const again = await server.request('GET', `${door}?service=WFS&request=GetCapabilities&version=2.0.0`, {
    headers: { 'if-none-match': capabilities.headers.get('etag')! },
  });
  assert.equal(again.status, 304);
  for (const accepted of ['1.1.0', '1.0.0']) {
    const refused = await kvp({ request: 'GetCapabilities', acceptversions: accepted });
    assert.match(refused.text, /exceptionCode="VersionNegotiationFailed"/);
  }
  const schema = await kvp({ request: 'DescribeFeatureType', typenames: 'map:towns,areas' });
  await demandXml(schema.text);
  assert.match(schema.text, /name="people" type="xsd:double" minOccurs="0"/);
  assert.match(schema.text, /name="founded" type="xsd:dateTime"/);
  assert.match(schema.text, /name="geom" type="gml:PointPropertyType"/);
  assert.match(schema.text, /name="geom" type="gml:MultiSurfacePropertyType"/);
});

test('an error of an order names the parameter of the request', async () => {
  for (const sortby of ['nothing', 'geom', 'name,name'])
    assert.match((await features({ sortby })).text, /locator="sortby">\s*<ExceptionText>sortby: /);
});

test('a request says the kind of the geometries of a layer without any, whose schema it is', async () => {
  await server.admin('POST', '/m/layers/', { code: 'first' });
  const described = async (more: Record<string, string>, typenames = 'first') =>
    /name="geom" type="gml:(\w+)PropertyType"/.exec(
      (await kvp({ request: 'DescribeFeatureType', typenames, ...more })).text,
    )?.[1];
  assert.equal(await described({}), 'Geometry');
  for (const [geometry, type] of Object.entries({ point: 'Point', line: 'Curve', Polygon: 'Surface' }))
    assert.equal(await described({ geometry }), type);
  assert.equal(await described({ geometry: 'polygon' }, 'towns'), 'Point', 'a kind that is known');
  const wrong = await kvp({ request: 'DescribeFeatureType', typenames: 'first', geometry: 'cube' });
  assert.match(
    wrong.text,
    /locator="geometry">\s*<ExceptionText>geometry is point, line, polygon, not 'cube'</,
  );
  const [point, line] = [
    { type: 'Point', coordinates: [1, 2] },
    {
      type: 'LineString',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    },
  ].map((geom) => ({ fields: {}, geom }));
  await server.admin('POST', '/m/layers/first/objects/batch/', { create: [point, line] });
  assert.equal(await described({ geometry: 'polygon' }), 'Geometry', 'several kinds');
  await server.admin('DELETE', '/m/layers/first/');
});

test('features come in GML and in GeoJSON, in the order of the axes of their system', async () => {
  const all = await features();
  assert.equal(all.headers.get('content-type'), 'application/gml+xml; version=3.2; charset=utf-8');
  await demandXml(all.text);
  assert.match(all.text, /numberMatched="25" numberReturned="25">/);
  assert.match(all.text, /<map:name>&lt;script&gt; &amp; <\/map:name>/);
  assert.match(
    all.text,
    /<map:geom><gml:Point srsName="urn:ogc:def:crs:EPSG::4326" gml:id="towns\.1\.geom"><gml:pos>50 9<\/gml:pos>/,
  );
  const short = await features({ srsname: 'EPSG:4326', count: '1' });
  assert.match(short.text, /srsName="EPSG:4326"[^>]*><gml:pos>9 50</);
  const metres = await features({ srsname: 'urn:ogc:def:crs:EPSG::25832', count: '1' });
  assert.match(metres.text, /<gml:pos>(499999\.99\d*|500000(\.\d+)?) 55386\d\d/);
  const areas = await kvp({ request: 'GetFeature', typenames: 'areas' });
  await demandXml(areas.text);
  assert.equal(areas.text.match(/<gml:MultiSurface /g)?.length, 2);
  assert.equal(new Set(areas.text.match(/gml:id="[^"]*"/g)).size, 2 + 2 + 3);
  const json = await features({ outputformat: 'application/json', srsname: 'urn:ogc:def:crs:EPSG::4326' });
  const items = await server.request('GET', '//ogc/demo/m/collections/towns/items');
  assert.deepEqual(json.json.features, items.json.features);
});

test('pages lead on and back, and hits are counted', async () => {
  const first = await features({ count: '10', sortby: 'people DESC' });
  const next = /next="([^"]*)"/.exec(first.text)![1]!.replaceAll('&amp;', '&');
  const second = await server.request('GET', `/${next.slice(server.url.length)}`);
  const whole = ids(await features({ sortby: 'people D' }));
  assert.deepEqual([...ids(first), ...ids(second)], whole.slice(0, 20));
  assert.match(second.text, /previous="[^"]*startIndex=0"/);
  assert.match(first.text, /numberMatched="25" numberReturned="10"/);
  const last = /next="([^"]*)"/.exec(second.text)![1]!.replaceAll('&amp;', '&');
  const end = await server.request('GET', `/${last.slice(server.url.length)}`);
  assert.doesNotMatch(end.text, /next="/);
  // A body has the address of a page, too, with its filter as CQL2.
  const body = await post(
    `<wfs:GetFeature ${spaces} service="WFS" version="2.0.0" count="2"><wfs:Query typeNames="map:towns"><fes:Filter><fes:And><fes:BBOX>${envelope('49 8.9,51 9.45', 'urn:ogc:def:crs:EPSG::4326')}</fes:BBOX><fes:PropertyIsGreaterThan>${literal('people', 50)}</fes:PropertyIsGreaterThan></fes:And></fes:Filter><fes:SortBy><fes:SortProperty><fes:ValueReference>people</fes:ValueReference><fes:SortOrder>DESC</fes:SortOrder></fes:SortProperty></fes:SortBy></wfs:Query></wfs:GetFeature>`,
  );
  assert.deepEqual(ids(body), [4, 3]);
  const rest = /next="([^"]*)"/.exec(body.text)![1]!.replaceAll('&amp;', '&');
  assert.deepEqual(ids(await server.request('GET', `/${rest.slice(server.url.length)}`)), [2]);
  const hits = await features({ resulttype: 'hits', cql_filter: 'people > 2000' });
  assert.match(hits.text, /numberMatched="3" numberReturned="0"/);
  assert.deepEqual(ids(hits), []);
});

const literal = (name: string, value: unknown) =>
  `<fes:ValueReference>map:${name}</fes:ValueReference><fes:Literal>${value}</fes:Literal>`;
const envelope = (corners: string, system: string) =>
  `<gml:Envelope srsName="${system}"><gml:lowerCorner>${corners.split(',')[0]}</gml:lowerCorner><gml:upperCorner>${corners.split(',')[1]}</gml:upperCorner></gml:Envelope>`;
const point =
  '<gml:Point srsName="urn:ogc:def:crs:EPSG::4326" gml:id="p"><gml:pos>50 10</gml:pos></gml:Point>';
const idIs = (id: string) =>
  `<fes:ValueReference>@gml:id</fes:ValueReference><fes:Literal>${id}</fes:Literal>`;
const conditions: [fes: string, expected: number[]][] = [
  [`<fes:PropertyIsEqualTo>${literal('name', 'Town 3')}</fes:PropertyIsEqualTo>`, [3]],
  [`<fes:PropertyIsEqualTo matchCase="false">${literal('name', 'tOWN 3')}</fes:PropertyIsEqualTo>`, [3]],
  [
    `<fes:And><fes:PropertyIsGreaterThan>${literal('people', 2100)}</fes:PropertyIsGreaterThan><fes:Not><fes:PropertyIsEqualTo>${literal('people', 2300)}</fes:PropertyIsEqualTo></fes:Not></fes:And>`,
    [23],
  ],
  [
    `<fes:PropertyIsLike wildCard="*" singleChar="?" escapeChar="!">${literal('name', 'Town 2?')}</fes:PropertyIsLike>`,
    [20, 21, 22, 23, 24, 25],
  ],
  [
    '<fes:PropertyIsNull><fes:ValueReference>people</fes:ValueReference></fes:PropertyIsNull>',
    [5, 10, 15, 20, 25],
  ],
  [
    '<fes:PropertyIsBetween><fes:ValueReference>people</fes:ValueReference><fes:LowerBoundary><fes:Literal>100</fes:Literal></fes:LowerBoundary><fes:UpperBoundary><fes:Literal>200</fes:Literal></fes:UpperBoundary></fes:PropertyIsBetween>',
    [2, 3],
  ],
  [`<fes:PropertyIsEqualTo>${literal('capital', 'true')}</fes:PropertyIsEqualTo>`, [1]],
  [`<fes:PropertyIsLessThan>${literal('founded', '2024-01-03T00:00:00Z')}</fes:PropertyIsLessThan>`, [1, 2]],
  [
    `<fes:BBOX><fes:ValueReference>geom</fes:ValueReference>${envelope('49 9.95,51 10.15', 'urn:ogc:def:crs:EPSG::4326')}</fes:BBOX>`,
    [11, 12],
  ],
  [`<fes:BBOX>${envelope('9.95 49,10.15 51', 'EPSG:4326')}</fes:BBOX>`, [11, 12]],
  [
    `<fes:BBOX>${envelope('567800 5500000,583000 5600000', 'urn:ogc:def:crs:EPSG::25832')}</fes:BBOX>`,
    [11, 12],
  ],
  [`<fes:Intersects><fes:ValueReference>map:geom</fes:ValueReference>${point}</fes:Intersects>`, [11]],
  [
    `<fes:DWithin><fes:ValueReference>geom</fes:ValueReference>${point}<fes:Distance uom="km">8</fes:Distance></fes:DWithin>`,
    [10, 11, 12],
  ],
  ['<fes:ResourceId rid="towns.4"/><fes:ResourceId rid="areas.5"/>', [4]],
  [`<fes:PropertyIsEqualTo>${idIs('towns.4')}</fes:PropertyIsEqualTo>`, [4]],
  [`<fes:PropertyIsEqualTo>${idIs('areas.4')}</fes:PropertyIsEqualTo>`, []],
  [
    `<fes:And><fes:PropertyIsGreaterThan>${literal('people', 2100)}</fes:PropertyIsGreaterThan><fes:PropertyIsNotEqualTo>${idIs('towns.24')}</fes:PropertyIsNotEqualTo></fes:And>`,
    [23],
  ],
  [
    '<fes:During><fes:ValueReference>founded</fes:ValueReference><gml:TimePeriod gml:id="t"><gml:beginPosition>2024-01-02T00:00:00Z</gml:beginPosition><gml:endPosition>2024-01-03T13:00:00Z</gml:endPosition></gml:TimePeriod></fes:During>',
    [2, 3],
  ],
  [
    '<fes:During><fes:ValueReference>founded</fes:ValueReference><gml:TimePeriod gml:id="t"><gml:beginPosition>2024-01-24</gml:beginPosition><gml:endPosition indeterminatePosition="now"/></gml:TimePeriod></fes:During>',
    [24, 25],
  ],
  [
    '<fes:AnyInteracts><fes:ValueReference>founded</fes:ValueReference><gml:TimePeriod gml:id="t"><gml:begin/><gml:end><gml:TimeInstant gml:id="e"><gml:timePosition>2024-01-02T12:00:00Z</gml:timePosition></gml:TimeInstant></gml:end></gml:TimePeriod></fes:AnyInteracts>',
    [1, 2],
  ],
];
const spaces =
  'xmlns:fes="http://www.opengis.net/fes/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:wfs="http://www.opengis.net/wfs/2.0"';

test('filters of FES 2.0, by parameters and in a body, select like CQL2', async () => {
  for (const [fes, expected] of conditions) {
    const filter = `<fes:Filter ${spaces}>${fes}</fes:Filter>`;
    const byKvp = await features({ filter });
    assert.equal(byKvp.status, 200, `${fes}: ${byKvp.text}`);
    assert.deepEqual(ids(byKvp), expected, fes);
    const body = `<?xml version="1.0"?><wfs:GetFeature ${spaces} service="WFS" version="2.0.0"><wfs:Query typeNames="map:towns">${filter}</wfs:Query></wfs:GetFeature>`;
    assert.deepEqual(ids(await post(body)), expected, fes);
  }
  for (const [parameters, expected] of [
    [{ bbox: '49,9.95,51,10.15' }, [11, 12]],
    [{ bbox: '9.95,49,10.15,51,EPSG:4326' }, [11, 12]],
    [{ bbox: '1107630,6000000,1129890,7000000,EPSG:900913' }, [11, 12]],
    [{ resourceid: 'towns.2,towns.9' }, [2, 9]],
    [{ cql_filter: "name = 'Town 6' AND S_INTERSECTS(geom, POINT(9.5 50))" }, [6]],
  ] as const)
    assert.deepEqual(ids(await features(parameters)), expected);
  const some = await features({ propertyname: 'name', count: '1' });
  assert.match(some.text, /<map:towns gml:id="towns.1"><map:name>Town 1<\/map:name><\/map:towns>/);
  const values = await kvp({
    request: 'GetPropertyValue',
    typenames: 'towns',
    valuereference: 'name',
    count: '2',
  });
  assert.match(values.text, /<wfs:member><map:name>Town 1<\/map:name><\/wfs:member><wfs:member>/);
  for (const [valuereference, count] of [
    ['people', 20],
    ['map:geom', 25],
  ] as const) {
    const some = await kvp({ request: 'GetPropertyValue', typenames: 'towns', valuereference });
    assert.match(some.text, new RegExp(`numberMatched="${count}" numberReturned="${count}"`));
    assert.equal(some.text.split('<wfs:member>').length - 1, count, valuereference);
  }
  const stored = (storedquery_id: string): Promise<TestAnswer> =>
    kvp({ request: 'GetFeature', storedquery_id, id: 'towns.3' });
  const byId = await stored('urn:ogc:def:query:OGC-WFS::GetFeatureById');
  const byAddress = await stored('http://www.opengis.net/def/query/OGC-WFS/0/GetFeatureById');
  assert.equal(byAddress.text, byId.text);
  await demandXml(byId.text);
  assert.match(byId.text, /^<\?xml[^>]*>\n<map:towns xmlns/);
});

test('the id of a feature is a value that can be asked for; it has no order, and other attributes are refused', async () => {
  const values = { request: 'GetPropertyValue', typenames: 'towns' };
  const byIds = await kvp({ ...values, valuereference: '@gml:id', count: '2', sortby: '@gml:id DESC' });
  assert.match(byIds.text, /<wfs:member>towns\.25<\/wfs:member>\s*<wfs:member>towns\.24<\/wfs:member>/);
  const attribute = await kvp({ ...values, valuereference: '@lang' });
  assert.deepEqual([attribute.status, /locator="valueReference"/.test(attribute.text)], [400, true]);
  const less = `<fes:Filter ${spaces}><fes:PropertyIsLessThan>${idIs('towns.4')}</fes:PropertyIsLessThan></fes:Filter>`;
  const refused = await features({ filter: less });
  assert.match(refused.text, /PropertyIsLessThan cannot compare the ids of features/);
});

test('several queries give a collection each', async () => {
  const several = { request: 'GetFeature', typenames: '(map:towns)(areas)', filter: '', count: '3' };
  const { filter: _, ...asked } = several;
  const answer = await kvp(asked);
  await demandXml(answer.text);
  assert.match(answer.text, /numberMatched="27" numberReturned="3">\n<wfs:member><wfs:FeatureCollection /);
  assert.equal(answer.text.match(/<wfs:FeatureCollection /g)!.length, 3);
  const json = await kvp({ ...asked, count: '26', outputformat: 'json', propertyname: '(name)(geom)' });
  assert.equal(json.json.features.length, 26);
  const byBody = await post(
    `<wfs:GetFeature ${spaces} service="WFS" version="2.0.0"><wfs:Query typeNames="towns"><fes:Filter><fes:ResourceId rid="towns.3"/></fes:Filter></wfs:Query><wfs:Query typeNames="areas"/></wfs:GetFeature>`,
  );
  assert.deepEqual(ids(byBody), [3]);
  assert.match(byBody.text, /numberMatched="3" numberReturned="3"/);
  const byIds = await kvp({ request: 'GetFeature', resourceid: 'towns.2,areas.1,towns.5' });
  assert.deepEqual([ids(byIds), /numberReturned="3"/.test(byIds.text)], [[2, 5], true]);
});

const insert = (name: string, position = '9 50') =>
  `<map:towns><map:name>${name}</map:name><map:people>5</map:people><map:geom><gml:Point srsName="EPSG:4326"><gml:pos>${position}</gml:pos></gml:Point></map:geom></map:towns>`;
const transaction = (actions: string) =>
  `<wfs:Transaction ${spaces} xmlns:map="${server.url}/wfs/demo/m" service="WFS" version="2.0.0">${actions}</wfs:Transaction>`;
const only = (id: number) => `<fes:Filter><fes:ResourceId rid="towns.${id}"/></fes:Filter>`;

/** A feature by OGC API Features. */
const item = async (id: number) =>
  (await server.request('GET', `//ogc/demo/m/collections/towns/items/${id}`)).json;

/** A transaction of WFS 1.0, whose features lie in GML 2. */
const transaction10 = (actions: string): string =>
  `<Transaction xmlns="http://www.opengis.net/wfs" xmlns:gml="http://www.opengis.net/gml" xmlns:ogc="http://www.opengis.net/ogc" service="WFS" version="1.0.0">${actions}</Transaction>`;

test('transactions change features, all or nothing', async () => {
  const { adminToken: token } = server;
  assert.equal((await post(transaction(`<wfs:Insert>${insert('A')}</wfs:Insert>`))).status, 401);
  const refused = await post(
    transaction(`<wfs:Insert>${insert('A')}</wfs:Insert><wfs:Insert>${insert('B', '500 50')}</wfs:Insert>`),
    token,
  );
  assert.equal(refused.status, 400, refused.text);
  assert.match((await features({ resulttype: 'hits' })).text, /numberMatched="25"/);
  const made = await post(
    transaction(`<wfs:Insert>${insert('A &amp; <![CDATA[<b>]]>')}${insert('B')}</wfs:Insert>
      <wfs:Update typeName="map:towns"><wfs:Property><wfs:ValueReference>people</wfs:ValueReference><wfs:Value>77</wfs:Value></wfs:Property><wfs:Property><wfs:ValueReference>founded</wfs:ValueReference></wfs:Property>${only(1)}</wfs:Update>
      <wfs:Delete typeName="map:towns">${only(2)}</wfs:Delete>`),
    token,
  );
  assert.equal(made.status, 200, made.text);
  await demandXml(made.text);
  assert.match(made.text, /<wfs:totalInserted>2<[\s\S]*<wfs:totalUpdated>1<[\s\S]*<wfs:totalDeleted>1</);
  const rids = [...made.text.matchAll(/rid="towns\.(\d+)"/g)].map(([, id]) => Number(id));
  assert.deepEqual((await item(rids[0]!)).properties.name, 'A & <b>');
  assert.deepEqual((await item(rids[0]!)).geometry.coordinates, [9, 50]);
  const { people, founded, name } = (await item(1)).properties;
  assert.deepEqual([people, founded, name], [77, null, 'Town 1']);
  assert.equal((await item(2)).status, 404);
  const whole = await post(transaction('<wfs:Delete typeName="towns"/>'), token);
  assert.match(whole.text, /exceptionCode="MissingParameterValue" locator="Filter"/);
});

test('a property that the type has not is told, also where no feature meets the filter', async () => {
  const { adminToken: token } = server;
  const update = (name: string, filter: string, handle = '') =>
    transaction(
      `<wfs:Update typeName="map:towns"${handle}><wfs:Property><wfs:ValueReference>${name}</wfs:ValueReference><wfs:Value>1</wfs:Value></wfs:Property>${filter}</wfs:Update>`,
    );
  const none = only(99_999);
  for (const [body, locator] of [
    [update('map:peopel', none), 'peopel'],
    [update('peopel', only(1)), 'peopel'],
    [update('peopel', none, ' handle="mine"'), 'mine'],
    [
      transaction(`<wfs:Replace><map:towns><map:peopel>1</map:peopel></map:towns>${none}</wfs:Replace>`),
      'peopel',
    ],
    [transaction('<wfs:Insert><map:towns><map:peopel>1</map:peopel></map:towns></wfs:Insert>'), 'peopel'],
  ] as const) {
    const refused = await post(body, token);
    assert.equal(refused.status, 400, refused.text);
    await demandXml(refused.text);
    assert.match(refused.text, new RegExp(`exceptionCode="InvalidParameterValue" locator="${locator}"`));
    assert.match(refused.text, /'towns' has no property 'peopel'/);
  }
  const nothing = await post(update('people', none), token);
  assert.match(nothing.text, /<wfs:totalUpdated>0</);
});

test('an error tells which action and which feature of a transaction is wrong', async () => {
  const { adminToken: token } = server;
  const count = async () => /numberMatched="\d+"/.exec((await features({ resulttype: 'hits' })).text)![0];
  const before = await count();
  const wrong = '<map:towns><map:people>many</map:people></map:towns>';
  const set = (value: string, filter: string) =>
    `<wfs:Update typeName="map:towns"><wfs:Property><wfs:ValueReference>people</wfs:ValueReference><wfs:Value>${value}</wfs:Value></wfs:Property>${filter}</wfs:Update>`;
  for (const [actions, says] of [
    [`<wfs:Insert>${insert('A')}${insert('B', '500 50')}</wfs:Insert>`, 'Insert (action 1), feature 2: '],
    [
      `<wfs:Insert>${insert('A')}</wfs:Insert><wfs:Insert>${insert('B')}${insert('C')}${wrong}</wfs:Insert>`,
      'Insert (action 2), feature 3: ',
    ],
    [`${set('1', only(1))}${set('many', only(3))}`, 'Update (action 2), towns.3: '],
    [
      `<wfs:Insert>${insert('A')}</wfs:Insert><wfs:Delete typeName="towns"/>`,
      'Delete (action 2): Delete has a Filter',
    ],
  ] as const) {
    const refused = await post(transaction(actions), token);
    assert.equal(refused.status, 400, refused.text);
    assert.ok(refused.text.includes(`<ExceptionText>${says}`), refused.text);
  }
  assert.equal(await count(), before);
});

test('an empty element erases no geometry: QGIS sends it for one that it cannot write', async () => {
  const update = (value: string) =>
    post(
      transaction(
        `<Update typeName="towns"><Property><ValueReference>geom</ValueReference>${value}</Property>${only(3)}</Update>`,
      ),
      server.adminToken,
    );
  const geometry = async () => (await item(3)).geometry;
  const before = await geometry();
  for (const value of ['<Value/>', '<Value> </Value>']) {
    const refused = await update(value);
    assert.match(refused.text, /exceptionCode="InvalidParameterValue" locator="geometry"[\s\S]*empty/);
  }
  assert.ok(before);
  assert.deepEqual(await geometry(), before);
  for (const value of ['', '<Value xsi:nil="true" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"/>']) {
    assert.equal((await update(value)).status, 200);
    assert.equal(await geometry(), null);
    await server.admin('POST', '/m/layers/towns/objects/batch/', { update: [{ id: 3, geom: before }] });
  }
});

test('a text that is no JSON is refused by a column of JSON, and nothing is stored', async () => {
  await server.admin('POST', '/m/layers/', { code: 'notes' });
  await server.admin('POST', '/m/layers/notes/structure/', { code: 'js', type: 'json' });
  const insert = (text: string) =>
    post(transaction(`<Insert><map:notes><map:js>${text}</map:js></map:notes></Insert>`), server.adminToken);
  for (const text of ['{"a": 1', 'plain words', "{'a': 1}"]) {
    const refused = await insert(text);
    assert.match(refused.text, /exceptionCode="InvalidValue"[\s\S]*js[\s\S]*JSON/, text);
  }
  for (const text of ['{"a": [1, null]}', '"plain words"', '7'])
    assert.equal((await insert(text)).status, 200);
  const { features: stored } = (await server.request('GET', '//ogc/demo/m/collections/notes/items')).json;
  assert.deepEqual(
    stored.map(({ properties }: any) => properties.js),
    [{ a: [1, null] }, 'plain words', 7],
  );
});

test('actions take the system of their transaction, and are told by the names that the caller gives them', async () => {
  const { adminToken: token } = server;
  const within = (actions: string): string =>
    transaction(actions).replace('<wfs:Transaction ', '<wfs:Transaction srsName="EPSG:25832" ');
  const place = '<map:geom><gml:Point><gml:pos>500000 5538630.7</gml:pos></gml:Point></map:geom>';
  const made = await post(
    within(
      // A program may send what GML has for every feature, and actions of its own that others may leave out.
      `<wfs:Native vendorId="x" safeToIgnore="true">y</wfs:Native><wfs:Insert handle="one &amp; two"><map:towns><gml:description>d</gml:description><map:name>H</map:name>${place}</map:towns></wfs:Insert>`,
    ),
    token,
  );
  assert.equal(made.status, 200, made.text);
  const [, id] = /<wfs:Feature handle="one &amp; two"><fes:ResourceId rid="towns\.(\d+)"\/>/.exec(made.text)!;
  const [x, y] = (await item(Number(id))).geometry.coordinates;
  assert.ok(Math.abs(x - 9) < 1e-6 && Math.abs(y - 50) < 1e-3, `${x} ${y}`);
  const replaced = await post(
    within(
      `<wfs:Replace handle="new"><map:towns><map:name>I</map:name>${place}</map:towns>${only(Number(id))}</wfs:Replace>`,
    ),
    token,
  );
  assert.match(
    replaced.text,
    new RegExp(
      `<wfs:ReplaceResults>\\s*<wfs:Feature handle="new"><fes:ResourceId rid="towns\\.${id}"/></wfs:Feature>\\s*</wfs:ReplaceResults>`,
    ),
  );
  const wrongType = '<map:towns><map:people>many</map:people></map:towns>';
  for (const [action, handle] of [
    [`<wfs:Insert handle="b">${wrongType}</wfs:Insert>`, 'b'],
    ['<wfs:Delete handle="c" typeName="none"/>', 'c'],
  ] as const) {
    const refused = await post(
      transaction(`<wfs:Insert handle="a">${insert('J')}</wfs:Insert>${action}`),
      token,
    );
    assert.match(refused.text, new RegExp(`locator="${handle}"`));
  }
  const native = '<wfs:Native vendorId="x" safeToIgnore="false">y</wfs:Native>';
  assert.match((await post(transaction(native), token)).text, /'Native' is not served/);
  await post(transaction(`<wfs:Delete typeName="towns">${only(Number(id))}</wfs:Delete>`), token);
});

test('requests of WFS 1.0 and 1.1 get GeoJSON, as pages of the web ask for it, and no GML', async () => {
  const ask = async (parameters: Record<string, string>) => {
    const answer = await features({ outputformat: 'application/json', ...parameters });
    assert.equal(answer.status, 200, answer.text);
    return answer.json.features.map(({ properties }: any) => properties.name).toSorted();
  };
  const expected = ['Town 11', 'Town 12', 'Town 13'];
  const mercator = { srsname: 'EPSG:3857', bbox: '1107628,6274861,1140999,6621294,EPSG:3857' };
  for (const version of ['1.0.0', '1.1.0', '2.0.0'])
    assert.deepEqual(await ask({ version, ...mercator }), expected);
  assert.deepEqual(await ask({ version: '1.1.0', bbox: '49,9.95,51,10.25' }), expected);
  assert.deepEqual(await ask({ version: '1.0.0', bbox: '9.95,49,10.25,51' }), expected);
  const box = (corners: string) =>
    `<Filter xmlns="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml"><BBOX><PropertyName>geom</PropertyName><gml:Box srsName="http://www.opengis.net/gml/srs/epsg.xml#4326"><gml:coordinates>${corners}</gml:coordinates></gml:Box></BBOX></Filter>`;
  assert.deepEqual(await ask({ version: '1.0.0', filter: box('9.95,49 10.25,51') }), expected);
  const body = `<GetFeature xmlns="http://www.opengis.net/wfs" service="WFS" version="1.1.0" outputFormat="application/json" maxFeatures="2"><Query typeName="map:towns" srsName="EPSG:3857"/></GetFeature>`;
  const { json } = await post(body);
  assert.deepEqual([json.crs.properties.name, json.numberReturned], ['EPSG:3857', 2]);
  for (const outputformat of ['', 'GML3'])
    assert.match(
      (await features({ version: '1.1.0', outputformat })).text,
      /"version"[\s\S]*application\/json alone/,
    );
});

test('transactions of WFS 1.0, as QGIS writes them, have x before y', async () => {
  const { adminToken: token } = server;
  const older = await post(
    transaction10(
      `<Insert><towns><name>C</name><geom><gml:Point srsName="urn:ogc:def:crs:EPSG::4326"><gml:coordinates cs="," ts=" ">8,47</gml:coordinates></gml:Point></geom></towns></Insert><Update typeName="towns"><Property><Name>people</Name><Value>78</Value></Property><ogc:Filter><ogc:FeatureId fid="towns.1"/></ogc:Filter></Update>`,
    ),
    token,
  );
  assert.match(
    older.text,
    /<wfs:InsertResult><ogc:FeatureId fid="towns\.\d+"\/><\/wfs:InsertResult>[\s\S]*<wfs:SUCCESS\/>/,
  );
  const fid = Number(/fid="towns\.(\d+)"/.exec(older.text)![1]);
  assert.deepEqual(
    [(await item(fid)).geometry.coordinates, (await item(1)).properties.people],
    [[8, 47], 78],
  );
  // Its filters have x before y, too.
  for (const [people, condition] of [
    [
      79,
      '<ogc:Within><ogc:PropertyName>geom</ogc:PropertyName><gml:Polygon srsName="urn:ogc:def:crs:EPSG::4326"><gml:outerBoundaryIs><gml:LinearRing><gml:coordinates>7,46 9,46 9,48 7,48 7,46</gml:coordinates></gml:LinearRing></gml:outerBoundaryIs></gml:Polygon></ogc:Within>',
    ],
    [
      80,
      '<ogc:BBOX><ogc:PropertyName>geom</ogc:PropertyName><gml:Box srsName="urn:ogc:def:crs:EPSG::4326"><gml:coordinates>7.5,46.5 8.5,47.5</gml:coordinates></gml:Box></ogc:BBOX>',
    ],
  ] as const) {
    const changed = await post(
      transaction10(
        `<Update typeName="towns"><Property><Name>people</Name><Value>${people}</Value></Property><ogc:Filter>${condition}</ogc:Filter></Update>`,
      ),
      token,
    );
    assert.match(changed.text, /<wfs:SUCCESS\/>/);
    assert.equal((await item(fid)).properties.people, people);
  }
});

test('bodies are read in the encoding that they declare', async () => {
  const { adminToken } = server;
  const written = (declared: string, name: string): string =>
    `<?xml version="1.0" encoding="${declared}"?>${transaction(
      `<wfs:Update typeName="towns"><wfs:Property><wfs:ValueReference>name</wfs:ValueReference><wfs:Value>${name}</wfs:Value></wfs:Property>${only(3)}</wfs:Update>`,
    )}`;
  for (const [bytes, name] of [
    [Buffer.from(`\ufeff${written('utf-16', 'ж')}`, 'utf16le'), 'ж'],
    // As .NET declares what it then writes in UTF-8.
    [Buffer.from(written('utf-16', 'дж')), 'дж'],
    [Buffer.from(written('windows-1251', '\xe4'), 'latin1'), 'д'],
    [Buffer.from(written('ISO-8859-1', '\xe4'), 'latin1'), 'ä'],
  ] as const) {
    const answer = await post(bytes, adminToken);
    assert.equal(answer.status, 200, answer.text);
    assert.equal((await item(3)).properties.name, name);
  }
  for (const declared of ['utf-8', 'no-such']) {
    const answer = await post(Buffer.from(written(declared, '\xe4'), 'latin1'), adminToken);
    assert.match(answer.text, new RegExp(`it is not in ${declared}`, 'i'));
  }
});

test('times are written in the form of GDAL, too', async () => {
  for (const [time, stored] of [
    ['2024/03/04 05:06:07', '2024-03-04T05:06:07.000Z'],
    ['2024/03/04 05:06:07.678+03', '2024-03-04T02:06:07.678Z'],
    ['2024/03/04', '2024-03-04T00:00:00.000Z'],
  ] as const) {
    const answer = await post(
      transaction(
        `<wfs:Update typeName="towns"><wfs:Property><wfs:ValueReference>founded</wfs:ValueReference><wfs:Value>${time}</wfs:Value></wfs:Property>${only(3)}</wfs:Update>`,
      ),
      server.adminToken,
    );
    assert.equal(answer.status, 200, answer.text);
    assert.equal((await item(3)).properties.founded, stored);
  }
});

test('the number of coordinates may stand at the geometry, or at an element in it', async () => {
  const ring = '50 9 1 51 9 2 51 10 3 50 9 1';
  for (const [outer, inner] of [
    [' srsDimension="3"', ''],
    ['', ' srsDimension="3"'],
  ]) {
    const polygon = `<gml:Polygon gml:id="g" srsName="urn:ogc:def:crs:EPSG::4326"${outer}><gml:exterior><gml:LinearRing><gml:posList${inner}>${ring}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>`;
    const made = await post(
      transaction(`<wfs:Insert><map:towns><map:geom>${polygon}</map:geom></map:towns></wfs:Insert>`),
      server.adminToken,
    );
    assert.equal(made.status, 200, made.text);
    const id = Number(/rid="towns\.(\d+)"/.exec(made.text)![1]);
    assert.deepEqual((await item(id)).geometry.coordinates, [
      [
        [9, 50, 1],
        [9, 51, 2],
        [10, 51, 3],
        [9, 50, 1],
      ],
    ]);
    await server.admin('DELETE', '/m/layers/towns/objects/', { delete_params: String(id) });
  }
});

test('mistakes are exception reports, and what is hidden is not there', async () => {
  const entity =
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><wfs:GetFeature xmlns:wfs="w">&e;</wfs:GetFeature>';
  const get = (parameters: Record<string, string>) => () => features(parameters);
  const mistakes: [ask: () => Promise<TestAnswer>, status: number, code: string, said: RegExp][] = [
    [get({ version: '1.1.0' }), 400, 'InvalidParameterValue', /locator="version"/],
    [get({ request: 'LockFeature' }), 400, 'OperationNotSupported', /request/],
    [get({ typenames: 'secret' }), 404, 'InvalidParameterValue', /secret/],
    [get({ typenames: 'none' }), 404, 'InvalidParameterValue', /none/],
    [get({ typenames: '(towns)(areas)', startindex: '5' }), 400, 'OptionNotSupported', /startIndex/],
    [get({ typenames: 'towns,areas' }), 400, 'OptionNotSupported', /joins/],
    [get({ count: 'x' }), 400, 'InvalidParameterValue', /count/],
    [get({ srsname: 'EPSG:99999' }), 400, 'InvalidParameterValue', /srsName/],
    [get({ bbox: '1,2,3' }), 400, 'InvalidParameterValue', /bbox/],
    [get({ bbox: '1e30,1e30,2e30,2e30,EPSG:25832' }), 400, 'InvalidParameterValue', /does not reach/],
    [get({ filter: '<Filter><PropertyIs' }), 400, 'OperationParsingFailed', /XML/],
    [get({ filter: '<Filter><Function/></Filter>' }), 400, 'OperationParsingFailed', /Function/],
    [
      get({ cql_filter: 'people >' }),
      400,
      'InvalidParameterValue',
      /"cql_filter">\s*<ExceptionText>cql_filter: at character 9/,
    ],
    [
      get({ startindex: '10000001' }),
      400,
      'InvalidParameterValue',
      /"startIndex">\s*<ExceptionText>startIndex: .* 10000000</,
    ],
    [get({ propertyname: 'none' }), 400, 'InvalidParameterValue', /none/],
    [get({ sortby: 'none' }), 400, 'InvalidParameterValue', /none/],
    [get({ outputformat: 'shape' }), 400, 'InvalidParameterValue', /outputFormat/],
    [() => post(entity), 400, 'OperationParsingFailed', /DOCTYPE/],
    [() => post('{"a": 1}'), 400, 'OperationParsingFailed', /XML/],
    [() => post(`<a>${'<b>'.repeat(200)}`), 400, 'OperationParsingFailed', /levels/],
  ];
  for (const [ask, status, code, said] of mistakes) {
    const answer = await ask();
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.headers.get('content-type')!, /xml/);
    assert.match(answer.text, new RegExp(`exceptionCode="${code}"`));
    assert.match(answer.text, said);
    assert.doesNotMatch(answer.text, /root:/);
  }
});

test('a request says how much work it may cause before it begins', async () => {
  const asking = (filter: string) =>
    post(`<GetFeature service="WFS" version="2.0.0"><Query typeNames="towns">${filter}</Query></GetFeature>`);
  const boxes = (count: number, system: string): string =>
    `<Filter><Or>${`<BBOX>${envelope('400000 5000000,400001 5000001', system)}</BBOX>`.repeat(count)}</Or></Filter>`;
  const far = boxes(101, 'EPSG:25832');
  const drawn = `<Insert>${'<map:towns/>'.repeat(10_001)}</Insert>`;
  const deleted = `<Delete typeName="towns">${only(0)}</Delete>`.repeat(10_001);
  for (const [answer, status, said] of [
    [await asking(far), 400, /more than 100 geometries/],
    [await asking(`<Filter>${' '.repeat(2 ** 21)}</Filter>`), 413, /2097152 bytes/],
    [await post(transaction(drawn), server.adminToken), 413, /10000 features/],
    [await post(transaction(deleted), server.adminToken), 413, /10000 features/],
  ] as const) {
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.text, said);
  }
  assert.equal((await asking(boxes(100, 'EPSG:25832'))).status, 200);
});

test('GDAL reads a whole layer as the interface exports it', async () => {
  const run = promisify(execFile);
  const args = ['-f', 'GeoJSON', '-lco', 'RFC7946=YES', '/vsistdout/'];
  const { stdout } = await run('ogr2ogr', [...args, `WFS:${server.url}/wfs/demo/m`, 'map:towns']);
  const exported = await server.request('GET', '/m/layers/towns/export/?format=geojson');
  const parts = ({ features: all }: { features: any[] }) =>
    all.map(({ properties, geometry }) => [
      properties.name?.trim(),
      properties.people ?? null,
      geometry.coordinates,
    ]);
  assert.deepEqual(parts(JSON.parse(stdout)), parts(JSON.parse(exported.text.replaceAll('\\u0001', ''))));
});

test('GDAL adds features, with their times', async () => {
  const added = ['Added 1', 'Added 2'].map((name, i) => ({
    type: 'Feature',
    properties: { name, founded: '2024-07-01T10:00:00+03:00', people: i },
    geometry: { type: 'Point', coordinates: [9, 50] },
  }));
  const address = `WFS:${server.url}/wfs/demo/m?token=${server.adminToken}`;
  const source = JSON.stringify({ type: 'FeatureCollection', features: added });
  await promisify(execFile)('ogr2ogr', ['-append', '-f', 'WFS', address, source, '-nln', 'map:towns']);
  const found = await features({ cql_filter: "name LIKE 'Added%'", outputformat: 'json' });
  assert.deepEqual(
    found.json.features.map(({ properties, geometry }: any) => [
      properties.name,
      properties.founded,
      properties.people,
      geometry.coordinates,
    ]),
    added.map(({ properties, geometry }) => [
      properties.name,
      '2024-07-01T07:00:00.000Z',
      properties.people,
      geometry.coordinates,
    ]),
  );
});
