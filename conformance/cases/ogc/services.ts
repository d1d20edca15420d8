import type { Client } from '../../client.js';
import { equal } from '../../rules.js';
import { png, type Raw, raw } from '../support.js';
import { type Door, get, ogcRule, ogcWriteRule } from './door.js';

/*
 * The abstract tests of WFS 2.0 (OGC 09-025r2, annex A), WMS 1.3.0 (06-042, annex A) and 1.1.1 (01-068r3), and WMTS 1.0 (07-057r7), over
 * a layer with three features.
 */

type Parameters = Readonly<Record<string, string>>;

const wfsPath = ({ root }: Door): string => root.replace('//ogc/', '//wfs/');
const wmsPath = ({ root }: Door): string => `${root.replace('//ogc/', '//wms/')}/`;
const wmtsPath = ({ root }: Door): string => `${root.replace('//ogc/', '//wmts/')}/`;

const ask = (c: Client, path: string, parameters: Parameters): Promise<Raw> =>
  get(c, `${path}?${new URLSearchParams(parameters)}`);

const wfs = (door: Door, parameters: Parameters): Promise<Raw> =>
  ask(door.c, wfsPath(door), { SERVICE: 'WFS', VERSION: '2.0.0', ...parameters });
const features = (door: Door, parameters: Parameters = {}): Promise<Raw> =>
  wfs(door, { REQUEST: 'GetFeature', TYPENAMES: 'a', ...parameters });
const wms = (door: Door, parameters: Parameters): Promise<Raw> =>
  ask(door.c, wmsPath(door), { SERVICE: 'WMS', VERSION: '1.3.0', ...parameters });
const wmts = (door: Door, parameters: Parameters): Promise<Raw> =>
  ask(door.c, wmtsPath(door), { SERVICE: 'WMTS', VERSION: '1.0.0', ...parameters });

/** Fails unless an answer is XML with this root, or has it somewhere. */
function holds(answer: Raw, pattern: RegExp, what: string): void {
  equal(answer.type.includes('xml'), true, `${what}: media type`);
  equal(pattern.test(answer.text), true, `${what}: ${pattern}`);
}

/** Fails unless an answer is an exception with this code. */
function exception(answer: Raw, code: string, what = code): void {
  equal(answer.status >= 400 && answer.status < 500, true, `${what}: status ${answer.status}`);
  holds(answer, new RegExp(`(exceptionCode|code)="${code}"`), what);
}

const titlesIn = ({ text }: Raw): string[] =>
  [...text.matchAll(/<(?:\w+:)?title>([^<]*)</g)].map(([, title]) => title!);
const matched = ({ text }: Raw): string | undefined => /numberMatched="(\d+)"/.exec(text)?.[1];

ogcRule('WFS', 'capabilities: version, types, operations and what filters can', async (door) => {
  const answer = await wfs(door, { REQUEST: 'GetCapabilities' });
  equal(answer.status, 200, 'status');
  holds(answer, /<(\w+:)?WFS_Capabilities[^>]* version="2\.0\.\d"/, 'root');
  holds(answer, /<(\w+:)?Name[^>]*>(\w+:)?a</, 'the type');
  for (const name of ['GetCapabilities', 'DescribeFeatureType', 'GetFeature', 'Transaction'])
    holds(answer, new RegExp(`Operation name="${name}"`), name);
  for (const name of ['ImplementsBasicWFS', 'KVPEncoding', 'XMLEncoding', 'ImplementsResultPaging'])
    holds(answer, new RegExp(`name="${name}">\\s*<(\\w+:)?NoValues/>\\s*<(\\w+:)?DefaultValue>TRUE<`), name);
  holds(answer, /<(\w+:)?Filter_Capabilities/, 'filters');
  exception(
    await wfs(door, { REQUEST: 'GetCapabilities', ACCEPTVERSIONS: '1.0.0' }),
    'VersionNegotiationFailed',
  );
});

