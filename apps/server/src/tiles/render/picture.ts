import { compileLayerStyle, type MapLayer } from '@cartulary/cartocss';
import type { ConnectionTarget, Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import type { Extent } from '@cartulary/geo';
import { type Caller, mainLanguage } from '../../access/caller.js';
import type { ExternalPictures } from '../../external/pictures.js';
import { readIconsVersion } from '../../icons/icons.js';
import type { Layer } from '../../layers/layers.js';
import { compose } from '../plan/compose.js';
import { originsOf } from '../plan/layer-origin.js';
import { type MapState, mapState } from '../plan/map-state.js';
import type { PlanParts } from '../plan/plan.js';
import { datasource } from '../plan/sql/datasource.js';
import { objectSql } from '../plan/sql/layer-sql.js';
import { visibleLayers, withBase } from '../plan/visible-layers.js';
import { compositionJob } from './jobs.js';
import type { RendererPool } from './pool.js';

/** A picture of an object and its surroundings. */
export interface PictureRequest {
  caller: Caller;
  layer: Layer;
  /** The marked object. */
  id: number;
  /** Zoom level of the style's rules; width and height are pixels of the style at this level. */
  z: number;
  extent: Extent;
  width: number;
  height: number;
  /** Pixels of the picture per pixel of the style. */
  scale: number;
  lng?: string | undefined;
}

/** An opaque PNG. Throws what the renderer pool throws. */
export type DrawPicture = (request: PictureRequest, signal: AbortSignal) => Promise<Uint8Array>;

/** Draws the published layers that the caller may view, and above them the marked object. */
export function createPictureDrawer({
  db,
  storage,
  readContent,
  renderers,
  pictures,
  fastLabels,
}: PlanParts & {
  renderers: Pick<RendererPool, 'render'>;
  pictures?: Pick<ExternalPictures, 'draws'>;
}): DrawPicture {
  const origins = originsOf(db, storage, pictures);

  return async (request, signal) => {
    const { caller, layer, extent, width, height, scale, z } = request;
    const main = mainLanguage(caller);
    const { state, named } = await stateFor(db, request);
    const content = await readContent(state, signal);
    const ids = withBase(visibleLayers(named, state.viewable, content), true, state.viewable, content);
    const composition = await compose(
      {
        z,
        base: true,
        scale,
        isOffGrid: true,
        lng: request.lng ?? main,
        main,
        fastLabels,
        paper: 'white',
        over: mark(layer.id, request.id, db.connection),
      },
      ids,
      content,
      origins,
    );
    const job = compositionJob(composition, z, {
      extent,
      size: Math.round(width * scale),
      height: Math.round(height * scale),
      scale,
      format: 'png:t=0:z=6',
    });
    const [picture] = await renderers.render(job, signal);
    return picture!;
  };
}

interface VisibleState {
  state: Pick<MapState, 'id' | 'version' | 'project_id' | 'icons_version' | 'viewable'>;
  named: number[] | undefined;
}

/** The state of the map; for a caller who may view only the layer, the layer alone. */
async function stateFor(db: Database, request: PictureRequest): Promise<VisibleState> {
  const { layer, caller } = request;
  try {
    return { state: await mapState(db, caller, layer.map.code), named: undefined };
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'forbidden')) throw error;
    const viewable = new Map([[layer.id, layer.data_version]]);
    const { id, version, project_id } = layer.map;
    const icons_version = await readIconsVersion(db, project_id);
    return { state: { id, version, project_id, icons_version, viewable }, named: [layer.id] };
  }
}

/** Marks in a colour that maps seldom have; rings around points leave the map below visible. */
const markStyle = `
#marked {
  [dimension=0] {
    a/marker-width: 22; a/marker-fill: #fff; a/marker-fill-opacity: 0.25; a/marker-line-color: #fff; a/marker-line-width: 6;
    a/marker-allow-overlap: true; a/marker-ignore-placement: true;
    b/marker-width: 22; b/marker-fill-opacity: 0; b/marker-line-color: #d6336c; b/marker-line-width: 3;
    b/marker-allow-overlap: true; b/marker-ignore-placement: true;
  }
  [dimension>=1] {
    a/line-color: #fff; a/line-width: 6; a/line-opacity: 0.85; a/line-join: round; a/line-cap: round;
    b/line-color: #d6336c; b/line-width: 3; b/line-join: round; b/line-cap: round;
  }
  [dimension=2] {
    a/line-width: 4; b/line-width: 1.8;
    polygon-fill: #d6336c; polygon-opacity: 0.12;
  }
}`;

const mark = (layerId: number, id: number, target: ConnectionTarget): MapLayer => ({
  name: 'marked',
  srs: 'epsg:4326',
  datasource: datasource(target, objectSql(layerId, id)),
  compiled: compileLayerStyle(markStyle, {
    code: 'marked',
    classes: [],
    columns: new Map([['dimension', 'number']]),
  }),
});
