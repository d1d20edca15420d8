import { createRequire } from 'node:module';
import type { DrawAnswer, DrawRequest } from './draw.js';

/** Draws maps for the tests in a separate process, which may crash or be killed. */
type Callback<T = unknown> = (error: Error | null, result: T) => void;
interface MapnikImage {
  data(): Buffer;
  encodeSync(format: string): Buffer;
}
interface MapnikMap {
  extent: number[];
  fromString(xml: string, options: { strict: boolean }, done: Callback): void;
  render(image: MapnikImage, options: { scale?: number }, done: Callback<MapnikImage>): void;
}
interface Mapnik {
  Map: new (width: number, height: number) => MapnikMap;
  Image: new (width: number, height: number) => MapnikImage;
  Logger: { setSeverity(level: number): void; NONE: number };
  register_default_fonts(): void;
  register_default_input_plugins(): void;
}

const mapnik = createRequire(import.meta.url)('@mapnik/mapnik') as Mapnik;
mapnik.register_default_fonts();
mapnik.register_default_input_plugins();
mapnik.Logger.setSeverity(mapnik.Logger.NONE);

const answer = (message: DrawAnswer): void => {
  process.send?.(message);
};

process.on('message', ({ id, xml, extent, size, strict, scale }: DrawRequest) => {
  const map = new mapnik.Map(size, size);
  map.fromString(xml, { strict }, (loadError) => {
    if (loadError) return answer({ id, error: `load: ${loadError.message}` });
    map.extent = [...extent];
    const image = new mapnik.Image(size, size);
    map.render(image, { scale }, (renderError) => {
      if (renderError) return answer({ id, error: `render: ${renderError.message}` });
      answer({ id, pixels: image.data(), png: image.encodeSync('png') });
    });
  });
});
