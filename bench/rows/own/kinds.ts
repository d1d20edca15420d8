import { describe, type Layer, look, polygonLayer } from '../../data/layer.js';
import { piecesMade } from '../../data/pieces.js';
import { placeOf } from '../../data/polygons.js';
import { randomViews, tileAt, type View, viewAt } from '../../data/tiles.js';
import { makeMap, serviceOf } from '../../service.js';
import { run, type Stage } from '../../stage.js';

/** The map whose layers have one kind of data each. */
export const kindMap = 'kinds';

/** A kind of data with its style. All kinds are made from the polygons of the bench. */
export interface Kind {
  code: string;
  /** SQL for the geometry of an object, from `geom`, that of a polygon. */
  shape: string;
  /** SQL by which polygons become one object, whose pieces are waited for; absent: each is one. */
  group?: string;
  /** Declarations of CartoCSS. */
  style: string;
}

const fill = `polygon-fill: ${look.fills[1]}; line-color: ${look.line}; line-width: ${look.lineWidth};`;
const text = `text-name: [name]; text-face-name: 'Noto Sans Regular'; text-size: ${look.textSize}; text-fill: ${look.text}; text-halo-fill: ${look.halo}; text-halo-radius: 1;`;

/** Strips of ten degrees: each has thousands of polygons as its parts. */
const meridians = 'floor(st_xmin(geom) / 10)';

export const kinds = {
  areas: { code: 'areas', shape: 'geom', style: fill },
  'areas with labels': { code: 'labelled_areas', shape: 'geom', style: `${fill} ${text}` },
  lines: { code: 'lines', shape: 'st_boundary(geom)', style: 'line-color: #b06020; line-width: 2;' },
  'lines with labels along them': {
    code: 'labelled_lines',
    shape: 'st_boundary(geom)',
    style: `line-color: #b06020; line-width: 2; ${text} text-placement: line;`,
  },
  points: {
    code: 'points',
    shape: 'st_centroid(geom)',
    style: 'marker-width: 6; marker-fill: #b03030; marker-line-width: 0; marker-allow-overlap: true;',
  },
  'points with labels': {
    code: 'labelled_points',
    shape: 'st_centroid(geom)',
    style: `marker-width: 6; marker-fill: #b03030; marker-allow-overlap: true; ${text} text-dy: -8;`,
  },
  'huge areas': { code: 'huge_areas', shape: 'st_collect(geom)', group: meridians, style: fill },
  'huge areas with labels': {
    code: 'labelled_huge_areas',
    shape: 'st_collect(geom)',
    group: meridians,
    style: `${fill} ${text} text-placement: interior;`,
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

/** The layer of a kind, filled once from the polygons by SQL. */
export const kindLayer = (stage: Stage, name: KindName): Promise<Layer> =>
  stage.once(`kind ${name}`, async () => {
    const { code, shape, style, group }: Kind = kinds[name];
    const polygons = await polygonLayer(stage);
    const service = await serviceOf(stage, 'unkept');
    await stage.once('map of kinds', () => makeMap(service, kindMap));
    const path = `/${kindMap}/layers/${code}`;
    const css_style = `#${code} { ${style} }`;
    const { id } = await service.admin('POST', `/${kindMap}/layers/`, { code, css_style });
    await service.admin('POST', `${path}/structure/`, { code: 'name', type: 'string' });
    const layer = await describe(service, path, id);
    const fillText = `insert into ${layer.table} (geom, ${layer.columns.name})
        select ${shape}, ${group ? `min(${polygons.columns.name})` : polygons.columns.name} from ${polygons.table}
        ${group ? `group by ${group}` : ''}`;
    await run('psql', [layer.database, '-qc', fillText, '-c', `vacuum analyze ${layer.table}`]);
    if (group) await piecesMade(service, kindMap, layer);
    return layer;
  });

/** Views of a round, the same for both sides, at these zoom levels. */
export type Views = (round: number, count: number) => readonly View[];

/** Map views that contain polygons. */
export const viewsAt = (stage: Stage, zooms: readonly [number, number]): Views => {
  const polygons = stage.options.features;
  return (round, count) => randomViews(count, { polygons, zooms, seed: 15_000 + round });
};

/** One view at each zoom level at which all objects lie close together. */
export const farViews = (stage: Stage): Views => {
  const polygons = stage.options.features;
  return (round) =>
    [2, 3, 4, 5].map((z) => {
      const { x, y } = tileAt(z, ...placeOf((16_000 + round * 7_919) % polygons));
      return viewAt(z, x - 2, y - 2);
    });
};
