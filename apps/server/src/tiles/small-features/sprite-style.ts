import type { CompiledStyle } from '@cartulary/cartocss';
import { drawnXml, featuresToken, pixelAt, type SpriteStyle } from '@cartulary/renderer';
import { digestOf } from '@cartulary/runtime';

/** The sprites of a style. `zoom`: the level of its rules; `reachPx`: pixels of the picture that its symbols reach. */
export function spriteStyle(
  compiled: CompiledStyle,
  { layerId, zoom, scale, reachPx }: { layerId: number; zoom: number; scale: number; reachPx: number },
): SpriteStyle {
  const xml = sheetXml(compiled, scale);
  return {
    layerId,
    pixel: pixelAt(zoom) / scale,
    reach: Math.ceil(reachPx) + 1,
    xml,
    xmlKey: digestOf(xml),
  };
}

/** The XML of a sprite sheet. */
const sheetXml = (compiled: CompiledStyle, scale: number): string =>
  drawnXml(
    {
      bufferSizePx: 0,
      layers: [
        {
          name: 'small-features',
          srs: 'epsg:3857',
          datasource: { type: 'geojson', inline: featuresToken },
          compiled,
        },
      ],
    },
    scale,
  );
