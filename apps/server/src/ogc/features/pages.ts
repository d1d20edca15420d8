import { holdsObjects, type Layer } from '../../layers/layers.js';
import { besideDoor, collectionAt } from '../common/addresses.js';
import { addressList, type Html, html } from '../common/page.js';
import { xmlName } from '../common/xml.js';
import { type Collection, linkedFiles } from './collections.js';

interface PageContent {
  title: string;
  way: { title: string; href: string }[];
  body: Html;
}

const wayTo = (door: string, layer?: string) => [
  { title: door.slice(door.lastIndexOf('/') + 1), href: `${door}?f=html` },
  { title: 'Collections', href: `${door}/collections?f=html` },
  ...(layer === undefined ? [] : [{ title: layer, href: `${collectionAt(door, layer)}?f=html` }]),
];

/** The page with all collections of a map. */
export function collectionsPage(
  collections: readonly Collection[],
  { door, map }: { door: string; map: string },
): PageContent {
  const list = collections.map(
    ({ id, title }) =>
      html`<li><a href="${collectionAt(door, id)}?f=html">${title}</a> <code>${id}</code></li>`,
  );
  return {
    title: `Collections of ${map}`,
    way: wayTo(door).slice(0, 1),
    body: html`<section>${list.length ? html`<ul>${list}</ul>` : html`<p>There are none that you may view.</p>`}</section>`,
  };
}

/** The page of a collection: its map, its columns, and addresses to copy. */
export function collectionPage(
  { title, extent }: Collection,
  { door, layer, project }: { door: string; layer: Layer; project: string },
): PageContent {
  const at = collectionAt(door, layer.code);
  const box = extent?.spatial?.bbox[0];
  const map = html`<h2>Map</h2>${box ? mapOf(box, { door, layer, project, title }) : html`<p>It holds nothing to draw.</p>`}`;
  const where = box
    ? html`<p>Extent, longitude and latitude: <code>${box.map((edge) => Math.round(edge * 1e6) / 1e6).join(', ')}</code></p>`
    : '';
  const pictures: [string, string][] = [
    [`WMS, layer ${layer.code}`, `${besideDoor(door, 'wms')}/`],
    ['A picture of the layer', `${at}/map`],
    ['Map tiles', `${at}/map/tiles`],
  ];
  if (!holdsObjects(layer))
    return {
      title,
      way: wayTo(door),
      body: html`<section>${map}</section><section><h2>Addresses</h2>${addressList(pictures)}${where}</section>`,
    };
  const rows = layer.columns
    .filter(({ type }) => type !== 'title')
    .map(
      ({ code, name, type }) => html`<tr><td><code>${code}</code></td><td>${name}</td><td>${type}</td></tr>`,
    );
  return {
    title,
    way: wayTo(door),
    body: html`<section>${map}
<p><a href="${at}/items?f=html">Its features</a></p><p>All features as a file: ${linkedFiles.map(({ code, name }, i) => html`${i ? ', ' : ''}<a href="${at}/items?f=${code}">${name}</a>`)}</p></section>
<section><h2>Columns</h2><div class="wide" tabindex="0" role="group" aria-label="Columns"><table><thead><tr><th>Code</th><th>Title</th><th>Type</th></tr></thead><tbody>${rows}</tbody></table></div></section>
<section><h2>Addresses</h2>${addressList([
      ['For QGIS and GDAL: the OGC API of the map', door],
      ['Features as GeoJSON', `${at}/items`],
      [`WFS 2.0, type map:${xmlName(layer.code)}`, besideDoor(door, 'wfs')],
      ...pictures,
      ['Vector tiles', `${at}/tiles`],
      ['Properties for filters', `${at}/queryables`],
      ['Properties and their types', `${at}/schema`],
    ])}${where}</section>`,
  };
}

/** The column of a tile, from the west, and its row, from the south. */
function tileAt(lon: number, lat: number, z: number): [x: number, y: number] {
  const size = 2 ** z;
  const clipped = Math.max(-85.05, Math.min(85.05, lat)) * (Math.PI / 180);
  const row = (1 + Math.asinh(Math.tan(clipped)) / Math.PI) / 2;
  const inside = (value: number): number => Math.max(0, Math.min(size - 1, Math.floor(value * size)));
  return [inside((lon + 180) / 360), inside(row)];
}

