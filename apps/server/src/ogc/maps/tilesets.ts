import type { Extent } from '@cartulary/geo';
import { type Link, mediaTypes, relation } from '../common/addresses.js';
import { inOrder, limitsOf, type MatrixLimits, type MatrixSet } from '../common/matrix-sets.js';

/** Kinds of tiles. */
export type TileKind = 'map' | 'vector';

/** Formats of tiles by the value of `f`. */
export const tileForms: Readonly<Record<TileKind, Readonly<Record<string, string>>>> = {
  map: { png: 'image/png', webp: 'image/webp', jpeg: 'image/jpeg' },
  vector: { mvt: 'application/vnd.mapbox-vector-tile' },
};

/** The tiles of a map or a collection. */
export interface Tileset {
  kind: TileKind;
  /** Address of the list of its sets. */
  at: string;
  /** Address of the door. */
  door: string;
  title: string;
}

/** A set in a list of sets. */
export const listedTileset = (
  { kind, at, door, title }: Tileset,
  set: MatrixSet,
): Record<string, unknown> => ({
  title: `${title}, ${set.title}`,
  dataType: kind,
  crs: set.crs.uri,
  ...(set.uri && { tileMatrixSetURI: set.uri }),
  links: [
    { href: `${at}/${set.id}`, rel: 'self', type: mediaTypes.json, title: 'Tileset' },
    schemeLink(door, set),
  ],
});

const schemeLink = (door: string, { id }: MatrixSet): Link => ({
  href: `${door}/tileMatrixSets/${id}`,
  rel: relation('tiling-scheme'),
  type: mediaTypes.json,
  title: 'Matrices',
});

const everywhere: Extent = [-Infinity, -Infinity, Infinity, Infinity];

/** The tiles of a set that show something. Symbols reach into the neighbours of the tiles of their objects. */
const tileLimits = (kind: TileKind, set: MatrixSet, box: Extent, isEverywhere: boolean): MatrixLimits[] =>
  kind === 'vector' ? limitsOf(set, box, 0) : limitsOf(set, isEverywhere ? everywhere : box, 1);

/**
 * The metadata of a set (OGC 20-057, JSON). `box`: that of the objects, in its system; `isEverywhere`: pictures show something
 * beside it, too; `layers`: codes of the layers in vector tiles.
 */
export function tilesetMetadata(
  tileset: Tileset,
  set: MatrixSet,
  {
    box,
    isEverywhere,
    layers,
    attribution,
  }: { box: Extent; isEverywhere: boolean; layers: readonly string[]; attribution: string | undefined },
): Record<string, unknown> {
  const { kind, at, door, title } = tileset;
  const here = `${at}/${set.id}`;
  const items = Object.entries(tileForms[kind]).map(([form, type]) => ({
    href: `${here}/{tileMatrix}/{tileRow}/{tileCol}?f=${form}`,
    rel: 'item',
    type,
    title: `Tiles as ${form}`,
    templated: true,
  }));
  return {
    title: `${title}, ${set.title}`,
    ...(attribution === undefined ? {} : { attribution }),
    dataType: kind,
    crs: set.crs.uri,
    ...(set.uri && { tileMatrixSetURI: set.uri }),
    boundingBox: {
      lowerLeft: inOrder(set, [box[0], box[1]]),
      upperRight: inOrder(set, [box[2], box[3]]),
      crs: set.crs.uri,
    },
    tileMatrixSetLimits: tileLimits(kind, set, box, isEverywhere),
    ...(kind === 'vector' ? { layers: layers.map((id) => ({ id, dataType: 'vector' })) } : {}),
    links: [
      { href: here, rel: 'self', type: mediaTypes.json, title: 'This document' },
      { href: `${here}?f=html`, rel: 'alternate', type: mediaTypes.html, title: 'This document as a page' },
      schemeLink(door, set),
      ...items,
    ],
  };
}
