import type { Queryable } from '@cartulary/database';
import type { Caller } from '../../access/caller.js';
import { findMap } from '../../containers/containers.js';
import { shownName } from '../../containers/names.js';
import { layerTraits } from '../../layers/styles/traits.js';
import type { VectorPlan } from './tile.js';

interface Described {
  caller: Caller;
  map: string;
  plan: VectorPlan;
  /** URL template of the tiles. */
  template: string;
  lng: string;
}

/** The part of a TileJSON that the service itself reads. */
interface VectorTileJson extends Record<string, unknown> {
  minzoom: number;
  maxzoom: number;
  bounds: ReturnType<typeof boundsOf>;
}

const types: Readonly<Record<string, string>> = { number: 'Number', bool: 'Boolean' };

/** TileJSON 3.0 (https://github.com/mapbox/tilejson-spec) of a map's vector tiles. */
export async function tileJson(
  db: Queryable,
  { caller, map: code, plan, template, lng }: Described,
  signal: AbortSignal,
): Promise<VectorTileJson> {
  const map = await findMap(db, caller, code, 'view');
  const { minZoom = 0, maxZoom = 22 } = map.render_settings as { minZoom?: number; maxZoom?: number };
  const ids = plan.layers.map(({ source }) => source.id);
  const traits = await layerTraits(db, ids, '4326', signal);
  const boxes = [...traits.values()].flatMap(({ bbox }) => (bbox ? [bbox] : []));
  const attribution = map.json.attribution;
  return {
    tilejson: '3.0.0',
    name: shownName(map, [lng]) || map.code,
    tiles: [template],
    scheme: 'xyz',
    minzoom: Math.floor(minZoom),
    maxzoom: Math.floor(maxZoom),
    bounds: boundsOf(boxes),
    ...(typeof attribution === 'string' ? { attribution } : {}),
    vector_layers: plan.layers.map(({ source, fields, minZoom: min, maxZoom: max }) => ({
      id: source.code,
      minzoom: Math.floor(min),
      maxzoom: Math.floor(max),
      geometry: traits.get(source.id)?.kind ?? 'Unknown',
      fields: Object.fromEntries([
        ['svc_id', 'Number'],
        ...fields.map((field) => {
          const column = source.columns.find((one) => one.code === field)!;
          return [field, types[column.type] ?? 'String'];
        }),
      ]),
    })),
  };
}

/** Union of boxes: west, south, east, north; the whole world without any. */
export function boundsOf(
  boxes: readonly { sw: readonly number[]; ne: readonly number[] }[],
): [west: number, south: number, east: number, north: number] {
  if (!boxes.length) return [-180, -85.0511, 180, 85.0511];
  const clamp = (lat: number): number => Math.max(-85.0511, Math.min(85.0511, lat));
  return [
    Math.max(-180, Math.min(...boxes.map(({ sw }) => sw[1]!))),
    clamp(Math.min(...boxes.map(({ sw }) => sw[0]!))),
    Math.min(180, Math.max(...boxes.map(({ ne }) => ne[1]!))),
    clamp(Math.max(...boxes.map(({ ne }) => ne[0]!))),
  ];
}
