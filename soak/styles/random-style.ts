import type { Random } from '../random.js';
import { type LayerKind, sizes } from './data.js';

const colors = ['#d33', '#2a7', '#36c', '#fa0', '#123', '#c5c', '#8a8', 'rgba(200,40,90,0.6)', '#fff'];
/** The outline of a feature that is smaller than a pixel and a half shows its box alone: wider lines would show the difference. */
const widths = [0.3, 0.6, 1, 1.5, 2];
const shares = [0.2, 0.5, 0.8, 1];
const operations = [
  ...['multiply', 'screen', 'plus', 'darken', 'lighten', 'src-over', 'multiply', 'screen', 'plus'],
  ...['dst-out', 'xor', 'color-dodge'],
];

const icons = ['star', 'cafe', 'circle', 'square', 'flag', 'park', 'town-hall'];

type Property = (random: Random) => string;

type Properties = readonly (readonly [probability: number, Property])[];

const markers = (sides: readonly number[]): Properties => [
  [1, (random) => `marker-width: ${random.pick(sides)}`],
  [1, (random) => `marker-fill: ${random.pick(colors)}`],
  // The others are drawn above all shapes, and a tenth of a pixel decides which of them find room.
  [1, () => 'marker-allow-overlap: true'],
  [0.2, () => 'marker-ignore-placement: true'],
  [0.3, (random) => `marker-opacity: ${random.pick(shares)}`],
  [0.3, (random) => `marker-fill-opacity: ${random.pick(shares)}`],
  [0.4, (random) => `marker-line-width: ${random.pick(widths)}`],
  [0.3, (random) => `marker-line-color: ${random.pick(colors)}`],
  [0.2, (random) => `marker-line-opacity: ${random.pick(shares)}`],
  [0.2, (random) => `marker-height: ${random.pick(sides)}`],
  [0.1, () => 'marker-type: arrow'],
  [0.1, (random) => `marker-transform: "rotate(${random.below(360)})"`],
  [0.2, (random) => `marker-comp-op: ${random.pick(operations)}`],
];

/**
 * Properties of symbolizers. None is an offset: of lines that are smaller than it, Mapnik draws something else in each
 * picture. Labels have a layer of their own, whose places do not collide.
 */
const symbolizers = {
  marker: markers([1, 2, 3, 4, 6, 9, 14, 20]),
  // Small features lie above larger ones of their layer, which larger markers would show.
  spot: markers([1, 2, 3, 4]),
  icon: [
    [1, (random) => `marker-file: url(${random.pick(icons)})`],
    [1, () => 'marker-allow-overlap: true'],
    [0.2, () => 'marker-ignore-placement: true'],
    [0.8, (random) => `marker-width: ${random.pick([6, 10, 16, 24])}`],
    [0.1, (random) => `marker-height: ${random.pick([8, 20])}`],
    [0.5, (random) => `marker-fill: ${random.pick(colors)}`],
    [0.2, (random) => `marker-fill-opacity: ${random.pick(shares)}`],
    [0.3, (random) => `marker-opacity: ${random.pick(shares)}`],
    [0.2, (random) => `marker-line-width: ${random.pick(widths)}`],
    [0.2, (random) => `marker-line-color: ${random.pick(colors)}`],
    [0.1, (random) => `marker-transform: "rotate(${random.below(360)})"`],
    [0.2, (random) => `marker-comp-op: ${random.pick(operations)}`],
  ],
  dot: [
    [1, (random) => `dot-fill: ${random.pick(colors)}`],
    [1, (random) => `dot-width: ${random.pick([1, 2, 4, 9])}`],
    [0.3, (random) => `dot-opacity: ${random.pick(shares)}`],
    [0.2, (random) => `dot-comp-op: ${random.pick(operations)}`],
  ],
  pattern: [
    [1, (random) => `polygon-pattern-file: url(${random.pick(icons)})`],
    [0.3, (random) => `polygon-pattern-opacity: ${random.pick(shares)}`],
    [0.5, () => 'polygon-pattern-alignment: global'],
    [0.1, (random) => `polygon-pattern-comp-op: ${random.pick(operations)}`],
  ],
  repeatedIcon: [
    [1, (random) => `line-pattern-file: url(${random.pick(icons)})`],
    [0.3, (random) => `line-pattern-opacity: ${random.pick(shares)}`],
  ],
  line: [
    [1, (random) => `line-width: ${random.pick(widths)}`],
    [1, (random) => `line-color: ${random.pick(colors)}`],
    [0.3, (random) => `line-opacity: ${random.pick(shares)}`],
    [0.2, (random) => `line-dasharray: ${random.pick(['4,2', '8,3,1,3', '1,1', '12,6'])}`],
    [0.3, (random) => `line-join: ${random.pick(['miter', 'round', 'bevel'])}`],
    [0.3, (random) => `line-cap: ${random.pick(['butt', 'round', 'square'])}`],
    [0.1, (random) => `line-gamma: ${random.pick([0.5, 0.8])}`],
    [0.1, (random) => `line-smooth: ${random.pick([0.3, 0.8])}`],
    [0.1, (random) => `line-comp-op: ${random.pick(operations)}`],
  ],
  polygon: [
    [1, (random) => `polygon-fill: ${random.pick(colors)}`],
    [0.4, (random) => `polygon-opacity: ${random.pick(shares)}`],
    [0.1, (random) => `polygon-gamma: ${random.pick([0.5, 0.8])}`],
    [0.1, (random) => `polygon-comp-op: ${random.pick(operations)}`],
  ],
} satisfies Record<string, Properties>;

