import type { Database, Queryable } from '@cartulary/database';
import { type Sql, sql } from '@cartulary/sql';
import type { Caller } from '../../access/caller.js';
import { type Container, type MapContainer, rightOnLayer } from '../../containers/containers.js';
import { shownName } from '../../containers/names.js';
import { type LayerBbox, layerBboxes } from '../../layers/bbox.js';
import { holdsObjects, type Layer } from '../../layers/layers.js';
import {
  collectionAt,
  drawnLinks,
  type Link,
  mediaTypes,
  pictureLinks,
  relation,
} from '../common/addresses.js';
import { crs84, type LonLatExtent, listedCrs } from '../common/crs.js';
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

interface ListedLayer
  extends Pick<Container, 'code' | 'type' | 'json' | 'name' | 'names' | 'localized_name'>,
    Partial<LonLatExtent> {
  id: number;
}

/** The columns of the extent in `box`, and null without one. */
const edges = sql`st_xmin(box) as west, st_ymin(box) as south, st_xmax(box) as east, st_ymax(box) as north`;

/** Types of layers with objects, and of those that are drawn alone. */
const featureTypes = ['layer', 'virtual', 'material'] as const;
const pictureTypes = ['raster', 'external'] as const;

const listStatement = (caller: Caller, map: Pick<MapContainer, 'id'>, types: readonly string[]): Sql => sql`
  select id, code, type, json, name, names, localized_name, ${edges} from (
    select c.id, c.code, c.type, c.json, c.name, c.names, c.localized_name, c.sort,
      case when t.oid is not null then st_estimatedextent('cartulary_data', t.relname, 'geom') end as box
    from cartulary.container c join cartulary.container m on m.id = c.map_id
    left join pg_class t on t.relnamespace = 'cartulary_data'::regnamespace and t.relkind = 'r' and t.relname = 'layer_' || c.id
    where c.map_id = ${map.id} and c.type = any(${[...types]}::text[]) and ${rightOnLayer(caller, sql`m`, sql`c`)} >= 1
  ) listed order by sort, id`;

/**
 * The collections of a map: its layers that the caller may view; `featuresOnly`: those of objects. Extents of objects come from the
 * spatial indexes, which is fast and never too small.
 */
export async function listCollections(
  db: Queryable,
  {
    caller,
    map,
    lng,
    door,
    featuresOnly = false,
  }: {
    caller: Caller;
    map: MapContainer;
    lng: string | undefined;
    door: string;
    featuresOnly?: boolean;
  },
): Promise<Collection[]> {
  const types = featuresOnly ? featureTypes : [...featureTypes, ...pictureTypes];
  const layers = await db.query<ListedLayer>(listStatement(caller, map, types));
  const pictures = await layerBboxes(
    db,
    layers.filter((layer) => !holdsObjects(layer)),
    '4326',
  );
  return layers.map((layer) => {
    const title = shownName(layer, [lng, ...caller.project.languages]) || layer.code;
    const extent = holdsObjects(layer) ? extentIn(layer) : degreesOf(pictures.get(layer.id));
    return collectionOf({ layer, title, door, extent });
  });
}

function extentIn({ west, south, east, north }: Partial<LonLatExtent>): LonLatExtent | undefined {
  if (typeof west !== 'number') return undefined;
  return { west, south, east, north } as LonLatExtent;
}

const degreesOf = (corners: LayerBbox | undefined): LonLatExtent | undefined =>
  corners
    ? { west: corners.sw[1], south: corners.sw[0], east: corners.ne[1], north: corners.ne[0] }
    : undefined;

/** One collection, with its exact extent and its times, which a list of many would read for long. */
export async function oneCollection(
  db: Database,
  { caller, layer, lng, door }: { caller: Caller; layer: Layer; lng: string | undefined; door: string },
  signal: AbortSignal,
): Promise<Collection> {
  const extent = degreesOf((await layerBboxes(db, [layer], '4326', signal)).get(layer.id));
  const title = shownName(layer, [lng, ...caller.project.languages]) || layer.code;
  const times = holdsObjects(layer) ? await timeExtent(db, layer, signal) : undefined;
  return collectionOf({ layer, title, door, extent, times });
}

const gregorian = 'http://www.opengis.net/def/uom/ISO-8601/0/Gregorian';

const within = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value));

function collectionOf({
  layer,
  title,
  door,
  extent: found,
  times,
}: {
  layer: Pick<Container, 'code' | 'type'>;
  title: string;
  door: string;
  extent: LonLatExtent | undefined;
  times?: TimeExtent | undefined;
}): Collection {
  const extent = found && {
    west: within(found.west, 180),
    south: within(found.south, 90),
    east: within(found.east, 180),
    north: within(found.north, 90),
  };
  const at = collectionAt(door, layer.code);
  const hasFeatures = holdsObjects(layer);
  return {
    id: layer.code,
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
  { href: `${at}/schema`, rel: 'describedby', type: mediaTypes.schema, title: 'Properties and their types' },
  ...drawnLinks(at),
];
