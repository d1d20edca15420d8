import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MapLayer } from '@cartulary/cartocss';
import { xmlText } from '@cartulary/renderer';
import { createJobFolder } from '@cartulary/runtime';
import type { ExternalPictures } from '../../external/pictures.js';
import type { ExternalSource } from '../../external/source.js';
import type { DrawJob, PlacedLayer } from './draw-job.js';
import { type RendererPool, withRender } from './pool.js';

/** An external layer of a composition; placeholders in the XML stand for its picture. */
export interface DrawnExternal {
  layerId: number;
  source: ExternalSource;
}

const file = (id: number): string => `external:${id}:file`;
const sides = ['lox', 'loy', 'hix', 'hiy'] as const;
const side = (id: number, name: string): string => `external:${id}:${name}`;

/** A raster source in EPSG:3857 whose file and extent are placeholders. */
export const externalOrigin = (layerId: number): Pick<MapLayer, 'srs' | 'datasource'> => ({
  srs: 'epsg:3857',
  datasource: {
    type: 'raster',
    file: file(layerId),
    ...Object.fromEntries(sides.map((name) => [name, side(layerId, name)])),
    format: 'png',
  },
});

interface ExternalParts {
  pictures: ExternalPictures;
  dataFolder: string;
}

/**
 * A pool that fetches the pictures of external layers before it queues a job, so that no renderer waits for another server.
 * Throws `busy` when a picture is unavailable; no layer is left out.
 */
export const withExternals = (renderers: RendererPool, parts: ExternalParts): RendererPool =>
  withRender(renderers, async (first, signal = new AbortController().signal, grow) => {
    if (!first.externals?.length && !first.pictures?.length) return renderers.render(first, signal, grow);
    // The job grows now, since the pictures must cover everything that is drawn.
    const { externals = first.externals ?? [], pictures = [], ...job } = grow?.() ?? first;
    const fetched = await fetchPictures(parts, { ...job, externals }, signal);
    const found = [...fetched, ...pictures];
    const folder = await createJobFolder(parts.dataFolder);
    try {
      const values = await writePictures(folder.path, found);
      const above = job.above?.map((pass) => (pass.kind === 'map' ? withValues(pass, values) : pass)) ?? [];
      return await renderers.render({ ...withValues(job, values), above }, signal);
    } finally {
      await folder.remove();
    }
  });

function fetchPictures(
  { pictures }: ExternalParts,
  job: DrawJob & Required<Pick<DrawJob, 'externals'>>,
  signal: AbortSignal,
): Promise<PlacedLayer[]> {
  const { externals, extent, columns, rows, size, height = size, scale } = job;
  const wanted = { extent, z: externals[0]?.z ?? 0, width: columns * size, height: rows * height, scale };
  return Promise.all(
    externals.map(async ({ layerId, source }) => ({
      layerId,
      ...(await pictures.picture(source, wanted, signal)),
    })),
  );
}

/** Writes the pictures as files; returns placeholder → value. */
async function writePictures(folder: string, found: readonly PlacedLayer[]): Promise<Map<string, string>> {
  const values = new Map<string, string>();
  for (const { layerId, png, extent } of found) {
    const path = join(folder, `${layerId}.png`);
    await writeFile(path, png);
    values.set(file(layerId), path);
    for (const [i, name] of sides.entries()) values.set(side(layerId, name), String(extent[i]));
  }
  return values;
}

const withValues = <T extends { xml: string }>(
  one: T,
  values: ReadonlyMap<string, string>,
): T & { isOnce: true } => ({
  ...one,
  xml: [...values].reduce((xml, [token, value]) => xml.replaceAll(token, () => xmlText(value)), one.xml),
  isOnce: true,
});
