import { call } from '../../common/api.js';
import { address } from '../../common/base.js';
import type { ColumnFilter, Filters } from '../filters/filters.js';
import type { TreeItem } from '../tree.js';
import type { MapAddress } from '../types.js';

/** A layer that the client draws from vector data, as the service describes it. */
export interface VectorLayer {
  id: number;
  code: string;
  name: string;
  css_style: string;
  /** Absent: the service draws the layer, unless it is filtered. */
  vectorSettings?: VectorSettings;
  /** The objects that the user wants to see; absent: all. */
  filter?: ColumnFilter | undefined;
  visualSettings?: { type?: number; columnCode?: string };
}

export interface VectorSettings {
  minZoom: number;
  maxZoom: number;
  zoomsEnabled: boolean;
  stylesPoint: IconStyle;
  clusteringEnabled: boolean;
  clusterSettings: ClusterSettings;
  showPopup: boolean;
  popupColumnCode: string | null;
}

export interface IconStyle {
  icon: string;
  iconDx: number;
  iconDy: number;
  iconOffsetEnabled: boolean;
}

export interface ClusterSettings extends IconStyle {
  objectsCountDx: number;
  objectsCountDy: number;
  showObjectsCount: boolean;
  iconSizeMax: number;
  iconSizeMin: number;
  iconSizeEnabled: boolean;
  radius: number;
  iconEnabled: boolean;
  maxZoom: number;
  maxZoomEnabled: boolean;
  splitByCategories: boolean;
}

/** Whether the client draws a layer from vector data. */
export const isVector = ({ render_type, type }: TreeItem): boolean =>
  render_type === 1 && ['layer', 'virtual', 'material'].includes(type);

/** Whether the client draws a layer: always, or because of its filter, which the tiles of the service do not know. */
export const isDrawnHere = (item: TreeItem, filters: Filters): boolean =>
  isVector(item) || filters[item.code] !== undefined;

/** Requests the descriptions of client-drawn layers, in the order of `codes`. A layer whose request fails is left out. */
export async function describeLayers(
  { project, map }: MapAddress,
  codes: readonly string[],
  signal: AbortSignal,
): Promise<VectorLayer[]> {
  const answers = codes.map((code) =>
    call<VectorLayer>(address(['api', '2.8', project, map, 'layers', code]), { signal }).catch(() => null),
  );
  return (await Promise.all(answers)).filter((layer) => layer !== null);
}

/** Colours and widths (pixels) of a layer: the first value of each property in its CartoCSS. */
export interface Paint {
  fill: string;
  fillOpacity: number;
  line: string;
  lineWidth: number;
  point: string;
  pointRadius: number;
}

export function paintOf(css: string): Paint {
  const colour = (property: string): string | undefined =>
    new RegExp(`(?:^|[^-\\w])${property}:\\s*(#[0-9a-fA-F]{3,6})\\b`).exec(css)?.[1];
  const number = (property: string): number | undefined => {
    const [, value] = new RegExp(`(?:^|[^-\\w])${property}:\\s*(\\d+(?:\\.\\d+)?)\\s*;`).exec(css) ?? [];
    return value === undefined ? undefined : Number(value);
  };
  return {
    fill: colour('polygon-fill') ?? '#74c69d',
    fillOpacity: Math.min(1, number('polygon-opacity') ?? 0.6),
    line: colour('line-color') ?? '#1c7ed6',
    lineWidth: Math.min(50, number('line-width') ?? 1.5),
    point: colour('marker-fill') ?? '#d9480f',
    pointRadius: Math.min(50, (number('marker-width') ?? 10) / 2),
  };
}
