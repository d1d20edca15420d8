import type { StyleProperty } from '../src/properties.js';

/** Valid values of a property, of every accepted kind. */
export function valuesOf(property: StyleProperty): string[] {
  const { type, expression } = property;
  switch (type.kind) {
    case 'number': {
      const values = [String(type.min), String(Math.min(type.max, type.min + 1))];
      return expression ? [...values, '[pop]', '"[pop] * 2 + 1"'] : values;
    }
    case 'boolean':
      return expression ? ['true', 'false', '[flag]'] : ['true', 'false'];
    case 'color':
      return expression ? ['red', '#12345678', '[color]'] : ['red', 'rgba(1,2,3,.5)'];
    case 'keyword':
      return expression ? [...type.values, '[type]'] : [...type.values];
    case 'presence':
      return [...type.values];
    case 'dashes':
      return ['5, 3', '4', 'none', '"1,2,3"'];
    case 'transform':
      return type.rotateOnly
        ? ['rotate(20)', 'none']
        : ['rotate(20)', 'scale(2, .5), translate([pop], 3)', '"skewX(10) skewY(5)"', 'matrix(1,0,0,1,5,5)'];
    case 'filters':
      return [
        'blur',
        'agg-stack-blur(2, 2), gray, invert()',
        'colorize-alpha(red, lime 30%, rgba(0,0,255,.5) 100%)',
        'color-to-alpha(#fff)',
        'scale-hsla(0,1,0,1,0,1,0,1)',
        'x-gradient, y-gradient, sobel, emboss, sharpen, edge-detect',
        'color-blind-protanope, color-blind-deuteranope, color-blind-tritanope',
        'none',
      ];
    case 'label':
      return [
        '[name]',
        "\"[name] + ' (' + [pop] + ')'\"",
        '5',
        '""',
        '"length([name])"',
        '"not ([pop] > 5 and [a] = 1) or [b] != 2"',
        '"min([pop], 5) / max(1.0, abs(-[b]))"',
        '"-[pop] - -3 * (2 + [a]) % 7"',
        "\"[name].replace('a+', '$0') + pi\"",
        '[name] + "\\n" + [type]',
        '"sqrt([pop]) + exp(1) + sin([a]) + cos(0) + tan(1) + atan(1) + log(5)"',
      ];
    case 'font':
      return ['"DejaVu Sans Bold"', '"DejaVu Serif Book", "DejaVu Sans Mono Bold"'];
    case 'icon':
      return ['url(star)', '"star"', "url('stripe')"];
    case 'stops':
      return ['stop(0, red) stop(5, rgba(0,0,255,.5), discrete) stop(7)'];
    case 'character':
      return ['";"', '"я"'];
    case 'placements':
      return ['"N,S,12,10"', '"X"'];
    case 'font-features':
      return ['"liga=0, smcp=1"', '"kern"'];
  }
}

/** A style with the property and all required properties of its symbolizer. */
export function styleWith(property: StyleProperty, value: string): string {
  const needed: Record<string, string> = {
    text: "text-name: 'x';",
    shield: 'shield-file: url(star);',
    'line-pattern': 'line-pattern-file: url(star);',
    'polygon-pattern': 'polygon-pattern-file: url(star);',
    style: 'polygon-fill: red; line-width: 3;',
  };
  const more = property.name.endsWith('-placements')
    ? `${property.name.replace('placements', 'placement-type')}: simple;`
    : '';
  const base = (needed[property.symbolizer] ?? '').replace(new RegExp(`\\b${property.name}: [^;]*;`), '');
  return `#x { ${base} ${more} ${property.name}: ${value}; }`;
}
