/**
 * The one table of CartoCSS properties: attribute in Mapnik's XML, type, range and default. Names, types, enumerations and
 * defaults are those of mapnik-reference 3.0.22, tested with Mapnik 4.2. The ranges fit every map, and no value in them
 * makes a renderer hang or run out of memory.
 */
export type PropertyType =
  /** `min` and `max` limit constants and clamp expressions. Where `max` is 1, a percentage is a fraction. */
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly integer?: true }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'color' }
  | { readonly kind: 'keyword'; readonly values: readonly string[] }
  /** Lengths of dashes and gaps. */
  | { readonly kind: 'dashes' }
  /** `rotateOnly`: for patterns, since a pattern scaled to less than a pixel crashes the renderer. */
  | { readonly kind: 'transform'; readonly rotateOnly?: true }
  | { readonly kind: 'filters' }
  /** An expression for the text of a label. */
  | { readonly kind: 'label' }
  | { readonly kind: 'font' }
  /** A key of the icon registry. */
  | { readonly kind: 'icon' }
  | { readonly kind: 'stops' }
  | { readonly kind: 'character' }
  | { readonly kind: 'placements' }
  | { readonly kind: 'font-features' }
  /** The symbolizer as a whole: `line: none`, `line: auto`. */
  | { readonly kind: 'presence'; readonly values: readonly string[] };

export type SymbolizerName =
  | 'polygon'
  | 'line'
  | 'markers'
  | 'shield'
  | 'line-pattern'
  | 'polygon-pattern'
  | 'raster'
  | 'point'
  | 'text'
  | 'building'
  | 'debug'
  | 'dot'
  | 'style'
  | 'map';

export interface StyleProperty {
  readonly name: string;
  readonly symbolizer: SymbolizerName;
  /** The XML attribute. Empty: the value is not written as an attribute. */
  readonly attribute: string;
  readonly type: PropertyType;
  /** The property accepts columns and expressions. */
  readonly expression: boolean;
  readonly default: string | number | boolean | undefined;
  readonly required: boolean;
  /**
   * How far a symbol with this property extends beyond its shape, if it depends on its object alone: `known` follows from the
   * values, `usual` can only be estimated. undefined: nothing is known.
   */
  readonly reach?: 'known' | 'usual';
  /** What it does depends on the whole shape: a piece of the shape would be drawn, or labelled, in another way. */
  readonly needsWholeShape?: true;
  /** The renderer's own labels support it: with any value, or only with its default. */
  readonly plainLabels?: 'any' | 'default';
  /** Labels with it still may be horizontal, have one line and keep no distance to others. */
  readonly isOfLevelLabels?: true;
}

type Row = Omit<StyleProperty, 'symbolizer'>;

type Traits = Pick<StyleProperty, 'reach' | 'needsWholeShape' | 'plainLabels' | 'isOfLevelLabels'>;

const known: Traits = { reach: 'known' };
const usual: Traits = { reach: 'usual' };
const whole: Traits = { needsWholeShape: true };
const usualWhole: Traits = { ...usual, ...whole };
const plain: Traits = { plainLabels: 'any' };
const plainDefault: Traits = { plainLabels: 'default' };
const level: Traits = { isOfLevelLabels: true };
const plainLevel: Traits = { ...plain, ...level };

interface RowOptions extends Traits {
  /** false: no expressions. */
  expression?: boolean;
  required?: boolean;
}

const row = (
  name: string,
  attribute: string,
  type: PropertyType,
  initial: Row['default'],
  options: RowOptions = {},
): Row => ({ name, attribute, type, expression: true, default: initial, required: false, ...options });

/** `range`: [least, most]. */
const number = (
  name: string,
  attribute: string,
  range: readonly [number, number],
  initial: Row['default'],
  { integer, ...options }: RowOptions & { integer?: true } = {},
): Row => {
  const [min, max] = range;
  const type: PropertyType = { kind: 'number', min, max, ...(integer ? { integer } : {}) };
  return row(name, attribute, type, initial, options);
};
const flag = (name: string, attribute: string, initial: boolean, options?: RowOptions): Row =>
  row(name, attribute, { kind: 'boolean' }, initial, options);
const color = (name: string, attribute: string, initial: string | undefined, options?: RowOptions): Row =>
  row(name, attribute, { kind: 'color' }, initial, options);
