import type { MapAddress } from '../types.js';

/** A legend, as the service sends it. */
export interface Legend {
  name: string;
  showLegend: boolean;
  showLegendName: boolean;
  showValues: boolean;
  type: number | string;
  /** Width of a sample in pixels at the scale of the map. */
  swatchSize: number;
  classificators: Classificator[];
}

export interface Classificator {
  value: unknown;
  fill: string;
  label: string | null;
  /** Number of objects in the class; null if the class is a part of every object. */
  count: number | null;
  hidden?: boolean;
}

/** Parts of the address of a layer's legend. */
export const legendParts = ({ project, map }: MapAddress, layer: string): string[] => [
  'api',
  '2.8',
  project,
  map,
  'layers',
  layer,
  'legend',
];

/** The classes that a legend shows, each with its place among all. */
export const shownEntries = ({ classificators }: Legend): (Classificator & { place: number })[] =>
  classificators
    .map((entry, place) => ({ ...entry, place }))
    .filter(({ count, hidden }) => count !== 0 && !hidden);
