import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExternalPictures } from '../external/pictures.js';
import type { ExternalSource } from '../external/source.js';
import { createJobFolder } from '../jobs/folder.js';
import type { MapLayer } from '../styles/compile.js';
import type { RenderJob } from './messages.js';
import type { RendererPool } from './pool.js';
import { xmlText } from './xml-text.js';

/** An external layer of a drawing: its place in the XML waits for a picture. */
export interface DrawnExternal {
  layerId: number;
  source: ExternalSource;
}

const file = (id: number): string => `external:${id}:file`;
const sides = ['lox', 'loy', 'hix', 'hiy'] as const;
const side = (id: number, name: string): string => `external:${id}:${name}`;

/** A picture in EPSG:3857 that is put in when its extent is known. */
export const externalOrigin = (layerId: number): Pick<MapLayer, 'srs' | 'datasource'> => ({
  srs: 'epsg:3857',
  datasource: {
    type: 'raster',
    file: file(layerId),
    ...Object.fromEntries(sides.map((name) => [name, side(layerId, name)])),
    format: 'png',
  },
});

/**
 * Renderers that fetch the pictures of external layers before a job is given to one, so that none waits for another server.
 * Throws `busy` when a picture cannot be had: the layer is not left out.
 */
export const withExternals = (
  renderers: RendererPool,
  { pictures, dataFolder }: { pictures: ExternalPictures; dataFolder: string },
): RendererPool => ({
  ...renderers,
  async render(first, signal = new AbortController().signal, grow) {
    if (!first.externals?.length) return renderers.render(first, signal, grow);
    // Its turn is now: the pictures have to be those of all that is drawn.
    const { externals = first.externals, ...job } = grow?.() ?? first;
    const { extent, columns, rows, size, height = size, scale } = job;
    const wanted = { extent, z: externals[0]!.z, width: columns * size, height: rows * height, scale };
    const found = await Promise.all(
      externals.map(async ({ layerId, source }) => ({
        layerId,
        ...(await pictures.picture(source, wanted, signal)),
      })),
    );
    const folder = await createJobFolder(dataFolder);
    try {
      const values = new Map<string, string>();
      for (const { layerId, png, extent: box } of found) {
        const path = join(folder.path, `${layerId}.png`);
        await writeFile(path, png);
        values.set(file(layerId), path);
        for (const [i, name] of sides.entries()) values.set(side(layerId, name), String(box[i]));
      }
      const filled = <T extends { xml: string }>(one: T): T & { isOnce: true } => ({
        ...one,
        xml: [...values].reduce(
          (xml, [token, value]) => xml.replaceAll(token, () => xmlText(value)),
          one.xml,
        ),
        isOnce: true,
      });
      const above = job.above?.map((pass) => (pass.kind === 'map' ? filled(pass) : pass)) ?? [];
      return await renderers.render({ ...filled(job), above }, signal);
    } finally {
      await folder.remove();
    }
  },
});

/** What a job says of the external layers of a drawing. */
export const externalsAt = (
  externals: readonly DrawnExternal[],
  z: number,
): NonNullable<RenderJob['externals']> => externals.map((one) => ({ ...one, z }));
