import type { Look } from '../look.js';
import { translucentLayer } from './area-maps.js';
import { nestedDistricts } from './nested-districts.js';
import { labelledPoints, markerLayer } from './point-maps.js';
import { roadMap } from './road-map.js';

const [municipalities, districts] = nestedDistricts.layers;

/** Layers of other looks, one upon the other. */
export const atlas: Look = {
  code: 'six-layers',
  what: 'a map of six layers of these kinds',
  layers: [municipalities!, translucentLayer, districts!, roadMap.layers[0]!, markerLayer, labelledPoints],
};
