import { fromMercator, tileExtent } from '@cartulary/geo';
import type { PictureRows } from '../messages.js';
import { pixelAt, placesPerChunk, placesPerPixel } from './chunk.js';
import { scaledShapes } from './sprites.js';

/** The rows of a chunk in a picture whose rows are not as high as its columns are wide, by row in the chunk. */
export interface ChunkRows {
  /** Rows of the picture, in quarters of a pixel. */
  places: Int32Array;
  /** Shape numbers by shape number. */
  shapes: readonly (readonly number[])[];
}

/** Steps of the ratios of heights, so that the rows of a chunk share few lists of shapes. */
const ratioSteps = 16;

/** Creates the function that finds the rows of a chunk by its `y`. `ratio`: pixels of the picture per pixel of the chunks, from west to east. */
export function chunkRowsIn(rows: PictureRows, ratio: number): (y: number) => ChunkRows {
  const place = placeIn(rows);
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
      const middle = (row + 0.5) / placesPerPixel;
      places[row] = Math.floor(place(y, middle) * placesPerPixel);
      shapes.push(shapesFor(place(y, middle + 0.5) - place(y, middle - 0.5)));
    }
    return { places, shapes };
  };
}

/** The function that finds the row of a picture that lies so many pixels south of the upper edge of a chunk. */
function placeIn(rows: PictureRows): (y: number, inChunk: number) => number {
  if ('ratio' in rows) return (y, inChunk) => y + inChunk * rows.ratio;
  const { north, perPixel, level } = rows;
  const pixel = pixelAt(level);
  const [, , , top] = tileExtent(0, 0, 0);
  return (y, inChunk) => (north - fromMercator(0, top - (y + inChunk) * pixel)[1]) / perPixel;
}
