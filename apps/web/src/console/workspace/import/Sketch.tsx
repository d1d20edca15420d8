import type { Feature, Geometry, Position } from 'geojson';
import type { ReactNode } from 'react';
import type { WorkspaceItem } from '../useWorkspace.js';
import { Ground, Locator } from './Ground.js';
import classes from './import.module.css';
import type { ImportReport } from './importing.js';
import { type Project, projectionFor } from './projection.js';
import { useImportTexts } from './useImportTexts.js';

interface SketchProps {
  plan: ImportReport;
  /** Layers of the map, whose extents show where the objects would lie beside them. */
  items: readonly WorkspaceItem[];
}

const width = 640;
const height = 220;

/** Where the objects lie: their sketch over the extents of the map's layers. A wrong projection is seen here. */
export function Sketch({ plan, items }: SketchProps): ReactNode {
  const texts = useImportTexts();
  const features = (plan.sketch?.features ?? imageOf(plan)) as Feature[];
  const frames = items.flatMap(({ bbox }) => (bbox ? [[bbox.sw, bbox.ne] as const] : []));
  const parts = features.flatMap(({ geometry }) => (geometry ? partsOf(geometry) : []));
  const places = parts.flatMap(({ positions }) => positions);
  if (!places.length) return null;
  // The interface names corners of extents latitude first.
  const corners = frames.flatMap(([sw, ne]) => [
    [sw[1]!, sw[0]!],
    [ne[1]!, ne[0]!],
  ]);
  const project = projectionFor([...places, ...corners], { width, height });
  return (
    <figure className={classes.sketch}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={texts.sketch}>
        <Ground project={project} size={{ width, height }} />
        {frames.map(([sw, ne]) => {
          const [left, bottom] = project([sw[1]!, sw[0]!]);
          const [right, top] = project([ne[1]!, ne[0]!]);
          const box = {
            x: left,
            y: top,
            width: Math.max(2, right - left),
            height: Math.max(2, bottom - top),
          };
          return <rect key={`${sw} ${ne}`} className={classes.frame} {...box} />;
        })}
        <path
          d={pathOf(
            parts.filter(({ positions }) => positions.length > 1),
            project,
          )}
        />
        <path className={classes.points} d={pathOf(parts.filter(isPoint), project)} />
        <Locator places={places} />
      </svg>
      {frames.length > 0 && <figcaption>{texts.sketchHint}</figcaption>}
    </figure>
  );
}

/** The outline of an image. */
function imageOf({ raster, extent }: ImportReport): Feature[] {
  if (!raster || !extent) return [];
  const [west, south, east, north] = extent as [number, number, number, number];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return [{ type: 'Feature', properties: null, geometry: { type: 'Polygon', coordinates: [ring] } }];
}

/** A line, the edge of an area, or a point: a list of one position. */
interface Part {
  positions: readonly Position[];
  isArea: boolean;
}

function partsOf(geometry: Geometry): Part[] {
  switch (geometry.type) {
    case 'GeometryCollection':
      return geometry.geometries.flatMap(partsOf);
    case 'Point':
      return [{ positions: [geometry.coordinates], isArea: false }];
    case 'MultiPoint':
      return geometry.coordinates.map((one) => ({ positions: [one], isArea: false }));
    case 'LineString':
      return [{ positions: geometry.coordinates, isArea: false }];
    case 'MultiLineString':
      return geometry.coordinates.map((positions) => ({ positions, isArea: false }));
    case 'Polygon':
      return geometry.coordinates.map((positions) => ({ positions, isArea: true }));
    case 'MultiPolygon':
      return geometry.coordinates.flat().map((positions) => ({ positions, isArea: true }));
  }
}

const isPoint = ({ positions }: Part): boolean => positions.length === 1;

/** Parts as a path of an SVG; points are short strokes with round ends. */
const pathOf = (parts: readonly Part[], project: Project): string =>
  parts
    .map((part) => {
      const points = part.positions.map((one) =>
        project(one)
          .map((number) => number.toFixed(1))
          .join(' '),
      );
      return `M${points.join('L')}${isPoint(part) ? 'h.01' : ''}${part.isArea ? 'Z' : ''}`;
    })
    .join('');
