import { escapeHtml } from '../../http/error-page.js';
import { type Crs, crs84, urnOfCrs } from '../common/crs.js';
import { prefix, xmlValue } from '../common/xml.js';
import type { InfoFormat } from './info-formats.js';

/** An object of an answer of GetFeatureInfo. */
export interface FoundFeature {
  layer: string;
  id: number;
  /** As GeoJSON, or as a member of GML where the answer is GML. */
  text: string;
}

interface InfoFrame {
  crs: Crs;
  /** The namespace of the types of features in XML. */
  namespace: string;
}

type Write = (found: readonly FoundFeature[], frame: InfoFrame) => string;

const propertiesOf = ({ text }: FoundFeature): [name: string, value: unknown][] =>
  Object.entries((JSON.parse(text) as { properties: Record<string, unknown> }).properties);

const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

const asText: Write = (found) =>
  found.length
    ? found
        .map(
          (feature) =>
            `Layer '${feature.layer}'\nFeature ${feature.id}\n${propertiesOf(feature)
              .map(([name, value]) => `${name} = '${shown(value)}'\n`)
              .join('')}`,
        )
        .join('\n')
    : 'no features were found\n';

const asHtml: Write = (found) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Features</title></head><body>
${found
  .map(
    (feature) => `<table><caption>${escapeHtml(feature.layer)} ${feature.id}</caption>
${propertiesOf(feature)
  .map(([name, value]) => `<tr><th>${escapeHtml(name)}</th><td>${escapeHtml(shown(value))}</td></tr>`)
  .join('\n')}
</table>`,
  )
  .join('\n')}
</body></html>
`;

const asJson: Write = (found, { crs }) => {
  const features = found.map(({ layer, id, text }) => {
    const { id: _, ...feature } = JSON.parse(text);
    return { ...feature, id: `${layer}.${id}` };
  });
  // Positions have x before y, which EPSG:4326 has not.
  const name = urnOfCrs(crs.srid === 4326 ? crs84 : crs);
  return JSON.stringify({ type: 'FeatureCollection', crs: { type: 'name', properties: { name } }, features });
};

/** The collection of WFS 1.0, which programs know as GML of GetFeatureInfo. */
const asGml: Write = (found, { namespace }) => `<?xml version="1.0" encoding="UTF-8"?>
<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs" xmlns:gml="http://www.opengis.net/gml" xmlns:${prefix}="${xmlValue(namespace)}">
<gml:boundedBy><gml:null>unknown</gml:null></gml:boundedBy>
${found.map(({ text }) => text).join('')}</wfs:FeatureCollection>
`;

/** Writes answers by their formats. */
export const writtenInfo: Readonly<Record<InfoFormat, Write>> = {
  text: asText,
  html: asHtml,
  json: asJson,
  gml: asGml,
};
