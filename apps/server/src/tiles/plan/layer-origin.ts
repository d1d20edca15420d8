import { type CompiledStyle, compileLayerStyle, type MapLayer, widest } from '@cartulary/cartocss';
import type { ConnectionTarget, Database } from '@cartulary/database';
import { namingColumns, withFilterFactor } from '@cartulary/renderer';
import type { Sql } from '@cartulary/sql';
import type { ExternalPictures } from '../../external/pictures.js';
import { type ExternalSource, sourceOf } from '../../external/source.js';
import { isExternal, isRaster } from '../../layers/layers.js';
import type { FileStorage } from '../../storage/storage.js';
import { externalOrigin } from '../render/externals.js';
import type { DrawableLayer, LayerContent } from './choose-layers.js';
import type { LayerStyle } from './layer-style.js';
import { filterFactor, rasterSource } from './raster-source.js';
import { datasource } from './sql/datasource.js';
import type { LayerSource } from './sql/layer-source.js';
import { layerSql } from './sql/layer-sql.js';
import { readBox } from './sql/read-box.js';
import type { LayerFilters } from './tile-filter.js';
import type { TileRequest } from './tile-request.js';

/** Where Mapnik reads data: a database, and files by the keys of the storage. */
export interface Origins {
  database: ConnectionTarget;
  fileOf(key: string): string;
  /** The source of an external layer; undefined when the service does not draw it. */
  externalOf?(json: Record<string, unknown>): ExternalSource | undefined;
}

export const originsOf = (
  db: Pick<Database, 'connection'>,
  storage: Pick<FileStorage, 'path'>,
  pictures: Pick<ExternalPictures, 'draws'> = { draws: () => false },
): Origins => ({
  externalOf: (json) => {
    const source = sourceOf(json);
    return source && pictures.draws(source) ? source : undefined;
  },
  database: db.connection,
  fileOf: (key) => storage.path(key),
});

/** What a layer's query depends on besides the layer. */
export interface ReadAt extends Pick<TileRequest, 'z' | 'lng' | 'main' | 'plane'> {
  /** Where objects are read. */
  box: Sql;
  /** The filters of the request by layer. */
  filters?: LayerFilters | undefined;
}

/** What the drawing of an image depends on besides the layer. */
export type DrawAt = Pick<TileRequest, 'z' | 'scale' | 'isOffGrid'>;

/** The part of a Mapnik layer that says where its data come from and how they are drawn. */
export type LayerOrigin = Pick<MapLayer, 'srs' | 'datasource' | 'compiled'>;

/** The origin of a layer, and its external source; undefined when there is nothing to draw. */
export function layerOriginOf(
  at: ReadAt & DrawAt,
  { id, source, style }: DrawableLayer,
  origins: Origins,
): { origin: LayerOrigin; external?: ExternalSource; isWarped?: boolean } | undefined {
  if (at.plane && (isExternal(source) || isRaster(source)))
    return { origin: { ...externalOrigin(id), compiled: warpedStyle }, isWarped: true };
  if (isExternal(source)) {
    const external = origins.externalOf?.(source.json ?? {});
    if (!external || at.z < external.minZoom) return undefined;
    return { origin: { ...externalOrigin(id), compiled: style.compiled }, external };
  }
  const origin = isRaster(source)
    ? imageOrigin(at, source, style.compiled, origins)
    : objectsOrigin(layerSourceOf(at, source, style), style, origins);
  return origin && { origin };
}

/** The look of a picture that was drawn in its own style, and then warped. */
const warpedStyle = compileLayerStyle('#image { raster-opacity: 1; }', {
  code: 'image',
  classes: [],
  columns: undefined,
});

/** The image of a raster layer; undefined before the first import. */
function imageOrigin(
  at: DrawAt,
  { raster }: LayerContent,
  compiled: CompiledStyle,
  { fileOf }: Origins,
): LayerOrigin | undefined {
  if (!raster) return undefined;
  const factor = at.isOffGrid ? undefined : filterFactor(raster, at);
  const adapted = factor === undefined ? compiled : withFilterFactor(compiled, factor);
  return { ...rasterSource(raster, fileOf), compiled: adapted };
}

/** The objects of a layer; undefined when the style draws none of them. */
export function objectsOrigin(
  source: LayerSource,
  { compiled }: Pick<LayerStyle, 'compiled'>,
  { database }: Pick<Origins, 'database'>,
): LayerOrigin | undefined {
  if (source.filter === 'none') return undefined;
  return {
    srs: 'epsg:4326',
    datasource: datasource(database, layerSql(source)),
    compiled: namingColumns(compiled, source.read),
  };
}

/** The query that a style needs of a layer. */
export const layerSourceOf = (
  { z, lng, main, box, filters, plane }: ReadAt,
  { id, columns }: LayerContent,
  { compiled, drawing }: LayerStyle,
): LayerSource => ({
  id,
  columns,
  read: compiled.columnsAt(z),
  written: compiled.labelColumnsAt(z),
  filter: compiled.filterAt(z),
  only: filters?.get(id),
  plane,
  lng,
  main,
  drawing,
  zoom: z,
  box,
});

/**
 * The box in which each layer is read, within the `asked` pixels that Mapnik requests around a picture: as wide as the layer needs.
 * Layers whose symbols avoid each other share one box, so that neighbouring pictures place the same symbols.
 */
export function readBoxes(
  layers: readonly DrawableLayer[],
  asked: number,
  z: number,
): (layer: DrawableLayer) => Sql {
  const mayAvoid = ({ claims, area, labels }: DrawableLayer): boolean =>
    !labels && (claims || typeof area !== 'number');
  const shared = widest(layers.filter(mayAvoid).map(({ around }) => around));
  return (layer) => readBox(asked, mayAvoid(layer) ? shared : layer.around, z);
}
