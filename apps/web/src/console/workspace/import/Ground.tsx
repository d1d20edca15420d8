import type { Position } from 'geojson';
import { type ReactNode, useEffect, useState } from 'react';
import { type BaseMapPart, baseMapParts } from '../../../viewer/map/baseMap.js';
import classes from './import.module.css';
import { type Project, projectionFor, type Size } from './projection.js';

interface GroundProps {
  project: Project;
  size: Size;
}

/** Water, land and borders below a sketch, as soon as they are loaded. */
export function Ground({ project, size }: GroundProps): ReactNode {
  const parts = useBaseMap();
  const lines = (kind: BaseMapPart['kind']): string =>
    parts
      .filter((one) => one.kind === kind)
      .flatMap((one) => one.lines.map((line) => pathWithin(line, project, size)))
      .join('');
  return (
    <g className={classes.ground} aria-hidden>
      <rect width={size.width} height={size.height} />
      <path data-kind="land" d={lines('land')} />
      <path data-kind="border" d={lines('border')} />
    </g>
  );
}

const world = { width: 160, height: 71 };
const ofWorld = projectionFor(
  [
    [-180, -80],
    [180, 80],
  ],
  world,
  0,
);

/** Extent above which no overview is needed, degrees. */
const wide = 60;

/** Where on the earth the objects lie: a wrong projection puts them on another continent, or into the sea. */
export function Locator({ places }: { places: readonly Position[] }): ReactNode {
  const [xs, ys] = [places.map(([x]) => x!), places.map(([, y]) => y!)];
  const middle = [xs, ys].map(
    (all) => (all.reduce((a, b) => Math.min(a, b)) + all.reduce((a, b) => Math.max(a, b))) / 2,
  );
  const range = xs.reduce((a, b) => Math.max(a, b)) - xs.reduce((a, b) => Math.min(a, b));
  if (range > wide) return null;
  const [x, y] = ofWorld(middle);
  return (
    <svg className={classes.locator} x={8} y={8} {...world} aria-hidden>
      <Ground project={ofWorld} size={world} />
      <circle cx={x} cy={y} r={4} />
    </svg>
  );
}

function useBaseMap(): readonly BaseMapPart[] {
  const [parts, setParts] = useState<readonly BaseMapPart[]>([]);
  useEffect(() => {
    let isShown = true;
    // A sketch without a ground is good enough where the file cannot be had.
    baseMapParts().then(
      (all) => isShown && setParts(all),
      () => {},
    );
    return () => {
      isShown = false;
    };
  }, []);
  return parts;
}

/** A line as a path of an SVG, without what lies closer than half a pixel; empty where it lies beside the picture. */
function pathWithin(line: readonly Position[], project: Project, { width, height }: Size): string {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  let path = '';
  let last = [Infinity, Infinity];
  for (const position of line) {
    const [x, y] = project(position);
    if (Math.abs(x - last[0]!) + Math.abs(y - last[1]!) < 0.5) continue;
    last = [x, y];
    [left, top, right, bottom] = [
      Math.min(left, x),
      Math.min(top, y),
      Math.max(right, x),
      Math.max(bottom, y),
    ];
    path += `${path ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
  }
  return right < 0 || left > width || bottom < 0 || top > height ? '' : path;
}
