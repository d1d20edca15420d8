import { compileMapStyle, type MapLibreLayer, type MapLibrePicture } from '@cartulary/cartocss';
import type { Caller } from '../../access/caller.js';
import { type Container, findMap } from '../../containers/containers.js';
import { shownName } from '../../containers/names.js';
import { layerTraits } from '../../layers/styles/traits.js';
import { mapState } from '../plan/map-state.js';
import type { RenderSettings } from '../plan/render-settings.js';
import { filtersFor } from '../plan/tile-filter.js';
import { visibleLayers, withBase } from '../plan/visible-layers.js';
import type { PlanVectorParts } from '../vector/tile.js';
import { boundsOf } from '../vector/tilejson.js';
import {
  type AddressParts,
  addressBelow,
  centreOf,
  type LonLatBox,
  tileTemplate,
  widened,
  worldBox,
} from './addresses.js';
import { type ClientLayer, clientLayers, hasPictures } from './style-layers.js';

/** What a description of a map's tiles shows, in the form of a tile's query. */
export interface DescribedMap extends AddressParts {
  caller: Caller;
  /** Ids of layers or items; undefined: the selected layers. */
  layers: readonly number[] | undefined;
  base: boolean;
  filter: string | undefined;
  lng: string;
  /** The query of the tiles that says the same. */
  query: Readonly<Record<string, string | undefined>>;
  /** After the row: `@2x.png`. */
  end: string;
}

/** The visible layers of a map, and where they are. */
interface Described {
  map: Container;
  ids: number[];
  content: Awaited<ReturnType<PlanVectorParts['readContent']>>;
  traits: Awaited<ReturnType<typeof layerTraits>>;
  isPublic: boolean;
  /** Layers to which the filter applies. */
  filtered: { has(id: number): boolean };
  background: string | undefined;
  zooms: { minzoom: number; maxzoom: number };
  /** The extent of the objects. */
  box: LonLatBox;
}

/** Reads what a map shows. Throws 404, 403, 400 for an unknown layer. */
async function describe(
  { db, readContent }: PlanVectorParts,
  { caller, map: code, layers, base, filter }: DescribedMap,
  signal: AbortSignal,
): Promise<Described> {
  const state = await mapState(db, caller, code, caller.at);
  const content = await readContent(state, signal);
  const ids = withBase(visibleLayers(layers, state.viewable, content), base, state.viewable, content);
  const map = await findMap(db, caller, code, 'view');
  const traits = await layerTraits(db, ids, '4326', signal);
  const { minZoom = 0, maxZoom = 24 } = map.render_settings as RenderSettings;
  return {
    map,
    ids,
    content,
    traits,
    isPublic: state.has_publication,
    filtered: filtersFor(
      filter,
      ids.map((id) => content.layers.get(id)!),
    ),
    background: base ? compileMapStyle(content.css_style).backgroundColor : undefined,
    zooms: { minzoom: Math.ceil(minZoom), maxzoom: Math.floor(maxZoom) },
    box: boundsOf([...traits.values()].flatMap(({ bbox }) => (bbox ? [bbox] : []))),
  };
}

/** Pixels around an object that its symbols reach at most. */
const reachPx = 256;

/**
 * The box in which the picture shows something: the objects and their symbols. A background is everywhere, and the place of
 * another service's pictures is not known.
 */
function pictureBox({ ids, content, background, box, zooms, traits }: Described): LonLatBox {
  const isAnywhere = ids.some((id) => content.layers.get(id)!.type === 'external' && !traits.get(id)?.bbox);
  return background !== undefined || isAnywhere ? worldBox : widened(box, reachPx, zooms.minzoom);
}

const attributionOf = ({ json }: Container): { attribution?: string } =>
  typeof json.attribution === 'string' ? { attribution: json.attribution } : {};

/** A description and whether the public may have it. */
export interface Description {
  json: Record<string, unknown>;
  isPublic: boolean;
}

/** TileJSON 3.0 (https://github.com/mapbox/tilejson-spec) of a map's raster tiles. */
export async function rasterTileJson(
  parts: PlanVectorParts,
  wanted: DescribedMap,
  signal: AbortSignal,
): Promise<Description> {
  const described = await describe(parts, wanted, signal);
  const { map, zooms, box, isPublic } = described;
  const json = {
    tilejson: '3.0.0',
    name: shownName(map, [wanted.lng]) || map.code,
    tiles: [tileTemplate(wanted, wanted.end, wanted.query)],
    scheme: 'xyz',
    tileSize: 256,
    format: wanted.end.slice(wanted.end.indexOf('.') + 1),
    ...zooms,
    bounds: pictureBox(described),
    center: centreOf(box, zooms),
    ...attributionOf(map),
    vector_layers: [],
  };
  return { json, isPublic };
}

/**
 * A style for MapLibre (https://maplibre.org/maplibre-style-spec/): layers over vector tiles where the CartoCSS or the
 * visualization can be said in it, and raster tiles of the others, in the order of the map. `metadata` tells which, and why.
 */
