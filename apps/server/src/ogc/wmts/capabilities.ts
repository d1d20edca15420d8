import type { Extent } from '@cartulary/geo';
import { pictureTypes } from '../../tiles/pictures/picture-formats.js';
import { urnOfCrs } from '../common/crs.js';
import { styleName } from '../common/map-layers.js';
import { inOrder, type MatrixSet, matrixSize } from '../common/matrix-sets.js';
import { xmlValue } from '../common/xml.js';

/** What a capabilities document says of a layer. */
export interface DescribedLayer {
  identifier: string;
  title: string;
  /** Degrees: west, south, east, north. */
  box: readonly [number, number, number, number];
  /** In the systems of sets that are planes; undefined: the system does not reach it. */
  boxes: readonly { set: MatrixSet; box: Extent | undefined }[];
  /** Address of its legend's picture. */
  legend?: string | undefined;
}

export interface DescribedService {
  title: string;
  attribution: string | undefined;
  /** Address of the service, with a slash at the end. */
  address: string;
  /** What addresses repeat of the request, such as `lng=ru`. */
  query: string;
  /** The sets of all layers. */
  sets: readonly MatrixSet[];
  layers: readonly DescribedLayer[];
}

const tileFormats = Object.entries(pictureTypes).map(([end, type]) => ({ end, type }));

const capabilitiesPath = '1.0.0/WMTSCapabilities.xml';

/** The capabilities of the tiles of a map (WMTS 1.0.0, OGC 07-057r7). Pure. */
export function capabilitiesXml(service: DescribedService): string {
  const { title, attribution, address, query, layers, sets } = service;
  const end = query ? `?${query}` : '';
  return `<?xml version="1.0" encoding="UTF-8"?>
<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wmts/1.0 http://schemas.opengis.net/wmts/1.0/wmtsGetCapabilities_response.xsd" version="1.0.0">
  <ows:ServiceIdentification>
    <ows:Title>${xmlValue(title)}</ows:Title>${attribution === undefined ? '' : `\n    <ows:Abstract>${xmlValue(attribution)}</ows:Abstract>`}
    <ows:ServiceType>OGC WMTS</ows:ServiceType>
    <ows:ServiceTypeVersion>1.0.0</ows:ServiceTypeVersion>
  </ows:ServiceIdentification>
  <ows:OperationsMetadata>
${operation('GetCapabilities', [
  ['KVP', address + kvpEnd(query)],
  ['RESTful', address + capabilitiesPath + end],
])}${operation('GetTile', [
  ['KVP', address + kvpEnd(query)],
  ['RESTful', address],
])}  </ows:OperationsMetadata>
  <Contents>
${layers.map((layer) => layerXml(layer, service)).join('')}${sets.map(matrixSetXml).join('')}  </Contents>
  <ServiceMetadataURL xlink:href="${xmlValue(address + capabilitiesPath + end)}"/>
</Capabilities>
`;
}

/** Clients append their parameters. */
const kvpEnd = (query: string): string => (query ? `?${query}&` : '?');

const operation = (
  name: string,
  ways: readonly (readonly [encoding: string, address: string])[],
): string => `    <ows:Operation name="${name}">
      <ows:DCP><ows:HTTP>
${ways
  .map(
    ([
      encoding,
      address,
    ]) => `        <ows:Get xlink:href="${xmlValue(address)}"><ows:Constraint name="GetEncoding"><ows:AllowedValues><ows:Value>${encoding}</ows:Value></ows:AllowedValues></ows:Constraint></ows:Get>
`,
  )
  .join('')}      </ows:HTTP></ows:DCP>
    </ows:Operation>
`;

function layerXml(
  { identifier, title, box, boxes, legend }: DescribedLayer,
  { address, query, sets }: DescribedService,
): string {
  const [west, south, east, north] = box;
  const template = (end: string): string =>
    `${address}${identifier}/${styleName}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}.${end}${query ? `?${query}` : ''}`;
  return `    <Layer>
      <ows:Title>${xmlValue(title)}</ows:Title>
      <ows:WGS84BoundingBox><ows:LowerCorner>${west} ${south}</ows:LowerCorner><ows:UpperCorner>${east} ${north}</ows:UpperCorner></ows:WGS84BoundingBox>
      <ows:Identifier>${xmlValue(identifier)}</ows:Identifier>
${boxes.map(({ set, box: found }) => (found ? `      ${boxXml(set, found)}\n` : '')).join('')}      <Style isDefault="true">
        <ows:Identifier>${styleName}</ows:Identifier>${legend === undefined ? '' : `\n        <LegendURL format="image/png" xlink:href="${xmlValue(legend)}"/>`}
      </Style>
${tileFormats.map(({ type }) => `      <Format>${type}</Format>\n`).join('')}${sets.map(({ id }) => `      <TileMatrixSetLink><TileMatrixSet>${id}</TileMatrixSet></TileMatrixSetLink>\n`).join('')}${tileFormats.map(({ end, type }) => `      <ResourceURL format="${type}" resourceType="tile" template="${xmlValue(template(end))}"/>\n`).join('')}    </Layer>
`;
}

function boxXml(set: MatrixSet, [west, south, east, north]: Extent): string {
  return `<ows:BoundingBox crs="${urnOfCrs(set.crs)}"><ows:LowerCorner>${inOrder(set, [west, south]).join(' ')}</ows:LowerCorner><ows:UpperCorner>${inOrder(set, [east, north]).join(' ')}</ows:UpperCorner></ows:BoundingBox>`;
}

const matrixXml = (set: MatrixSet, z: number): string => {
  const { columns, rows } = matrixSize(set, z);
  return `      <TileMatrix>
        <ows:Identifier>${z}</ows:Identifier>
        <ScaleDenominator>${set.topScale / 2 ** z}</ScaleDenominator>
        <TopLeftCorner>${inOrder(set, set.corner).join(' ')}</TopLeftCorner>
        <TileWidth>256</TileWidth>
        <TileHeight>256</TileHeight>
        <MatrixWidth>${columns}</MatrixWidth>
        <MatrixHeight>${rows}</MatrixHeight>
      </TileMatrix>
`;
};

function matrixSetXml(set: MatrixSet): string {
  const { topCell, topColumns, corner } = set;
  const [west, north] = corner;
  const [east, south] = [west + topCell * 256 * topColumns, north - topCell * 256];
  return `    <TileMatrixSet>
      <ows:Title>${set.title}</ows:Title>
      <ows:Identifier>${set.id}</ows:Identifier>
      ${boxXml(set, [west, south, east, north])}
      <ows:SupportedCRS>${urnOfCrs(set.crs)}</ows:SupportedCRS>
${set.scaleSet ? `      <WellKnownScaleSet>${set.scaleSet}</WellKnownScaleSet>\n` : ''}${Array.from({ length: set.last + 1 }, (_, z) => matrixXml(set, z)).join('')}    </TileMatrixSet>
`;
}
