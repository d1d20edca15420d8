import type { Around, LabelChoice, TextLook } from '@cartulary/cartocss';
import type { ConnectionTarget } from '@cartulary/database';
import { toMercator } from '@cartulary/geo';
import type { ChunkGrid, LabelKind, LabelLook, LabelPass, Rgba } from '@cartulary/renderer';
import { type LabelChunkSource, labelChunkSource } from '../small-features/label-source.js';
import { datasource } from './sql/datasource.js';
import {
  type ChosenLabel,
  degreesPerPosition,
  type LabelSource,
  labelSql,
  thinningOf,
} from './sql/label-sql.js';

/** The labels of one style of a layer. */
interface StyleLabels {
  chosen: readonly ChosenLabel[];
  kinds: readonly LabelKind[];
}

/** The plain labels and claims of a layer at a zoom level: a pass for each style that has some, drawn above the layer's shapes. */
export const labelPasses = (
  source: LabelSource,
  styles: readonly (readonly LabelChoice[])[],
  { around, database }: { around: Around; database: ConnectionTarget },
): LabelPass[] =>
  styles.map(labelsOfStyle).map(({ chosen, kinds }) => ({
    ...passOf(source, kinds, around),
    rows: { datasource: datasource(database, labelSql(source, chosen)) },
  }));

/** The same passes with chunks in place of queries, where labels are thinned; undefined: no pass has them. */
export function labelPassesInChunks(
  source: LabelSource,
  styles: readonly (readonly LabelChoice[])[],
  { around, database, grid }: { around: Around; database: ConnectionTarget; grid: ChunkGrid },
): { passes: LabelPass[]; sources: LabelChunkSource[] } | undefined {
  // Between two levels positions are those of the level of the chunks.
  const inChunks = { ...source, scale: 2 ** (grid.level - source.zoom) };
  const reachPx = Math.ceil(Math.max(around.x, around.y) * source.scale);
  const sources: LabelChunkSource[] = [];
  const passes = styles.map((choices): LabelPass => {
    const { chosen, kinds } = labelsOfStyle(choices);
    if (thinningOf(inChunks, chosen) === undefined)
      return labelPasses(source, [choices], { around, database })[0]!;
    const chunks = labelChunkSource({ source: inChunks, chosen }, grid, reachPx);
    sources.push(chunks);
    return { ...passOf(inChunks, kinds, around), rows: { chunksOf: chunks.key, chunks: [] } };
  });
  return sources.length ? { passes, sources } : undefined;
}

function labelsOfStyle(choices: readonly LabelChoice[]): StyleLabels {
  const kinds = new Map(choices.filter(isDrawn).map((choice) => [keyOf(choice), kindOf(choice)]));
  const keys = [...kinds.keys()];
  const chosen = choices.map((choice) => ({
    ...choice,
    kind: isDrawn(choice) ? keys.indexOf(keyOf(choice)) : undefined,
  }));
  return { chosen, kinds: [...kinds.values()] };
}

const passOf = (
  source: LabelSource,
  kinds: readonly LabelKind[],
  around: Around,
): Omit<LabelPass, 'rows'> => ({
  kind: 'labels',
  unit: degreesPerPosition(source) * metresPerDegree,
  kinds,
  around,
});

/** Metres of EPSG:3857 per degree of longitude. */
const metresPerDegree = toMercator(1, 0)[0];

const isDrawn = ({ label, claim }: LabelChoice): boolean => Boolean(label || claim);

/** Equal kinds have equal keys. */
const keyOf = ({ label, claim }: LabelChoice): string => JSON.stringify([label?.look, claim]);

const kindOf = ({ label, claim }: LabelChoice): LabelKind => ({
  ...(claim ? { claim } : {}),
  ...(label ? { look: lookOf(label.look) } : {}),
});

const lookOf = ({ fill, opacity, halo, ...look }: TextLook): LabelLook => ({
  ...look,
  fill: rgba(fill, opacity),
  halo: { fill: rgba(halo.fill, halo.opacity), radius: halo.radius },
});

/** Parses a colour of styles: `#rrggbb` or `rgba(r, g, b, a)`. */
function rgba(color: string, opacity: number): Rgba {
  const digits = /^#(..)(..)(..)$/.exec(color)?.slice(1);
  const [red, green, blue, alpha = 1] = digits
    ? digits.map((pair) => Number.parseInt(pair, 16))
    : color.match(/[\d.]+/g)!.map(Number);
  return [red!, green!, blue!, alpha * opacity];
}
