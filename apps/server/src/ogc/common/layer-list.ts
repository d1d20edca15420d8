import type { Database, Queryable } from '@cartulary/database';
import { type Sql, sql } from '@cartulary/sql';
import type { Caller } from '../../access/caller.js';
import { type Container, type MapContainer, rightOnLayer } from '../../containers/containers.js';
import { shownName } from '../../containers/names.js';
import { type LayerBbox, layerBboxes } from '../../layers/bbox.js';
import { holdsObjects, type Layer } from '../../layers/layers.js';
import type { LonLatExtent } from './crs.js';

/** A layer as lists of layers and collections describe it. */
export interface LayerInMap extends Pick<Container, 'code' | 'type'> {
  title: string;
  /** undefined: it holds nothing. */
  extent: LonLatExtent | undefined;
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

/** The layers of a map to list; `featuresOnly`: those of objects. */
export interface WantedLayers {
  caller: Caller;
  map: MapContainer;
  lng: string | undefined;
  featuresOnly?: boolean;
}

/** The layers of a map that the caller may view. Extents of objects come from the spatial indexes, which is fast and never too small. */
export async function listLayers(
  db: Queryable,
  { caller, map, lng, featuresOnly = false }: WantedLayers,
): Promise<LayerInMap[]> {
  const types = featuresOnly ? featureTypes : [...featureTypes, ...pictureTypes];
  const layers = await db.query<ListedLayer>(listStatement(caller, map, types));
  const pictures = await layerBboxes(
    db,
    layers.filter((layer) => !holdsObjects(layer)),
    '4326',
  );
  return layers.map((layer) => {
    const extent = holdsObjects(layer) ? extentIn(layer) : degreesOf(pictures.get(layer.id));
    return inMap(layer, extent, [lng, ...caller.project.languages]);
  });
}

/** One layer, with its exact extent. */
export async function describedLayer(
  db: Database,
  { caller, layer, lng }: { caller: Caller; layer: Layer; lng: string | undefined },
  signal: AbortSignal,
): Promise<LayerInMap> {
  const extent = degreesOf((await layerBboxes(db, [layer], '4326', signal)).get(layer.id));
  return inMap(layer, extent, [lng, ...caller.project.languages]);
}

const inMap = (
  layer: Parameters<typeof shownName>[0] & Pick<Container, 'code' | 'type'>,
  extent: LonLatExtent | undefined,
  languages: Parameters<typeof shownName>[1],
): LayerInMap => ({
  code: layer.code,
  type: layer.type,
  title: shownName(layer, languages) || layer.code,
  extent: extent && {
    west: within(extent.west, 180),
    south: within(extent.south, 90),
    east: within(extent.east, 180),
    north: within(extent.north, 90),
  },
});

function extentIn({ west, south, east, north }: Partial<LonLatExtent>): LonLatExtent | undefined {
  if (typeof west !== 'number') return undefined;
  return { west, south, east, north } as LonLatExtent;
}

const degreesOf = (corners: LayerBbox | undefined): LonLatExtent | undefined =>
  corners
    ? { west: corners.sw[1], south: corners.sw[0], east: corners.ne[1], north: corners.ne[0] }
    : undefined;

const within = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value));
