import { fromMercator } from '@cartulary/geo';
import { densities, type HeatCell, type HeatGrid, heatPixels, heatTable } from './heat-picture.js';
import type { HeatPass, RenderJob } from './messages.js';

/** Half of the width of the world in EPSG:3857, metres. */
const edge = Math.PI * 6_378_137;

/** The grid cells of a picture, with the cells around it whose weights reach in. */
function gridOf({ extent }: Pick<RenderJob, 'extent'>, { cell, reach }: HeatPass): HeatGrid {
  const [west, south, east, north] = extent;
  const x = Math.floor((west + edge) / cell) - reach;
  const y = Math.floor((edge - north) / cell) - reach;
  return {
    x,
    y,
    columns: Math.ceil((east + edge) / cell) + reach - x,
    rows: Math.ceil((edge - south) / cell) + reach - y,
  };
}

/** The grid's box in degrees: west, south, east, north. */
export const degreesOf = ({ x, y, columns, rows }: HeatGrid, cell: number): number[] => [
  ...fromMercator(x * cell - edge, edge - (y + rows) * cell),
  ...fromMercator((x + columns) * cell - edge, edge - y * cell),
];

/** Draws a heat map over a whole picture: RGBA, premultiplied. `read` returns the source's rows in an extent in degrees. */
export function drawHeat(
  job: Pick<RenderJob, 'extent'> & { width: number; height: number },
  pass: HeatPass,
  read: (extent: number[]) => Iterable<Record<string, unknown>>,
): Buffer {
  const grid = gridOf(job, pass);
  const cells: HeatCell[] = [];
  for (const { x, y, weight, radius } of read(degreesOf(grid, pass.cell)))
    cells.push({
      x: Number(x),
      y: Number(y),
      weight: Number(weight),
      radius: Number(radius) * pass.radiusScale,
    });
  const [west, , east, north] = job.extent;
  const frame = {
    x: (west + edge) / pass.cell - grid.x,
    y: (edge - north) / pass.cell - grid.y,
    perPixel: (east - west) / job.width / pass.cell,
    width: job.width,
    height: job.height,
  };
  return heatPixels(densities(cells, grid), grid, frame, { table: heatTable(pass), peak: pass.peak });
}
