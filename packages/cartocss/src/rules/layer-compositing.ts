import { type Blending, blendingNamed } from './blending.js';
import { type RuleStyle, stylesAt } from './rules.js';

/** How all that a layer draws is laid, as a whole, over what is below it. */
export interface LayerCompositing {
  /** 0 to 1. */
  readonly opacity: number;
  readonly blending: Blending;
}

/**
 * The compositing of the one style that draws something at a zoom level: Mapnik lays the style over what is below as it would lay the layer.
 * undefined: nothing is set, there are several styles, or other settings than an opacity and a known blending.
 */
export function layerCompositingAt(styles: readonly RuleStyle[], zoom: number): LayerCompositing | undefined {
  const [only, ...others] = stylesAt(styles, zoom).filter(({ rules }) =>
    rules.some(({ symbolizers }) => symbolizers.length > 0),
  );
  if (!only || others.length || !only.settings.size) return undefined;
  const opacity = only.settings.get('opacity');
  const operation = only.settings.get('comp-op');
  if (only.settings.size > [opacity, operation].filter((one) => one).length) return undefined;
  const blending = operation ? blendingNamed(operation.attribute.text) : 'src-over';
  return blending && { opacity: opacity?.attribute.number ?? 1, blending };
}

/** The styles without their opacity and blending. */
export const withoutCompositing = (styles: readonly RuleStyle[]): RuleStyle[] =>
  styles.map((style) => ({
    ...style,
    settings: new Map([...style.settings].filter(([name]) => name !== 'opacity' && name !== 'comp-op')),
  }));
