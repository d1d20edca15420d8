import type { HeatPass } from '@cartulary/renderer';
import { type Sql, sql } from '@cartulary/sql';
import type { HeatSource } from '@cartulary/visualizations';
import { onePoint, readById } from '../../../layers/visual/visual.js';
import { objectsTable } from '../tile-filter.js';
import type { LayerSource } from './layer-source.js';
import { mapnikText } from './mapnik-text.js';

/** Width of a grid cell, pixels of the style. */
const cell = 2;

/** Width of the world in EPSG:3857, metres. */
const earth = 2 * Math.PI * 6_378_137;

/** Distance from the map's northern edge in degrees of longitude, at which pixels are square. */
const southward = (point: Sql): Sql =>
  sql`(180 - degrees(asinh(tan(radians(greatest(-85.06, least(85.06, st_y(${point}))))))))`;

/** The pass of a heat map at a zoom level: weights of the objects per grid cell and radius. All pictures of a level share the grid. */
export function heatPass(
  source: Pick<LayerSource, 'id' | 'columns' | 'main' | 'only' | 'plane'> & { lng?: string },
  heat: HeatSource,
  zoom: number,
): Omit<HeatPass, 'datasource'> & { table: string } {
  const { columns, main } = source;
  const read = readById(columns, { alias: sql`t`, main });
  const width = (360 * cell) / (256 * 2 ** zoom);
  const table = mapnikText(sql`(
    select min(svc_id) as svc_id, st_setsrid(st_makepoint(0, 0), 4326) as geom, x, y, radius, sum(weight) as weight from (
      select o.svc_id, floor((st_x(o.p) + 180) / ${width})::double precision as x,
        floor(${southward(sql`o.p`)} / ${width})::double precision as y, o.weight, o.radius
      from (select t.svc_id, ${onePoint} as p, ${heat.weight(read)} as weight, ${heat.radiusPx(read)} as radius
        from ${objectsTable(source)} t where t.geom && !bbox! offset 0) o
    ) cells where weight > 0 group by x, y, radius) as layer`);
  const radiusScale = heat.radiusFactor(zoom) / cell;
  return {
    kind: 'heat',
    table,
    cell: (earth * cell) / (256 * 2 ** zoom),
    radiusScale,
    reach: Math.ceil(1.5 * heat.maxRadiusPx * radiusScale) + 3,
    peak: heat.peak(zoom) / heat.strength,
    colors: heat.colors,
    opacity: heat.opacity,
  };
}
