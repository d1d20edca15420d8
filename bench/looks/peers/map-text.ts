import type { Zooms } from '../look.js';

/** Scale of a zoom level at MapServer's 72 dots per inch. */
const scaleOf = (zoom: number): number => 443_744_033 / 2 ** zoom;

/** Zoom levels as limits between their scales. */
export const scales = ([from, to]: Zooms): string =>
  `MAXSCALEDENOM ${Math.round(scaleOf(from) * Math.SQRT2)} MINSCALEDENOM ${Math.round(scaleOf(to) / Math.SQRT2)}`;

export interface MapLabel {
  size: number;
  color: string;
  halo: string;
  position?: 'cc' | 'uc' | 'auto';
  /** Along the line. */
  follows?: boolean;
  /** Pixels below the place of the label. */
  down?: number;
  font?: string;
}

/** A LABEL. Sizes of fonts are points of 1.33 pixels; labels may be cut at the edge of a tile, which needs no buffer around it. */
export const label = ({
  size,
  color,
  halo,
  position = 'cc',
  follows,
  down = 0,
  font = 'noto',
}: MapLabel): string =>
  `LABEL FONT "${font}" TYPE truetype SIZE ${(size * 0.75).toFixed(2)} COLOR "${color}" OUTLINECOLOR "${halo}" OUTLINEWIDTH 2 ${
    follows ? 'ANGLE FOLLOW' : `POSITION ${position}`
  } ${down ? `OFFSET 0 ${down}` : ''} PARTIALS TRUE END`;

/** A CLASS with its parts; `value`: of the CLASSITEM. */
export const mapClass = (parts: readonly string[], value?: number | string): string =>
  `CLASS ${value === undefined ? '' : `EXPRESSION "${value}"`} ${parts.join(' ')} END`;

export const fillStyle = (color: string, opacity?: number): string =>
  `STYLE COLOR "${color}" ${opacity === undefined ? '' : `OPACITY ${Math.round(opacity * 100)}`} END`;

export const outline = (color: string, width: number, more = ''): string =>
  `STYLE OUTLINECOLOR "${color}" WIDTH ${width} ${more} END`;

export const stroke = (color: string, width: number, more = ''): string =>
  `STYLE COLOR "${color}" WIDTH ${width} ${more} END`;

/** A symbol of the MAP file at the place of a point. */
export const marker = (symbol: string, size: number, more: string): string =>
  `STYLE SYMBOL "${symbol}" SIZE ${size} ${more} END`;
