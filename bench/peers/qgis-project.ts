import { type Layer, layerCode, look } from '../data/layer.js';
import { connectionText } from './connection.js';

/** Scale limit of labels: between the scales of two zoom levels at QGIS Server's 96 dots per inch. */
const labelScale = Math.round((591_658_711 * Math.SQRT2) / 2 ** look.labelsFrom);

const rgb = (hex: string): string =>
  `${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(',')},255`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** QGIS's internal ids of projections. Without them it ignores EPSG codes. */
const srsIds = { 3857: 3857, 4326: 3452 } as const;
const crs = (code: keyof typeof srsIds): string =>
  `<spatialrefsys><srsid>${srsIds[code]}</srsid><srid>${code}</srid><authid>EPSG:${code}</authid></spatialrefsys>`;

const symbol = (fill: string, i: number): string => `
  <symbol type="fill" name="${i}" alpha="1" clip_to_extent="1" force_rhr="0">
    <layer class="SimpleFill" enabled="1" pass="0" locked="0">
      <prop k="color" v="${rgb(fill)}"/><prop k="style" v="solid"/>
      <prop k="outline_color" v="${rgb(look.line)}"/><prop k="outline_style" v="solid"/>
      <prop k="outline_width" v="${look.lineWidth}"/><prop k="outline_width_unit" v="Pixel"/><prop k="joinstyle" v="miter"/>
    </layer>
  </symbol>`;

const renderer = `<renderer-v2 type="categorizedSymbol" attr="class" symbollevels="0" enableorderby="0" forceraster="0">
  <categories>${look.fills.map((_, i) => `<category symbol="${i}" value="${i + 1}" type="double" label="${i + 1}" render="true"/>`).join('')}</categories>
  <symbols>${look.fills.map(symbol).join('')}
  </symbols>
</renderer-v2>`;

const labels = `<labeling type="simple"><settings calloutType="simple">
  <text-style fieldName="name" isExpression="0" fontFamily="Noto Sans" namedStyle="Regular" fontSize="${look.textSize}" fontSizeUnit="Pixel" textColor="${rgb(look.text)}" textOpacity="1" fontWeight="50">
    <text-buffer bufferDraw="1" bufferSize="2" bufferSizeUnits="Pixel" bufferColor="${rgb(look.halo)}" bufferOpacity="1"/>
  </text-style>
  <placement placement="1" centroidInside="0" centroidWhole="0" polygonPlacementFlags="2"/>
  <rendering scaleVisibility="1" scaleMin="0" scaleMax="${labelScale}" drawLabels="1" displayAll="0" obstacle="0" fontLimitPixelSize="0"/>
</settings></labeling>`;

/** QGIS accepts only ids of more than ten characters. */
const idOf = (name: string): string => `${name}_of_the_bench`;

export interface QgisProjectLayer {
  name: string;
  /** The name of QGIS's provider. */
  provider: 'postgres' | 'gdal';
  /** URI of the data, in the words of the provider. */
  source: string;
  geometry?: 'Polygon' | 'LineString' | 'Point';
  /** Elements that draw the layer. */
  look: string;
}

/** The URI of a query with `svc_id` and `geom` (EPSG:4326). */
export function postgresSource(
  database: string,
  query: string,
  geometry: NonNullable<QgisProjectLayer['geometry']>,
): string {
  const quoted = connectionText(database)
    .split(' ')
    .map((part) => part.replace(/=(.*)$/, "='$1'"))
    .join(' ');
  return `${quoted} key='svc_id' estimatedmetadata=true srid=4326 type=${geometry} checkPrimaryKeyUnicity='0' table="(${query})" (geom)`;
}

/** A minimal QGIS project that publishes the layer by WMS and WFS. */
export function qgisProject({ table, columns, database }: Layer): string {
  // Column names as in the other servers.
  const query = `select svc_id, geom, ${columns.class} as class, ${columns.name} as name, ${columns.value} as value from ${table}`;
  const source = postgresSource(database, query, 'Polygon');
  return projectOf([
    { name: layerCode, provider: 'postgres', source, geometry: 'Polygon', look: `${renderer}\n${labels}` },
  ]);
}

const layerText = ({ name, provider, source, geometry, look: drawing }: QgisProjectLayer): string => {
  const attributes = geometry
    ? `type="vector" geometry="${geometry === 'LineString' ? 'Line' : geometry}" wkbType="${geometry}" simplifyDrawingHints="1" simplifyDrawingTol="1" simplifyLocal="1" simplifyMaxScale="1" simplifyAlgorithm="0" labelsEnabled="1" readOnly="1"`
    : 'type="raster"';
  return `<maplayer ${attributes} hasScaleBasedVisibilityFlag="0">
<id>${idOf(name)}</id>
<datasource>${escaped(source)}</datasource>
<layername>${name}</layername>
<srs>${crs(geometry ? 4326 : 3857)}</srs>
<provider encoding="">${provider}</provider>
${geometry ? '<extent><xmin>-180</xmin><ymin>-85</ymin><xmax>180</xmax><ymax>85</ymax></extent>' : ''}
<flags><Identifiable>1</Identifiable><Removable>1</Removable><Searchable>1</Searchable></flags>
${drawing}
<blendMode>0</blendMode><featureBlendMode>0</featureBlendMode><layerOpacity>1</layerOpacity>
</maplayer>`;
};

/** A minimal QGIS project that publishes layers by WMS and WFS. */
export function projectOf(layers: readonly QgisProjectLayer[]): string {
  const ids = layers.map(({ name }) => idOf(name));
  return `<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<qgis version="3.22.16" projectname="bench">
<title>bench</title>
<projectCrs>${crs(3857)}</projectCrs>
<layer-tree-group>${layers
    .map(
      ({ name, provider, source }) =>
        `<layer-tree-layer id="${idOf(name)}" name="${name}" checked="Qt::Checked" expanded="1" providerKey="${provider}" source="${escaped(source)}"/>`,
    )
    .join('')}</layer-tree-group>
<projectlayers>
${layers.map(layerText).join('\n')}
</projectlayers>
<layerorder>${ids.map((id) => `<layer id="${id}"/>`).join('')}</layerorder>
<properties>
<WFSLayers type="QStringList">${ids.map((id) => `<value>${id}</value>`).join('')}</WFSLayers>
<WFSLayersPrecision>${ids.map((id) => `<${id} type="int">9</${id}>`).join('')}</WFSLayersPrecision>
<WMSServiceCapabilities type="bool">true</WMSServiceCapabilities>
<SpatialRefSys><ProjectionsEnabled type="int">1</ProjectionsEnabled></SpatialRefSys>
<Gui><CanvasColorRedPart type="int">255</CanvasColorRedPart><CanvasColorGreenPart type="int">255</CanvasColorGreenPart><CanvasColorBluePart type="int">255</CanvasColorBluePart></Gui>
</properties>
</qgis>
`;
}
