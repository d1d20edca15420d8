import type { Random } from '../random.js';
import type { World } from './world.js';

/*
 * Requests of the standards: their parameters depend on each other, so single values from the OpenAPI document are not enough.
 */

type Query = Record<string, string>;

const systems = ['EPSG:4326', 'EPSG:3857', 'EPSG:32631', 'urn:ogc:def:crs:EPSG::4326', 'CRS84'];
const uris = [
  'http://www.opengis.net/def/crs/EPSG/0/4326',
  'http://www.opengis.net/def/crs/EPSG/0/32631',
  'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
];
const texts = [
  "name = 'Place 1'",
  "name LIKE 'Pl%' AND pop > 3",
  'pop BETWEEN 1 AND 5 OR pop IS NULL',
  'S_INTERSECTS(geom, BBOX(2,48,3,49))',
  "CASEI(name) IN (CASEI('PLACE 1'), 'x') AND NOT pop * 2 ^ 2 - 1 = 7",
];
export const fesFilters = [
  '<Filter><PropertyIsLike wildCard="*" singleChar="." escapeChar="!"><ValueReference>name</ValueReference><Literal>Pl*</Literal></PropertyIsLike></Filter>',
  '<Filter><And><PropertyIsGreaterThan><ValueReference>pop</ValueReference><Literal>2</Literal></PropertyIsGreaterThan><BBOX><Envelope srsName="EPSG:4326"><lowerCorner>2 48</lowerCorner><upperCorner>3 49</upperCorner></Envelope></BBOX></And></Filter>',
  '<Filter><DWithin><ValueReference>geom</ValueReference><Point srsName="EPSG:32631"><pos>450000 5410000</pos></Point><Distance uom="km">5</Distance></DWithin></Filter>',
  '<Filter><ResourceId rid="towns.1"/></Filter>',
];

/** Parameters of WMS that every request has. */
const wms = (request: string): Query => ({ service: 'WMS', version: '1.3.0', request });
const picture: Query = {
  layers: 'towns',
  styles: '',
  crs: 'EPSG:4326',
  bbox: '48,2,49,3',
  width: '64',
  height: '64',
  format: 'image/png',
};

function wmsQuery(random: Random): Query {
  return random.pick<Query>([
    wms('GetCapabilities'),
    { ...wms('GetMap'), ...picture, transparent: 'true', bgcolor: '0xFFFFFF' },
    { ...wms('GetMap'), ...picture, crs: 'EPSG:32631', bbox: '400000,5300000,500000,5400000', dpi: '180' },
    { ...wms('GetMap'), ...picture, filter: random.pick(texts) },
    {
      ...wms('GetFeatureInfo'),
      ...picture,
      ...{ query_layers: 'towns', i: '20', j: '30', feature_count: '5' },
      info_format: random.pick(['text/html', 'text/plain', 'application/json', 'text/xml']),
    },
    { ...wms('GetLegendGraphic'), layer: 'towns', format: 'image/png', rule: 'a', width: '30', height: '20' },
  ]);
}

function wmtsQuery(random: Random): Query {
  const service: Query = { service: 'WMTS', version: '1.0.0' };
  if (random.chance(0.2)) return { ...service, request: 'GetCapabilities' };
  return {
    ...service,
    ...{ request: 'GetTile', layer: 'towns', style: 'default', format: 'image/png' },
    ...{ tilematrixset: 'WebMercatorQuad', tilematrix: '11', tilerow: '704', tilecol: '1037' },
  };
}

function wfsQuery(random: Random): Query {
  const service: Query = { service: 'WFS', version: '2.0.0' };
  const features: Query = { ...service, request: 'GetFeature', typenames: 'map:towns', count: '5' };
  return random.pick<Query>([
    { ...service, request: 'GetCapabilities' },
    { ...service, request: 'DescribeFeatureType', typenames: 'map:towns' },
    { ...service, request: 'DescribeStoredQueries' },
    { ...features, sortby: 'pop DESC,name', propertyname: 'name,pop', srsname: random.pick(systems) },
    { ...features, filter: random.pick(fesFilters), startindex: '2', outputformat: 'application/json' },
    { ...features, cql_filter: random.pick(texts), bbox: '48,2,49,3,EPSG:4326', resulttype: 'hits' },
    { ...features, typenames: '(towns)(places)', filter: `(${fesFilters[0]})(${fesFilters[3]})` },
    { ...service, request: 'GetFeature', resourceid: 'towns.1,towns.2,places.1' },
    { ...service, request: 'GetPropertyValue', typenames: 'towns', valuereference: 'name' },
    {
      ...{ ...service, request: 'GetFeature', id: 'towns.1' },
      storedquery_id: 'urn:ogc:def:query:OGC-WFS::GetFeatureById',
    },
  ]);
}