const keyword = (
  name: string,
  attribute: string,
  values: readonly string[],
  initial: string,
  options?: RowOptions,
): Row => row(name, attribute, { kind: 'keyword', values }, initial, options);
type SpecialType = Exclude<PropertyType, { kind: 'number' | 'keyword' | 'presence' | 'transform' }>;
/** Values other than a single number, colour or keyword. */
const special = (name: string, attribute: string, kind: SpecialType['kind'], options?: RowOptions): Row =>
  row(name, attribute, { kind }, undefined, { expression: kind === 'label', ...options });
const transform = (name: string, attribute: string, options?: RowOptions): Row =>
  row(name, attribute, { kind: 'transform' }, undefined, options);
const rotation = (name: string, attribute: string): Row =>
  row(name, attribute, { kind: 'transform', rotateOnly: true }, undefined);
const presence = (name: string, values: readonly string[], traits?: Traits): Row =>
  row(name, '', { kind: 'presence', values }, undefined, { expression: false, ...traits });

const fraction = [0, 1] as const;
const size = [0, 1000] as const;
const shift = [-1000, 1000] as const;
const distance = [0, 100_000] as const;
const gammaRange = [0, 10] as const;
const tolerance = [0, 1000] as const;

const compOps =
  'clear src dst src-over dst-over src-in dst-in src-out dst-out src-atop dst-atop xor plus minus multiply divide screen overlay darken lighten color-dodge color-burn linear-dodge linear-burn hard-light soft-light difference exclusion contrast invert invert-rgb grain-merge grain-extract hue saturation color value'.split(
    ' ',
  );
const gammaMethods = ['power', 'linear', 'none', 'threshold', 'multiply'];
const simplifyAlgorithms = ['radial-distance', 'zhao-saalfeld', 'visvalingam-whyatt', 'douglas-peucker'];
const joins = ['miter', 'miter-revert', 'round', 'bevel'];
const caps = ['butt', 'round', 'square'];
const rasterizers = ['full', 'fast'];
const textTransforms = ['none', 'uppercase', 'lowercase', 'capitalize', 'reverse'];
const labelPlacements = ['point', 'line', 'vertex', 'interior', 'grid', 'alternating-grid'];
const placementTypes = ['dummy', 'simple'];
const alignments = ['global', 'local'];
const scalings =
  'near fast bilinear bicubic spline16 spline36 hanning hamming hermite kaiser quadric catrom gaussian bessel mitchell sinc lanczos blackman'.split(
    ' ',
  );

const compOp = (prefix: string, options?: RowOptions): Row =>
  keyword(`${prefix}-comp-op`, 'comp-op', compOps, 'src-over', options);

/** Properties of every symbolizer that follows a geometry. */
const geometry = (prefix: string): Row[] => [
  flag(`${prefix}-clip`, 'clip', false, { ...usualWhole, ...plainDefault }),
  number(`${prefix}-simplify`, 'simplify', tolerance, 0, { ...usualWhole, ...plainDefault }),
  keyword(
    `${prefix}-simplify-algorithm`,
    'simplify-algorithm',
    simplifyAlgorithms,
    'radial-distance',
    usualWhole,
  ),
  number(`${prefix}-smooth`, 'smooth', fraction, 0, { ...usualWhole, ...plainDefault }),
  compOp(prefix, plainDefault),
];