export async function mapStyle(
  parts: PlanVectorParts,
  wanted: DescribedMap,
  signal: AbortSignal,
): Promise<Description> {
  const described = await describe(parts, wanted, signal);
  const { map, zooms, box, background, isPublic } = described;
  const layers = await layersOf(described);
  const [lon, lat, zoom] = centreOf(box, zooms);
  const json = {
    version: 8,
    name: shownName(map, [wanted.lng]) || map.code,
    center: [lon, lat],
    // MapLibre's level 0 shows the world in 512 pixels.
    zoom: Math.max(0, zoom - 1),
    glyphs: addressBelow(wanted, 'glyphs/{fontstack}/{range}.pbf', { token: wanted.query.token }),
    ...(layers.some(hasPictures) ? { sprite: spriteAddress(wanted) } : {}),
    sources: sourcesOf(described, wanted, layers),
    layers: [
      ...(background === undefined
        ? []
        : [{ id: 'background', type: 'background', paint: { 'background-color': background } }]),
      ...runsOf(layers).flatMap((run) => ('source' in run ? [rasterLayer(run)] : vectorLayers(run))),
    ],
    metadata: { 'cartulary:layers': layers.map(told) },
  };
  return { json, isPublic };
}

const spriteAddress = (wanted: DescribedMap): string => {
  const { layers, base, token } = wanted.query;
  return addressBelow(wanted, 'sprite', { layers, base, token });
};

const layersOf = ({ ids, content, traits }: Described): Promise<ClientLayer[]> =>
  clientLayers(ids, content, (id) => traits.get(id)?.kind === 'Point');

/** The icons that the style of a map names. */
export async function stylePictures(
  parts: PlanVectorParts,
  wanted: DescribedMap,
  signal: AbortSignal,
): Promise<{ pictures: MapLibrePicture[]; isPublic: boolean }> {
  const described = await describe(parts, wanted, signal);
  const found = new Map<string, MapLibrePicture>();
  for (const layer of await layersOf(described))
    if (layer.drawnAs === 'vector') for (const one of layer.pictures) found.set(one.name, one);
  return { pictures: [...found.values()], isPublic: described.isPublic };
}

type VectorDrawn = Extract<ClientLayer, { drawnAs: 'vector' }>;

/** Neighbouring raster layers share a source: labels of one avoid those of the other. */
interface RasterRun {
  source: string;
  ids: number[];
}

function runsOf(layers: readonly ClientLayer[]): (RasterRun | VectorDrawn)[] {
  const runs: (RasterRun | VectorDrawn)[] = [];
  for (const layer of layers) {
    const last = runs.at(-1);
    if (layer.drawnAs === 'vector') runs.push(layer);
    else if (last && 'source' in last) last.ids.push(layer.id);
    else runs.push({ source: `raster:${layer.code}`, ids: [layer.id] });
  }
  return runs;
}

const vectorSource = 'vector';

const rasterLayer = ({ source }: RasterRun): object => ({ id: source, type: 'raster', source });

const vectorLayers = ({ code, layers }: VectorDrawn): object[] =>
  layers.map((layer: MapLibreLayer, i) => ({
    id: `${code}:${i + 1}`,
    source: vectorSource,
    'source-layer': code,
    ...layer,
  }));

function sourcesOf(
  described: Described,
  wanted: DescribedMap,
  layers: readonly ClientLayer[],
): Record<string, object> {
  const { map, box, zooms, filtered } = described;
  const { base: _, q: __, filter, ...others } = wanted.query;
  // A filter is refused where no layer has its columns.
  const queryOf = (ids: readonly number[]): DescribedMap['query'] => ({
    ...others,
    layers: ids.join(','),
    filter: ids.some((id) => filtered.has(id)) ? filter : undefined,
  });
  const vectors = layers.filter((layer) => layer.drawnAs === 'vector').filter(({ layers }) => layers.length);
  const rasters = runsOf(layers).filter((run) => 'source' in run);
  const fields = [...new Set(vectors.flatMap(({ columns }) => columns))].join(',');
  const vector = {
    type: 'vector',
    tiles: [tileTemplate(wanted, '.mvt', { ...queryOf(vectors.map(({ id }) => id)), fields })],
    minzoom: Math.max(0, zooms.minzoom - 1),
    maxzoom: zooms.maxzoom,
    bounds: box,
    ...attributionOf(map),
  };
  const raster = ({ ids }: RasterRun): object => ({
    type: 'raster',
    tiles: [tileTemplate(wanted, wanted.end, { ...queryOf(ids), base: '0' })],
    tileSize: 256,
    ...zooms,
    bounds: pictureBox({ ...described, background: undefined }),
    ...attributionOf(map),
  });
  return {
    ...(vectors.length ? { [vectorSource]: vector } : {}),
    ...Object.fromEntries(rasters.map((run) => [run.source, raster(run)])),
  };
}

/** What `metadata` tells about a layer. */
const told = (layer: ClientLayer): object =>
  layer.drawnAs === 'raster'
    ? { layer: layer.code, drawnAs: 'raster', reason: layer.reason }
    : { layer: layer.code, drawnAs: 'vector', ...(layer.leftOut.length ? { leftOut: layer.leftOut } : {}) };