const symbolizersOf: Record<LayerKind, readonly (keyof typeof symbolizers)[]> = {
  points: ['marker', 'marker', 'marker', 'icon', 'dot'],
  lines: ['line', 'line', 'line', 'line', 'line', 'spot', 'repeatedIcon'],
  areas: ['polygon', 'polygon', 'polygon', 'line', 'line', 'spot', 'pattern'],
};

const filters: readonly Property[] = [
  (random) => `[n ${random.pick(['>', '<', '>=', '<='])} ${random.below(100)}]`,
  (random) => `[kind ${random.pick(['=', '!='])} '${random.pick(['a', 'b', 'c'])}']`,
  (random) => `[zoom ${random.pick(['>=', '<'])} ${2 + random.below(7)}]`,
  () => '[name =~ ".*7.*"]',
];

const labels = (random: Random): string => `
  text-name: [name]; text-face-name: "${random.pick(['DejaVu Sans Book', 'DejaVu Sans Bold'])}";
  text-size: ${random.pick([9, 11, 14])}; text-fill: ${random.pick(colors.slice(0, 5))};
  ${random.chance(0.5) ? `text-halo-radius: ${random.pick([1, 1.5])}; text-halo-fill: #fff;` : ''}
  ${random.chance(0.3) ? `text-dy: ${random.pick([-10, 8])};` : ''}`;

const declarations = (kind: keyof typeof symbolizers, random: Random): string =>
  symbolizers[kind]
    .filter(([probability]) => random.chance(probability))
    .map(([, write]) => `${write(random)};`)
    .join(' ');

/** One to three rules of a layer, in attachments now and then. */
function rulesOf(layer: string, kind: LayerKind, random: Random): string {
  const rules = Array.from({ length: 1 + random.below(3) }, (_, i) => {
    const attachment = random.chance(0.3) ? `::${random.pick(['a', 'b'])}` : '';
    const conditions = random.chance(i ? 0.8 : 0.3)
      ? Array.from({ length: 1 + random.below(2) }, () => random.pick(filters)(random)).join('')
      : '';
    const inside = Array.from({ length: random.chance(0.2) ? 2 : 1 }, () =>
      declarations(random.pick(symbolizersOf[kind]), random),
    );
    const opacity = random.chance(0.05) ? ` opacity: ${random.pick(shares)};` : '';
    const operation = random.chance(0.05) ? ` comp-op: ${random.pick(operations)};` : '';
    return `#${layer}${attachment}${conditions} { ${inside.join(' ')}${opacity}${operation} }`;
  });
  return rules.join('\n');
}

/** A style for a map, and styles for its layers by code; a layer that is not shown has none. */
export interface RandomLook {
  map: string;
  layers: Record<string, string>;
}

/** Layers of one or two kinds and sizes, and labels above them now and then. */
export function randomLook(random: Random): RandomLook {
  const layers: Record<string, string> = {};
  for (let count = 1 + random.below(2); count; count--) {
    const kind = random.pick(['points', 'lines', 'areas'] as const);
    const layer = `${random.pick(sizes)}_${kind}`;
    layers[layer] = rulesOf(layer, kind, random);
  }
  // Labels avoid markers, by boxes that differ a little.
  const hasMarkers = Object.values(layers).some((style) => style.includes('marker'));
  if (!hasMarkers && random.chance(0.6)) layers.places = `#places { ${labels(random)} }`;
  const map = random.chance(0.5) ? `Map { background-color: ${random.pick(colors)}; }` : '';
  return { map, layers };
}
