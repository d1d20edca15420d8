import { type Sql, sql } from '../db/sql.js';
import { layerTable } from '../layers/layers.js';
import { onePoint, readById } from '../layers/visual/visual.js';
import type { HeatSource } from '../visualizations/visualization.js';
import { type LayerSource, mapnikText } from './layer-sql.js';
import type { HeatPass } from './messages.js';

/** Pixels of the style that a cell of the grid is wide. */
const cell = 2;

/** Width of the world in EPSG:3857, metres. */
const earth = 2 * Math.PI * 6_378_137;

/** Colatitude on the map: degrees south of its northern edge, in which a pixel is as high as it is wide. */
const southward = (point: Sql): Sql =>
  sql`(180 - degrees(asinh(tan(radians(greatest(-85.06, least(85.06, st_y(${point}))))))))`;

/**
 * A heat map at a zoom level as the renderer draws it: from a grid that is the same for all pictures of the level, the weights of
 * the objects in each cell, by the radius to which they reach.
 */
export function heatPass(
  { id, columns, main }: Pick<LayerSource, 'id' | 'columns' | 'main'>,
  heat: HeatSource,
  zoom: number,
): Omit<HeatPass, 'datasource'> & { table: string } {
  const read = readById(columns, { alias: sql`t`, main });
  const width = (360 * cell) / (256 * 2 ** zoom);
  const table = mapnikText(sql`(
    select min(svc_id) as svc_id, st_setsrid(st_makepoint(0, 0), 4326) as geom, x, y, radius, sum(weight) as weight from (
      select o.svc_id, floor((st_x(o.p) + 180) / ${width})::double precision as x,
        floor(${southward(sql`o.p`)} / ${width})::double precision as y, o.weight, o.radius
      from (select t.svc_id, ${onePoint} as p, ${heat.weight(read)} as weight, ${heat.radius(read)} as radius
        from ${layerTable(id)} t where t.geom && !bbox! offset 0) o
    ) cells where weight > 0 group by x, y, radius) as layer`);
  const radiusScale = heat.growth(zoom) / cell;
  return {
    kind: 'heat',
    table,
    cell: (earth * cell) / (256 * 2 ** zoom),
    radiusScale,
    reach: Math.ceil(1.5 * heat.most * radiusScale) + 3,
    peak: heat.peak(zoom) / heat.strength,
    colors: heat.colors,
    opacity: heat.opacity,
  };
}