ogcRule('WFS', 'names of parameters have no case', async (door) => {
  const answer = await ask(door.c, wfsPath(door), { service: 'WFS', ReQuEsT: 'GetCapabilities' });
  equal(answer.status, 200, 'status');
});

ogcRule('WFS', 'DescribeFeatureType is an XML schema with the properties', async (door) => {
  const answer = await wfs(door, { REQUEST: 'DescribeFeatureType', TYPENAMES: 'a' });
  holds(answer, /<(\w+:)?schema /, 'root');
  for (const name of ['title', 'size', 'geom']) holds(answer, new RegExp(`name="${name}"`), name);
  holds(answer, /substitutionGroup="gml:AbstractFeature"/, 'substitution group');
});

ogcRule('WFS', 'GetFeature: count, startIndex, hits, sorting', async (door) => {
  const all = await features(door);
  equal(titlesIn(all), ['a', 'b', 'c'], 'features');
  holds(all, /<(\w+:)?FeatureCollection[^>]* numberReturned="3"/, 'root');
  const page = await features(door, { COUNT: '1', STARTINDEX: '1' });
  equal(titlesIn(page), ['b'], 'second page');
  for (const link of ['next', 'previous']) holds(page, new RegExp(` ${link}="http`), link);
  const hits = await features(door, { RESULTTYPE: 'hits' });
  equal([matched(hits), titlesIn(hits)], ['3', []], 'hits');
  equal(titlesIn(await features(door, { SORTBY: 'size DESC' })), ['c', 'b', 'a'], 'sorted');
});

ogcRule('WFS', 'GetFeature: BBOX, RESOURCEID, FILTER', async (door) => {
  const box = '5,15,15,25,urn:ogc:def:crs:EPSG::4326';
  equal(titlesIn(await features(door, { BBOX: box })), ['b'], 'box');
  const id = /gml:id="([^"]*\d+)"/.exec((await features(door, { BBOX: box })).text)![1]!;
  equal(titlesIn(await features(door, { RESOURCEID: id })), ['b'], 'resource');
  const byId = { STOREDQUERY_ID: 'urn:ogc:def:query:OGC-WFS::GetFeatureById', ID: id };
  equal(titlesIn(await wfs(door, { REQUEST: 'GetFeature', ...byId })), ['b'], 'stored query');
  const FILTER =
    '<Filter xmlns="http://www.opengis.net/fes/2.0"><Or><PropertyIsEqualTo><ValueReference>title</ValueReference><Literal>a</Literal></PropertyIsEqualTo><PropertyIsGreaterThan><ValueReference>size</ValueReference><Literal>1</Literal></PropertyIsGreaterThan></Or></Filter>';
  equal(titlesIn(await features(door, { FILTER })), ['a', 'c'], 'filter');
});

ogcRule('WFS', 'GetFeature in a body of XML, and several queries', async (door) => {
  const query = '<Query typeNames="a"/>';
  const post = (queries: string): Promise<Raw> =>
    raw(door.c, wfsPath(door), {
      body: `<GetFeature xmlns="http://www.opengis.net/wfs/2.0" service="WFS" version="2.0.0">${queries}</GetFeature>`,
      headers: { 'content-type': 'text/xml' },
    });
  equal(titlesIn(await post(query)), ['a', 'b', 'c'], 'one query');
  const twice = await post(query + query);
  equal(matched(twice), '6', 'features of two queries');
  // The features of the second query are references: a `gml:id` stands once in an answer.
  equal(titlesIn(twice), ['a', 'b', 'c'], 'two queries');
  const references = [...twice.text.matchAll(/<(?:\w+:)?member xlink:href="#([^"]+)"/g)].map(([, id]) => id);
  const ids = [...twice.text.matchAll(/<(?!wfs:)[^>]* gml:id="([^"]+)"/g)].map(([, id]) => id!);
  equal(references.length, 3, 'references');
  for (const id of references) equal(ids.includes(id!), true, `a reference to ${id}`);
});

