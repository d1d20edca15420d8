import { fromMercator, tileExtent } from '@cartulary/geo';
import type { PictureLatitudes } from '../messages.js';
import { pixelAt, placesPerChunk, placesPerPixel } from './chunk.js';
import { scaledShapes } from './sprites.js';

/** The rows of a chunk in a picture whose rows are steps of latitude, by row in the chunk. */
export interface ChunkRows {
  /** Rows of the picture, in quarters of a pixel. */
  places: Int32Array;
  /** Shape numbers by shape number: EPSG:3857 stretches shapes to the north and to the south. */
  shapes: readonly (readonly number[])[];
}

/** Steps of the ratios of heights, so that the rows of a chunk share few lists of shapes. */
const ratioSteps = 16;

/**
 * Creates the function that finds the rows of chunks. `ratio`: pixels of the picture per pixel of the chunks, from west to east; `y`: pixels of the
 * chunk's level from the northern edge of the world to the chunk.
 */
export function chunkRowsIn(
  { north, perPixel, level }: PictureLatitudes,
  ratio: number,
): (y: number) => ChunkRows {
  const pixel = pixelAt(level);
  const [, , , top] = tileExtent(0, 0, 0);
  const latitudeAt = (row: number): number => fromMercator(0, top - row * pixel)[1];
  const known = new Map<number, number[]>();
  const shapesFor = (height: number): number[] => {
    const step = Math.min(ratioSteps, Math.ceil(height * ratioSteps));
    const shapes = known.get(step) ?? scaledShapes(ratio, step / ratioSteps);
    known.set(step, shapes);
    return shapes;
  };
  return (y) => {
    const places = new Int32Array(placesPerChunk);
    const shapes: number[][] = [];
    for (let row = 0; row < placesPerChunk; row++) {
      const middle = y + (row + 0.5) / placesPerPixel;
      places[row] = Math.floor(((north - latitudeAt(middle)) / perPixel) * placesPerPixel);
      shapes.push(shapesFor((latitudeAt(middle - 0.5) - latitudeAt(middle + 0.5)) / perPixel));
    }
    return { places, shapes };
  };
}
