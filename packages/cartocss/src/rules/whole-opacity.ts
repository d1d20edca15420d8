import { type RuleStyle, stylesAt } from './rules.js';

/**
 * The opacity, 0 to 1, of all that a layer draws at a zoom level: that of the one style that draws something, with which it is laid over
 * what is below as a whole. undefined: there are several styles, or other settings than an opacity.
 */
export function wholeOpacityAt(styles: readonly RuleStyle[], zoom: number): number | undefined {
  const [only, ...others] = stylesAt(styles, zoom).filter(({ rules }) =>
    rules.some(({ symbolizers }) => symbolizers.length > 0),
  );
  if (!only || others.length || only.settings.size !== 1) return undefined;
  return only.settings.get('opacity')?.attribute.number;
}

/** The styles without their opacity. */
export const withoutOpacity = (styles: readonly RuleStyle[]): RuleStyle[] =>
  styles.map((style) => ({
    ...style,
    settings: new Map([...style.settings].filter(([name]) => name !== 'opacity')),
  }));
