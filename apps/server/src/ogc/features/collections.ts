import type { Database, Queryable } from '@cartulary/database';
import type { Caller } from '../../access/caller.js';
import { holdsObjects, type Layer } from '../../layers/layers.js';
import {
  collectionAt,
  drawnLinks,
  type Link,
  mediaTypes,
  pictureLinks,
  relation,
} from '../common/addresses.js';
import { crs84, listedCrs } from '../common/crs.js';
import { describedLayer, type LayerInMap, listLayers, type WantedLayers } from '../common/layer-list.js';
import { fileFormats } from '../common/requests.js';
import { type TimeExtent, timeExtent } from './times.js';

/** A layer as a collection: of features where it has objects. */
export interface Collection {
  id: string;
  title: string;
  links: Link[];
  extent?: {
    spatial?: { bbox: number[][]; crs: string };
    temporal?: { interval: (readonly [string, string])[]; trs: string };
  };
  itemType?: 'feature';
  /** Of a collection without features. GDAL does not take it for a layer of features then. */
  layerDataType?: 'Raster';
  crs: string[];
  storageCrs: string;
}

/** The collections of a map: its layers that the caller may view. */
export async function listCollections(
  db: Queryable,
  { door, ...wanted }: WantedLayers & { door: string },
): Promise<Collection[]> {
  const layers = await listLayers(db, wanted);
  return layers.map((layer) => collectionOf(layer, door));
}

/** One collection, with its exact extent and its times, which a list of many would read for long. */
export async function oneCollection(
  db: Database,
  { caller, layer, lng, door }: { caller: Caller; layer: Layer; lng: string | undefined; door: string },
  signal: AbortSignal,
): Promise<Collection> {
  const described = await describedLayer(db, { caller, layer, lng }, signal);
  const times = holdsObjects(layer) ? await timeExtent(db, layer, signal) : undefined;
  return collectionOf(described, door, times);
}

const gregorian = 'http://www.opengis.net/def/uom/ISO-8601/0/Gregorian';

function collectionOf(
  { code, type, title, extent }: LayerInMap,
  door: string,
  times?: TimeExtent | undefined,
): Collection {
  const at = collectionAt(door, code);
  const hasFeatures = holdsObjects({ type });
  return {
    id: code,
    title,
    links: [...selfLinksOf(at), ...(hasFeatures ? featureLinks(at) : pictureLinks(at))],
    ...((extent || times) && {
      extent: {
        ...(extent && {
          spatial: { bbox: [[extent.west, extent.south, extent.east, extent.north]], crs: crs84.uri },
        }),
        ...(times && { temporal: { interval: [times], trs: gregorian } }),
      },
    }),
    ...(hasFeatures ? { itemType: 'feature' } : { layerDataType: 'Raster' }),
    crs: listedCrs(extent),
    storageCrs: crs84.uri,
  };
}

/** The forms of files that a collection links to; its description names the others. */
export const linkedFiles = ['csv', 'fgb', 'gpkg', 'parquet'].flatMap((code) => fileFormats.get(code) ?? []);

const selfLinksOf = (at: string): Link[] => [
  { href: at, rel: 'self', type: mediaTypes.json, title: 'This collection' },
  { href: `${at}?f=html`, rel: 'alternate', type: mediaTypes.html, title: 'This collection as a page' },
];

const featureLinks = (at: string): Link[] => [
  { href: `${at}/items`, rel: 'items', type: mediaTypes.geojson, title: 'Features as GeoJSON' },
  { href: `${at}/items?f=html`, rel: 'items', type: mediaTypes.html, title: 'Features as a page' },
  ...linkedFiles.map(({ code, name, mediaType }) => ({
    href: `${at}/items?f=${code}`,
    rel: 'items',
    type: mediaType,
    title: `All features as ${name}`,
  })),
  {
    href: `${at}/queryables`,
    rel: relation('queryables'),
    type: mediaTypes.schema,
    title: 'Properties for filters',
  },
  {
    href: `${at}/sortables`,
    rel: relation('sortables'),
    type: mediaTypes.schema,
    title: 'Properties to sort by',
  },
  {
    href: `${at}/schema`,
    rel: relation('schema'),
    type: mediaTypes.schema,
    title: 'Properties and their types',
  },
  // The name of a relation has no case, but GDAL before 3.7 knows this one alone.
  ...['describedBy', 'describedby'].map((rel) => ({
    href: `${at}/feature-schema`,
    rel,
    type: mediaTypes.schema,
    title: 'A feature as GeoJSON, as a schema',
  })),
  ...drawnLinks(at),
];
