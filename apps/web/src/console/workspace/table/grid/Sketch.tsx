import type { Geometry, Position } from 'geojson';
import { type ReactNode, useEffect, useState } from 'react';
import { extentOf } from '../../../../viewer/map/geometry.js';
import type { SketchStore } from '../rows/sketches.js';
import type { TableRow } from '../rows/source.js';
import classes from './grid.module.css';

const width = 44;
const height = 24;
const margin = 3;

/** The geometry of a row as a small picture. */
export function Sketch({
  row,
  sketches,
  label,
}: {
  row: TableRow;
  sketches: SketchStore;
  label: string;
}): ReactNode {
  const [geometry, setGeometry] = useState<Geometry | null>(null);
  useEffect(() => sketches.request(row, setGeometry), [row, sketches]);
  if (!row.bbox) return null;
  return (
    <svg className={classes.sketch} width={width} height={height} role="img" aria-label={label}>
      {geometry && <Shape geometry={geometry} />}
    </svg>
  );
}

function Shape({ geometry }: { geometry: Geometry }): ReactNode {
  if (geometry.type === 'Point') return <path d={`M${width / 2} ${height / 2}h0`} data-point="alone" />;
  const project = projectionFor(geometry);
  if (!project) return null;
  const paths = { area: '', line: '', point: '' };
  addPaths(geometry, project, paths);
  return (
    <>
      {paths.area && <path d={paths.area} fillRule="evenodd" data-area />}
      {paths.line && <path d={paths.line} />}
      {paths.point && <path d={paths.point} data-point="one" />}
    </>
  );
}

type Project = (position: Position) => string;

/** Adds the lines of a geometry to the paths of its kind. */
function addPaths(
  geometry: Geometry,
  project: Project,
  paths: Record<'area' | 'line' | 'point', string>,
): void {
  const lineOf = (line: readonly Position[]): string => `M${line.map(project).join('L')}`;
  if (geometry.type === 'GeometryCollection')
    for (const part of geometry.geometries) addPaths(part, project, paths);
  else if (geometry.type === 'Point') paths.point += `M${project(geometry.coordinates)}h0`;
  else if (geometry.type === 'MultiPoint')
    paths.point += geometry.coordinates.map((one) => `M${project(one)}h0`).join('');
  else if (geometry.type === 'LineString') paths.line += lineOf(geometry.coordinates);
  else if (geometry.type === 'MultiLineString') paths.line += geometry.coordinates.map(lineOf).join('');
  else {
    const rings = geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat();
    paths.area += rings.map((ring) => `${lineOf(ring)}Z`).join('');
  }
}

/** Places positions so that the geometry fills the picture, with equal scales at its latitude. */
function projectionFor(geometry: Geometry): Project | null {
  const extent = extentOf(geometry);
  if (!extent) return null;
  const { sw, ne } = extent;
  const narrow = Math.cos((((sw[0] + ne[0]) / 2) * Math.PI) / 180);
  const [wide, high] = [Math.max((ne[1] - sw[1]) * narrow, 1e-9), Math.max(ne[0] - sw[0], 1e-9)];
  const scale = Math.min((width - 2 * margin) / wide, (height - 2 * margin) / high);
  return ([lon, lat]) => {
    const x = width / 2 + (lon! - (sw[1] + ne[1]) / 2) * narrow * scale;
    const y = height / 2 - (lat! - (sw[0] + ne[0]) / 2) * scale;
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
}