/** Most tiles side by side, and one above the other. */
const tileLimits = { columns: 3, rows: 2 };

/** The tiles that show an extent, at the largest zoom where they are few. */
function mapOf(
  box: readonly number[],
  { door, layer, project, title }: { door: string; layer: Layer; project: string; title: string },
): Html {
  const [west, south, east, north] = box as [number, number, number, number];
  let z = 17;
  let [min, max] = [tileAt(west, south, z), tileAt(east, north, z)];
  while (z > 0 && (max[0] - min[0] >= tileLimits.columns || max[1] - min[1] >= tileLimits.rows)) {
    z--;
    [min, max] = [tileAt(west, south, z), tileAt(east, north, z)];
  }
  const root = door.slice(0, door.lastIndexOf('/ogc/'));
  const pictures: Html[] = [];
  for (let y = max[1]; y >= min[1]; y--)
    for (let x = min[0]; x <= max[0]; x++) {
      const address = `${root}/tms/${project}/${layer.map.code}/?z=${z}&x=${x}&y=${y}&layers=${layer.id}`;
      pictures.push(
        html`<img src="${address}" alt="${pictures.length ? '' : `Map of ${title}`}" width="256" height="256">`,
      );
    }
  const columns = max[0] - min[0] + 1;
  return html`<div class="map c${columns}">${pictures}</div>
<p><a href="${root}/maps/${project}/${layer.map.code}/">The whole map</a></p>`;
}

/** A schema as a table. */
export function schemaPage(
  schema: object,
  { door, layer, title }: { door: string; layer: string; title: string },
): PageContent {
  const { properties } = schema as { properties: Record<string, Record<string, unknown>> };
  const rows = Object.entries(properties).map(
    ([code, { title: name, type, format, enum: values }]) =>
      html`<tr><td><code>${code}</code></td><td>${name}</td><td>${type ?? ''} ${format ?? ''}</td><td>${
        Array.isArray(values) ? values.slice(0, 50).join(', ') : ''
      }</td></tr>`,
  );
  return {
    title,
    way: wayTo(door, layer),
    body: html`<section class="wide" tabindex="0" role="group" aria-label="Properties"><table><thead><tr><th>Code</th><th>Title</th><th>Type</th><th>Values</th></tr></thead><tbody>${rows}</tbody></table></section>`,
  };
}

interface ShownFeature {
  id: number;
  properties: Record<string, unknown>;
  geometry: unknown;
}

const shown = (value: unknown): string => {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

/** A page of features as a table. */
export function itemsPage(
  features: readonly ShownFeature[],
  {
    door,
    layer,
    next,
    prev,
  }: { door: string; layer: Layer; next?: string | undefined; prev?: string | undefined },
): PageContent {
  const codes = Object.keys(features[0]?.properties ?? {}).slice(0, 50);
  const at = collectionAt(door, layer.code);
  const rows = features.map(
    ({ id, properties }) =>
      html`<tr><td><a href="${at}/items/${id}?f=html">${id}</a></td>${codes.map((code) => html`<td>${shown(properties[code])}</td>`)}</tr>`,
  );
  const steps = [
    prev === undefined ? '' : html`<a href="${prev}">Before</a> `,
    next === undefined ? '' : html`<a href="${next}">Next</a>`,
  ];
  return {
    title: `Features of ${layer.code}`,
    way: wayTo(door, layer.code),
    body: html`<section class="wide" tabindex="0" role="group" aria-label="Features"><table><thead><tr><th>Id</th>${codes.map((code) => html`<th>${code}</th>`)}</tr></thead><tbody>${rows}</tbody></table></section><p>${steps}</p>`,
  };
}

/** One feature. */
export function itemPage(
  { id, properties, geometry }: ShownFeature,
  { door, layer }: { door: string; layer: string },
): PageContent {
  const rows = Object.entries(properties).map(
    ([code, value]) => html`<dt>${code}</dt><dd>${typeof value === 'string' ? value : shown(value)}</dd>`,
  );
  const kind = (geometry as { type?: string } | null)?.type ?? 'none';
  return {
    title: `${layer} ${id}`,
    way: wayTo(door, layer),
    body: html`<section><dl>${rows}<dt>Geometry</dt><dd>${kind}</dd></dl></section>
<section><h2>Address</h2>${addressList([['GeoJSON', `${collectionAt(door, layer)}/items/${id}`]])}</section>`,
  };
}