ogcRule('WFS', 'GetPropertyValue', async (door) => {
  const answer = await wfs(door, { REQUEST: 'GetPropertyValue', TYPENAMES: 'a', VALUEREFERENCE: 'title' });
  holds(answer, /<(\w+:)?ValueCollection/, 'root');
  equal(titlesIn(answer), ['a', 'b', 'c'], 'values');
});

ogcRule('WFS', 'exceptions', async (door) => {
  exception(await features(door, { TYPENAMES: 'none' }), 'InvalidParameterValue', 'unknown type');
  exception(await features(door, { VERSION: '9.0.0' }), 'InvalidParameterValue', 'version');
  exception(await features(door, { FILTER: '<a>' }), 'OperationParsingFailed');
  exception(await wfs(door, { REQUEST: 'Nothing' }), 'OperationNotSupported');
  exception(await wfs(door, {}), 'MissingParameterValue');
});

ogcWriteRule('WFS', 'Transaction: Insert, Update, Delete', async (door) => {
  const send = (actions: string): Promise<Raw> =>
    raw(door.c, wfsPath(door), {
      body: `<wfs:Transaction xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:fes="http://www.opengis.net/fes/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" service="WFS" version="2.0.0">${actions}</wfs:Transaction>`,
      headers: { 'content-type': 'text/xml' },
    });
  const only = (title: string): string =>
    `<fes:Filter><fes:PropertyIsEqualTo><fes:ValueReference>title</fes:ValueReference><fes:Literal>${title}</fes:Literal></fes:PropertyIsEqualTo></fes:Filter>`;
  const made = await send(
    `<wfs:Insert><a><title>d</title><geom><gml:Point srsName="urn:ogc:def:crs:EPSG::4326"><gml:pos>1 2</gml:pos></gml:Point></geom></a></wfs:Insert>`,
  );
  holds(made, /<(\w+:)?totalInserted>1</, 'inserted');
  holds(made, /ResourceId rid="/, 'id');
  holds(
    await send(
      `<wfs:Update typeName="a"><wfs:Property><wfs:ValueReference>title</wfs:ValueReference><wfs:Value>e</wfs:Value></wfs:Property>${only('d')}</wfs:Update>`,
    ),
    /<(\w+:)?totalUpdated>1</,
    'updated',
  );
  equal(titlesIn(await features(door)), ['a', 'b', 'c', 'e'], 'features');
  holds(
    await send(`<wfs:Delete typeName="a">${only('e')}</wfs:Delete>`),
    /<(\w+:)?totalDeleted>1</,
    'deleted',
  );
  equal(matched(await features(door, { RESULTTYPE: 'hits' })), '3', 'rest');
});

const place: Parameters = {
  REQUEST: 'GetMap',
  LAYERS: 'a',
  STYLES: '',
  CRS: 'EPSG:4326',
  BBOX: '-5,-5,25,45',
  WIDTH: '100',
  HEIGHT: '60',
  FORMAT: 'image/png',
};

ogcRule('WMS', 'capabilities of 1.3.0 and 1.1.1, and negotiation of versions', async (door) => {
  const now = await wms(door, { REQUEST: 'GetCapabilities' });
  holds(now, /<WMS_Capabilities version="1\.3\.0"/, 'root');
  for (const part of ['<Name>a</Name>', '<CRS>EPSG:4326</CRS>', 'EX_GeographicBoundingBox', '<LegendURL '])
    holds(now, new RegExp(part), part);
  for (const [VERSION, root] of [
    ['1.1.1', 'WMT_MS_Capabilities version="1.1.1"'],
    ['1.0.0', 'WMT_MS_Capabilities version="1.1.1"'],
    ['9.9.9', 'WMS_Capabilities version="1.3.0"'],
  ] as const)
    equal((await wms(door, { REQUEST: 'GetCapabilities', VERSION })).text.includes(root), true, VERSION);
});

ogcRule('WMS', 'GetMap: size, format, axes of both versions', async (door) => {
  const picture = await wms(door, place);
  equal(picture.type, 'image/png', 'media type');
  const { width, height } = png(picture.bytes);
  equal([width, height], [100, 60], 'size');
  const { CRS: _, ...rest } = place;
  const old = { ...rest, VERSION: '1.1.1', SRS: 'EPSG:4326', BBOX: '-5,-5,45,25' };
  equal((await wms(door, old)).bytes.equals(picture.bytes), true, '1.1.1 has longitude first');
  const lonLat = { ...place, CRS: 'CRS:84', BBOX: '-5,-5,45,25' };
  equal((await wms(door, lonLat)).bytes.equals(picture.bytes), true, 'CRS:84 has longitude first');
});

ogcRule('WMS', 'GetFeatureInfo', async (door) => {
  const info = {
    ...place,
    REQUEST: 'GetFeatureInfo',
    QUERY_LAYERS: 'a',
    I: '50',
    J: '30',
    FI_POINT_TOLERANCE: '9',
  };
  const json = await wms(door, { ...info, INFO_FORMAT: 'application/json' });
  equal(json.json.type, 'FeatureCollection', 'GeoJSON');
  equal((await wms(door, { ...info, INFO_FORMAT: 'text/plain' })).status, 200, 'text');
  exception(await wms(door, { ...info, I: '1000' }), 'InvalidPoint');
  exception(await wms(door, { ...info, INFO_FORMAT: 'nothing' }), 'InvalidFormat');
});

ogcRule('WMS', 'exceptions', async (door) => {
  for (const [wrong, code] of [
    [{ LAYERS: 'none' }, 'LayerNotDefined'],
    [{ STYLES: 'none' }, 'StyleNotDefined'],
    [{ CRS: 'EPSG:99999' }, 'InvalidCRS'],
    [{ FORMAT: 'none' }, 'InvalidFormat'],
    [{ REQUEST: 'None' }, 'OperationNotSupported'],
  ] as const)
    exception(await wms(door, { ...place, ...wrong }), code);
  const { CRS: _, ...rest } = place;
  exception(await wms(door, { ...rest, VERSION: '1.1.1', SRS: 'EPSG:99999' }), 'InvalidSRS');
});

ogcRule('WMTS', 'capabilities, and a tile by KVP and by address', async (door) => {
  const { text } = await get(door.c, `${wmtsPath(door)}1.0.0/WMTSCapabilities.xml`);
  for (const part of ['<ows:Identifier>a</ows:Identifier>', 'GoogleMapsCompatible', 'resourceType="tile"'])
    equal(text.includes(part), true, part);
  const tile = await wmts(door, {
    ...{ REQUEST: 'GetTile', LAYER: 'a', STYLE: 'default', FORMAT: 'image/png' },
    ...{ TILEMATRIXSET: 'WebMercatorQuad', TILEMATRIX: '2', TILEROW: '1', TILECOL: '2' },
  });
  equal(tile.type, 'image/png', 'media type');
  const template = /template="([^"]*\.png[^"]*)"/g;
  const address = [...text.matchAll(template)].map(([, one]) => one!).find((one) => one.includes('/a/'))!;
  const filled = Object.entries({
    TileMatrixSet: 'WebMercatorQuad',
    TileMatrix: '2',
    TileRow: '1',
    TileCol: '2',
  }).reduce((path, [name, value]) => path.replace(`{${name}}`, value), address);
  const byAddress = await get(door.c, `/${filled.replace(/^https?:\/\/[^/]+/, '')}`);
  equal(byAddress.bytes.equals(tile.bytes), true, 'the same tile');
  exception(
    await wmts(door, {
      ...{ REQUEST: 'GetTile', LAYER: 'a', STYLE: 'default', FORMAT: 'image/png' },
      ...{ TILEMATRIXSET: 'WebMercatorQuad', TILEMATRIX: '2', TILEROW: '9', TILECOL: '2' },
    }),
    'TileOutOfRange',
  );
});
