import { type CompiledStyle, type MapDescription, mapXml } from '@cartulary/cartocss';
import { withIconOpacity } from './icon-opacity.js';
import { xmlText } from './xml-text.js';

/**
 * Adds a rule to a style that names every column the style reads and never draws. Mapnik requests only columns that it
 * finds in expressions. It ignores arguments of functions: `max([a], 1)` would be null.
 */
export function namingColumns(compiled: CompiledStyle, columns: readonly string[]): CompiledStyle {
  if (!columns.length) return compiled;
  const named = columns.map((code) => `[${xmlText(code)}] = 1`).join(' or ');
  const rule = `<Rule><Filter>false and (${named})</Filter><DotSymbolizer/></Rule></Style>`;
  // One style suffices: Mapnik requests the columns of all styles of a layer together.
  const [first, ...rest] = compiled.styles;
  if (!first) return compiled;
  return { ...compiled, styles: [{ ...first, xml: first.xml.replace(/<\/Style>$/, () => rule) }, ...rest] };
}

/**
 * Sets the factor by which Mapnik reads more pixels of an image than it draws, where a style smooths the image and has no factor of its
 * own.
 */
export function withFilterFactor(compiled: CompiledStyle, factor: number): CompiledStyle {
  const text = factor.toFixed(6);
  const adapt = (style: CompiledStyle['styles'][number]): CompiledStyle['styles'][number] => {
    const xml = style.xml.replace(/<RasterSymbolizer [^>]*>/g, (symbolizer) =>
      / scaling="(?!near")/.test(symbolizer) && !symbolizer.includes(' filter-factor=')
        ? symbolizer.replace(' scaling=', ` filter-factor="${text}" scaling=`)
        : symbolizer,
    );
    if (xml === style.xml) return style;
    // Layers share the styles of a map by their names.
    const name = `${style.name}_${text}`;
    return { name, xml: xml.replace(` name="${style.name}"`, ` name="${name}"`) };
  };
  return { ...compiled, styles: compiled.styles.map(adapt) };
}

/**
 * Mapnik XML of a map at a scale. `cache-features` makes Mapnik read a layer with several styles once, which saves a
 * quarter to a half of the time.
 */
export function drawnXml(map: MapDescription, scale = 1): string {
  const severals = map.layers.filter(({ compiled }) => compiled.styles.length > 1);
  const written = withIconOpacity(mapXml(map));
  const whole = scale === 1 ? withFastHalos(written) : written;
  return severals.reduce(
    (xml, { name }) => xml.replace(`<Layer name="${name}"`, `<Layer name="${name}" cache-features="true"`),
    whole,
  );
}

/**
 * Draws halos of at most one pixel from the letters' pixels, unless the style chooses a rasterizer. No difference is
 * visible, and a map of labels takes a third less time. Wider halos would get corners, and translucent ones would be nearly
 * opaque, since they are drawn several times.
 */
const withFastHalos = (xml: string): string =>
  xml.replace(/<(?:Text|Shield)Symbolizer [^>]*>/g, (symbolizer) =>
    / halo-radius="(?:1|0?\.\d+)"/.test(symbolizer) && !slowHalo.test(symbolizer)
      ? symbolizer.replace(' halo-radius=', ' halo-rasterizer="fast" halo-radius=')
      : symbolizer,
  );

/** A halo that is or may be translucent, or has a rasterizer already. */
const slowHalo = / halo-(?:rasterizer=|fill="(?!#[0-9a-f]{6}")|opacity="(?!1"))/;