/** Common properties of texts and shields. */
const label = (prefix: string): Row[] => [
  special(`${prefix}-face-name`, '', 'font', plainLevel),
  number(`${prefix}-size`, 'size', [1, 256], 10, plainLevel),
  number(`${prefix}-wrap-width`, 'wrap-width', distance, 0, { integer: true, ...plain }),
  flag(`${prefix}-wrap-before`, 'wrap-before', false, plain),
  special(`${prefix}-wrap-character`, 'wrap-character', 'character'),
  number(`${prefix}-character-spacing`, 'character-spacing', shift, 0, plainLevel),
  number(`${prefix}-line-spacing`, 'line-spacing', shift, 0, plain),
  color(`${prefix}-halo-fill`, 'halo-fill', 'white', plainLevel),
  number(`${prefix}-halo-radius`, 'halo-radius', [0, 20], 0, plainLevel),
  number(`${prefix}-halo-opacity`, 'halo-opacity', fraction, 1, plainLevel),
  keyword(`${prefix}-halo-rasterizer`, 'halo-rasterizer', rasterizers, 'full', {
    expression: false,
    ...plainLevel,
  }),
  keyword(`${prefix}-placement`, 'placement', labelPlacements, 'point', plainLevel),
  keyword(`${prefix}-placement-type`, 'placement-type', placementTypes, 'dummy', {
    expression: false,
    ...whole,
    ...plain,
  }),
  special(`${prefix}-placements`, 'placements', 'placements', plain),
  number(`${prefix}-spacing`, 'spacing', distance, 0, { ...whole, ...plain }),
  number(`${prefix}-label-position-tolerance`, 'label-position-tolerance', distance, undefined, plain),
  number(`${prefix}-margin`, 'margin', distance, 0, plain),
  number(`${prefix}-repeat-distance`, 'repeat-distance', distance, 0, plain),
  number(`${prefix}-min-distance`, 'minimum-distance', distance, 0, plain),
  number(`${prefix}-min-padding`, 'minimum-padding', distance, 0, plainDefault),
  flag(`${prefix}-allow-overlap`, 'allow-overlap', false, plainLevel),
  flag(`${prefix}-avoid-edges`, 'avoid-edges', false, level),
  keyword(`${prefix}-vertical-alignment`, 'vertical-alignment', ['top', 'middle', 'bottom', 'auto'], 'auto', {
    ...plainDefault,
    ...level,
  }),
  // Smaller cells would place a label per pixel.
  number(`${prefix}-grid-cell-width`, 'grid-cell-width', [8, 10_000], undefined),
  number(`${prefix}-grid-cell-height`, 'grid-cell-height', [8, 10_000], undefined),
  number(`${prefix}-offset`, 'offset', shift, 0),
  ...geometry(prefix),
];