/** Place and size of a picture of OGC API Maps. */
function mapQuery(random: Random): Query {
  const size: Query = { width: '64', height: '64' };
  return random.pick<Query>([
    {},
    { ...size, bbox: '2,48,3,49', filter: random.pick(texts) },
    { bbox: '48,2,49,3', 'bbox-crs': uris[0]!, crs: random.pick(uris), width: '50' },
    { subset: 'Lat(48:49),Lon(2:3)', 'scale-denominator': '2000000', 'mm-per-pixel': '0.3' },
    { ...size, subset: 'E(400000:500000),N(5300000:5400000)', 'subset-crs': uris[1]!, bgcolor: 'white' },
    { ...size, center: '48.5,2.5', 'center-crs': uris[0]!, 'scale-denominator': '1e6' },
  ]);
}

function itemsQuery(random: Random): Query {
  return random.pick<Query>([
    { limit: '5', sortby: '-pop,+name', properties: 'name,pop' },
    { filter: random.pick(texts), 'filter-lang': 'cql2-text', crs: random.pick(uris) },
    { bbox: '2,48,3,49', 'bbox-crs': uris[2]!, datetime: '2024-01-01/..', offset: '2' },
    { filter: '{"op":">","args":[{"property":"pop"},2]}', 'filter-lang': 'cql2-json', f: 'html' },
    { f: random.pick(['csv', 'kml', 'gpkg', 'html', 'geojson']), limit: '3' },
  ]);
}

/** The query of an operation of a standard; undefined for other operations. */
export function standardQuery(operationId: string, random: Random): Query | undefined {
  if (operationId === 'getWmsProjectMap') return wmsQuery(random);
  if (operationId === 'getWmtsProjectMap') return wmtsQuery(random);
  if (operationId === 'getWfsProjectMap') return wfsQuery(random);
  if (/^getOgcProjectMap(CollectionsLayer)?Map$/.test(operationId)) return mapQuery(random);
  return operationId === 'getOgcProjectMapCollectionsLayerItems' ? itemsQuery(random) : undefined;
}

/** A body of WFS. */
export function wfsBody({ objects }: World, random: Random): string {
  const point = '<map:geom><gml:Point srsName="EPSG:4326"><gml:pos>2.3 48.8</gml:pos></gml:Point></map:geom>';
  const id = `<Filter><ResourceId rid="places.${random.pick(objects)}"/></Filter>`;
  const feature = `<map:places><map:name>New</map:name><map:pop>${random.below(9)}</map:pop>${point}</map:places>`;
  const [operation, inside] = random.pick<readonly [string, string]>([
    ['GetFeature', `<Query typeNames="towns">${random.pick(fesFilters)}</Query>`],
    [
      'GetFeature',
      '<Query typeNames="towns" srsName="EPSG:3857"><PropertyName>name</PropertyName><SortBy><SortProperty><ValueReference>pop</ValueReference><SortOrder>DESC</SortOrder></SortProperty></SortBy></Query>',
    ],
    ['DescribeFeatureType', '<TypeName>towns</TypeName>'],
    ['Transaction', `<Insert handle="a">${feature}</Insert>`],
    ['Transaction', `<Replace>${feature}${id}</Replace>`],
    [
      'Transaction',
      `<Update typeName="places"><Property><ValueReference>name</ValueReference><Value>Other</Value></Property>${id}</Update>`,
    ],
  ]);
  return `<${operation} service="WFS" version="2.0.0" count="5" xmlns:map="http://example.org/map" xmlns:gml="http://www.opengis.net/gml/3.2">${inside}</${operation}>`;
}
