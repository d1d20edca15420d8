import { encodedTypes } from '../../tiles/pictures/picture-formats.js';
import { mercatorBox } from '../common/boxes.js';
import { styleName } from '../common/map-layers.js';
import { xmlValue } from '../common/xml.js';
import { exceptionForms, type WmsVersion } from './exceptions.js';
import { infoTypes } from './info-formats.js';
import { legendSize } from './legend-size.js';
import type { WmsNode } from './tree.js';

export interface DescribedWms {
  version: WmsVersion;
  title: string;
  attribution: string | undefined;
  /** Address of the service, with a slash at the end. */
  address: string;
  /** What addresses repeat of the request, such as `lng=ru`. */
  query: string;
  /** Codes of reference systems to choose from. */
  crs: readonly string[];
  limits: { layers: number; side: number };
  /** The whole map. */
  root: WmsNode;
}

/** The capabilities of a map (WMS 1.3.0, OGC 06-042, and 1.1.1, OGC 01-068r3). Pure. */
export function wmsCapabilitiesXml(service: DescribedWms): string {
  const { version, title, attribution, address, query, limits } = service;
  const is13 = version === '1.3.0';
  const door = xmlValue(address + (query ? `?${query}&` : '?'));
  const link = `<OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:type="simple" xlink:href="${door}"/>`;
  const request = (name: string, formats: readonly string[]): string => `      <${name}>
${formats.map((format) => `        <Format>${format}</Format>\n`).join('')}        <DCPType><HTTP><Get>${link}</Get></HTTP></DCPType>
      </${name}>
`;
  const own = is13 ? 'text/xml' : 'application/vnd.ogc.wms_xml';
  return `<?xml version="1.0" encoding="UTF-8"?>
${opening(version)}
  <Service>
    <Name>${is13 ? 'WMS' : 'OGC:WMS'}</Name>
    <Title>${xmlValue(title)}</Title>${attribution === undefined ? '' : `\n    <Abstract>${xmlValue(attribution)}</Abstract>`}
    ${link}
${is13 ? `    <LayerLimit>${limits.layers}</LayerLimit>\n    <MaxWidth>${limits.side}</MaxWidth>\n    <MaxHeight>${limits.side}</MaxHeight>\n` : ''}  </Service>
  <Capability>
    <Request>
${request('GetCapabilities', [own])}${request('GetMap', Object.values(encodedTypes))}${request('GetFeatureInfo', Object.values(infoTypes))}    </Request>
    <Exception>
${Object.values(exceptionForms[version])
  .map((form) => `      <Format>${form}</Format>\n`)
  .join('')}    </Exception>
${layerXml(service.root, service, true)}  </Capability>
</${is13 ? 'WMS_Capabilities' : 'WMT_MS_Capabilities'}>
`;
}

const opening = (version: WmsVersion): string =>
  version === '1.3.0'
    ? '<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wms http://schemas.opengis.net/wms/1.3.0/capabilities_1_3_0.xsd">'
    : '<WMT_MS_Capabilities version="1.1.1">';

/** Scale denominators as the diagonal of a pixel in metres, which WMS 1.1.1 tells. */
const hintOf = (denominator: number): number => denominator * 0.00028 * Math.SQRT2;

function layerXml(node: WmsNode, service: DescribedWms, isRoot = false): string {
  const { version, crs } = service;
  const is13 = version === '1.3.0';
  const system = is13 ? 'CRS' : 'SRS';
  const systems = isRoot ? crs.map((code) => `<${system}>${code}</${system}>`).join('') : '';
  return `<Layer queryable="${node.isQueryable ? 1 : 0}"><Name>${xmlValue(node.name)}</Name><Title>${xmlValue(node.title)}</Title>
${systems}${boxesXml(node, is13)}${node.entries || isRoot ? styleXml(node, service) : ''}${scalesXml(node, is13)}${node.children.map((child) => layerXml(child, service)).join('')}</Layer>
`;
}

function boxesXml({ box }: WmsNode, is13: boolean): string {
  const [west, south, east, north] = box;
  const [x0, y0, x1, y1] = mercatorBox(box);
  const sides = (minx: number, miny: number, maxx: number, maxy: number): string =>
    `minx="${minx}" miny="${miny}" maxx="${maxx}" maxy="${maxy}"`;
  if (!is13)
    return `<LatLonBoundingBox ${sides(west, south, east, north)}/><BoundingBox SRS="EPSG:4326" ${sides(west, south, east, north)}/><BoundingBox SRS="EPSG:3857" ${sides(x0, y0, x1, y1)}/>
`;
  return `<EX_GeographicBoundingBox><westBoundLongitude>${west}</westBoundLongitude><eastBoundLongitude>${east}</eastBoundLongitude><southBoundLatitude>${south}</southBoundLatitude><northBoundLatitude>${north}</northBoundLatitude></EX_GeographicBoundingBox>
<BoundingBox CRS="CRS:84" ${sides(west, south, east, north)}/><BoundingBox CRS="EPSG:4326" ${sides(south, west, north, east)}/><BoundingBox CRS="EPSG:3857" ${sides(x0, y0, x1, y1)}/>
`;
}

function styleXml({ name, entries }: WmsNode, { version, address, query }: DescribedWms): string {
  const asked = new URLSearchParams([
    ...new URLSearchParams(query),
    ['service', 'WMS'],
    ['version', version],
    ['request', 'GetLegendGraphic'],
    ['layer', name],
    ['format', 'image/png'],
  ]);
  const { width, height } = legendSize(entries);
  const legend = entries
    ? `<LegendURL width="${width}" height="${height}"><Format>image/png</Format><OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:type="simple" xlink:href="${xmlValue(`${address}?${asked}`)}"/></LegendURL>`
    : '';
  return `<Style><Name>${styleName}</Name><Title>${styleName}</Title>${legend}</Style>
`;
}

function scalesXml({ scales: { min, max } }: WmsNode, is13: boolean): string {
  if (min === undefined && max === undefined) return '';
  if (!is13) return `<ScaleHint min="${hintOf(min ?? 0)}" max="${hintOf(max ?? 1e9)}"/>\n`;
  return [
    min === undefined ? '' : `<MinScaleDenominator>${min}</MinScaleDenominator>`,
    max === undefined ? '' : `<MaxScaleDenominator>${max}</MaxScaleDenominator>`,
    '\n',
  ].join('');
}