const groups: Record<SymbolizerName, readonly Row[]> = {
  polygon: [
    presence('polygon', ['auto', 'none'], known),
    color('polygon-fill', 'fill', 'gray', known),
    number('polygon-opacity', 'fill-opacity', fraction, 1, known),
    number('polygon-gamma', 'gamma', gammaRange, 1, known),
    keyword('polygon-gamma-method', 'gamma-method', gammaMethods, 'power', known),
    transform('polygon-geometry-transform', 'geometry-transform', whole),
    ...geometry('polygon'),
  ],
  line: [
    presence('line', ['auto', 'none'], known),
    color('line-color', 'stroke', 'black', known),
    number('line-width', 'stroke-width', size, 1, known),
    number('line-opacity', 'stroke-opacity', fraction, 1, known),
    keyword('line-join', 'stroke-linejoin', joins, 'miter', known),
    keyword('line-cap', 'stroke-linecap', caps, 'butt', known),
    number('line-gamma', 'stroke-gamma', gammaRange, 1, known),
    keyword('line-gamma-method', 'stroke-gamma-method', gammaMethods, 'power', known),
    special('line-dasharray', 'stroke-dasharray', 'dashes', { ...known, ...whole }),
    number('line-dash-offset', 'stroke-dashoffset', shift, 0, { ...known, ...whole }),
    number('line-miterlimit', 'stroke-miterlimit', [1, 100], 4, known),
    number('line-offset', 'offset', shift, 0, whole),
    keyword('line-rasterizer', 'rasterizer', rasterizers, 'full', whole),
    transform('line-geometry-transform', 'geometry-transform', whole),
    ...geometry('line'),
  ],
  markers: [
    presence('marker', ['auto', 'none'], known),
    special('marker-file', 'file', 'icon', usual),
    number('marker-opacity', 'opacity', fraction, 1, known),
    number('marker-fill-opacity', 'fill-opacity', fraction, 1, known),
    color('marker-line-color', 'stroke', 'black', known),
    number('marker-line-width', 'stroke-width', size, 0.5, known),
    number('marker-line-opacity', 'stroke-opacity', fraction, 1, known),
    keyword(
      'marker-placement',
      'placement',
      ['point', 'line', 'interior', 'vertex-first', 'vertex-last'],
      'point',
      known,
    ),
    keyword('marker-multi-policy', 'multi-policy', ['each', 'whole', 'largest'], 'each', known),
    keyword('marker-type', 'marker-type', ['arrow', 'ellipse'], 'ellipse', usual),
    number('marker-width', 'width', size, 10, known),
    number('marker-height', 'height', size, 10, known),
    color('marker-fill', 'fill', 'blue', known),
    flag('marker-allow-overlap', 'allow-overlap', false, known),
    flag('marker-avoid-edges', 'avoid-edges', false),
    flag('marker-ignore-placement', 'ignore-placement', false, known),
    number('marker-spacing', 'spacing', distance, 100),
    number('marker-max-error', 'max-error', [0, 10], 0.2),
    transform('marker-transform', 'transform', usual),
    transform('marker-geometry-transform', 'geometry-transform'),
    number('marker-offset', 'offset', shift, 0, usual),
    keyword(
      'marker-direction',
      'direction',
      ['auto', 'auto-down', 'left', 'right', 'left-only', 'right-only', 'up', 'down'],
      'right',
      usual,
    ),
    ...geometry('marker'),
  ],
  shield: [
    presence('shield', ['none']),
    special('shield-name', '', 'label'),
    special('shield-file', 'file', 'icon', { required: true }),
    flag('shield-unlock-image', 'unlock-image', false),
    color('shield-fill', 'fill', 'black'),
    // Mapnik 4.2 has no halo transform and no halo comp-op of shields.
    transform('shield-halo-transform', ''),
    keyword('shield-halo-comp-op', '', compOps, 'src-over'),
    number('shield-text-dx', 'dx', shift, 0),
    number('shield-text-dy', 'dy', shift, 0),
    number('shield-dx', 'shield-dx', shift, 0),
    number('shield-dy', 'shield-dy', shift, 0),
    number('shield-opacity', 'opacity', fraction, 1),
    number('shield-text-opacity', 'text-opacity', fraction, 1),
    keyword(
      'shield-horizontal-alignment',
      'horizontal-alignment',
      ['left', 'middle', 'right', 'auto'],
      'auto',
    ),
    keyword('shield-text-transform', 'text-transform', textTransforms, 'none'),
    keyword('shield-justify-alignment', 'justify-alignment', ['left', 'center', 'right', 'auto'], 'auto'),
    transform('shield-transform', 'transform'),
    ...label('shield'),
  ],
  'line-pattern': [
    presence('line-pattern', ['none']),
    keyword('line-pattern-type', 'line-pattern', ['warp', 'repeat'], 'warp'),
    special('line-pattern-file', 'file', 'icon', { required: true }),
    number('line-pattern-opacity', 'opacity', fraction, 1),
    number('line-pattern-offset', 'offset', shift, 0),
    transform('line-pattern-geometry-transform', 'geometry-transform'),
    rotation('line-pattern-transform', 'transform'),
    keyword('line-pattern-alignment', 'alignment', alignments, 'global'),
    number('line-pattern-width', 'stroke-width', size, 1),
    keyword('line-pattern-cap', 'stroke-linecap', caps, 'butt'),
    keyword('line-pattern-join', 'stroke-linejoin', joins, 'miter'),
    number('line-pattern-miterlimit', 'stroke-miterlimit', [1, 100], 4),
    special('line-pattern-dasharray', 'stroke-dasharray', 'dashes'),
    ...geometry('line-pattern'),
  ],
  'polygon-pattern': [
    presence('polygon-pattern', ['none']),
    special('polygon-pattern-file', 'file', 'icon', { required: true }),
    keyword('polygon-pattern-alignment', 'alignment', alignments, 'global'),
    number('polygon-pattern-gamma', 'gamma', gammaRange, 1),
    number('polygon-pattern-opacity', 'opacity', fraction, 1),
    transform('polygon-pattern-geometry-transform', 'geometry-transform'),
    rotation('polygon-pattern-transform', 'transform'),
    ...geometry('polygon-pattern'),
  ],
  raster: [
    presence('raster', ['auto', 'none'], known),
    number('raster-opacity', 'opacity', fraction, 1, { expression: false, ...known }),
    number('raster-filter-factor', 'filter-factor', [-1, 16], -1, { expression: false, ...known }),
    keyword('raster-scaling', 'scaling', scalings, 'near', { expression: false, ...known }),
    number('raster-mesh-size', 'mesh-size', [4, 256], 16, { expression: false, integer: true }),
    keyword('raster-colorizer-default-mode', 'default-mode', ['discrete', 'linear', 'exact'], 'linear', {
      expression: false,
      ...known,
    }),
    color('raster-colorizer-default-color', 'default-color', 'transparent', { expression: false, ...known }),
    number('raster-colorizer-epsilon', 'epsilon', [0, 1e9], 1.1920928955078125e-7, {
      expression: false,
      ...known,
    }),
    special('raster-colorizer-stops', '', 'stops', known),
    compOp('raster', { expression: false }),
  ],
  point: [
    presence('point', ['auto', 'none'], usual),
    special('point-file', 'file', 'icon', usual),
    flag('point-allow-overlap', 'allow-overlap', false, usual),
    flag('point-ignore-placement', 'ignore-placement', false, usual),
    number('point-opacity', 'opacity', fraction, 1, usual),
    keyword('point-placement', 'placement', ['centroid', 'interior'], 'centroid', usual),
    transform('point-transform', 'transform', usual),
    compOp('point'),
  ],
  text: [
    presence('text', ['none'], plainLevel),
    special('text-name', '', 'label', { required: true, ...plainLevel }),
    number('text-ratio', 'text-ratio', distance, 0, { integer: true }),
    flag('text-repeat-wrap-character', 'repeat-wrap-character', false),
    number('text-max-char-angle-delta', 'max-char-angle-delta', [0, 360], 22.5, plain),
    color('text-fill', 'fill', 'black', plainLevel),
    number('text-opacity', 'opacity', fraction, 1, plainLevel),
    transform('text-halo-transform', 'halo-transform'),
    keyword('text-halo-comp-op', 'halo-comp-op', compOps, 'src-over', plainDefault),
    number('text-dx', 'dx', shift, 0, plainLevel),
    number('text-dy', 'dy', shift, 0, plainLevel),
    number('text-min-path-length', 'minimum-path-length', distance, 0, { ...whole, ...plain }),
    number('text-orientation', 'orientation', [-3600, 3600], 0, plainDefault),
    flag('text-rotate-displacement', 'rotate-displacement', false, { expression: false, ...plainDefault }),
    keyword(
      'text-upright',
      'upright',
      ['auto', 'auto-down', 'left', 'right', 'left-only', 'right-only'],
      'auto',
      plainDefault,
    ),
    keyword('text-transform', 'text-transform', textTransforms, 'none', plainLevel),
    keyword(
      'text-horizontal-alignment',
      'horizontal-alignment',
      ['left', 'middle', 'right', 'auto', 'adjust'],
      'auto',
      { ...plainDefault, ...level },
    ),
    keyword('text-align', 'justify-alignment', ['left', 'right', 'center', 'auto'], 'auto', {
      ...plainDefault,
      ...level,
    }),
    special('text-font-feature-settings', 'font-feature-settings', 'font-features'),
    flag('text-largest-bbox-only', 'largest-bbox-only', true, { ...whole, ...plainDefault, ...level }),
    ...label('text'),
  ],
  building: [
    presence('building', ['auto', 'none']),
    color('building-fill', 'fill', 'gray'),
    number('building-fill-opacity', 'fill-opacity', fraction, 1),
    number('building-height', 'height', distance, 0),
  ],
  debug: [keyword('debug-mode', 'mode', ['collision', 'vertex'], 'collision', { expression: false })],
  dot: [
    presence('dot', ['auto', 'none'], known),
    color('dot-fill', 'fill', 'gray', known),
    number('dot-opacity', 'opacity', fraction, 1, known),
    number('dot-width', 'width', size, 1, known),
    number('dot-height', 'height', size, 1, known),
    compOp('dot', { expression: false }),
  ],
  style: [
    special('image-filters', 'image-filters', 'filters'),
    special('direct-image-filters', 'direct-image-filters', 'filters'),
    flag('image-filters-inflate', 'image-filters-inflate', false, { expression: false }),
    keyword('comp-op', 'comp-op', compOps, 'src-over', { expression: false }),
    number('opacity', 'opacity', fraction, 1, { expression: false }),
  ],
  map: [
    color('background-color', 'background-color', 'transparent', { expression: false }),
    number('buffer-size', 'buffer-size', [0, 512], 64, { expression: false }),
  ],
};

/** Every property by its name. */
export const properties: ReadonlyMap<string, StyleProperty> = new Map(
  Object.entries(groups).flatMap(([symbolizer, rows]) =>
    rows.map((entry): [string, StyleProperty] => [
      entry.name,
      { ...entry, symbolizer: symbolizer as SymbolizerName },
    ]),
  ),
);

/** `polygon-pattern` → `PolygonPatternSymbolizer` */
export const elementName = (symbolizer: SymbolizerName): string =>
  `${symbolizer.replace(/(?:^|-)./g, (part) => part.slice(-1).toUpperCase())}Symbolizer`;

/** The required properties of a symbolizer. */
export function requiredProperties(symbolizer: SymbolizerName): readonly StyleProperty[] {
  return groups[symbolizer]
    .filter((entry) => entry.required)
    .map((entry) => properties.get(entry.name) as StyleProperty);
}
