import type { Look } from './look.js';
import { patternedAreas, thematicAreas, translucentAreas } from './maps/area-maps.js';
import { atlas } from './maps/atlas.js';
import { demoWorld } from './maps/demo-world.js';
import { heatMap, hexagonMap } from './maps/density-maps.js';
import { hugeAreas } from './maps/huge-areas.js';
import { nestedDistricts } from './maps/nested-districts.js';
import { photograph } from './maps/photograph.js';
import { crowdedNames, densePoints, iconPoints, translucentPoints } from './maps/point-maps.js';
import { roadMap } from './maps/road-map.js';
import { smallAreas } from './maps/small-areas.js';

/** All looks, in the order of measurement. */
export const looks: readonly Look[] = [
  smallAreas,
  hugeAreas,
  nestedDistricts,
  roadMap,
  densePoints,
  translucentPoints,
  iconPoints,
  crowdedNames,
  heatMap,
  hexagonMap,
  thematicAreas,
  translucentAreas,
  patternedAreas,
  atlas,
  photograph,
  demoWorld,
];
