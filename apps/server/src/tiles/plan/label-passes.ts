import type { Around, CompiledStyle, LabelChoice, MarkerClaim, TextLook } from '@cartulary/cartocss';
import type { ConnectionTarget } from '@cartulary/database';
import { toMercator } from '@cartulary/geo';
import type { ChunkGrid, LabelClaim, LabelKind, LabelLook, LabelPass, Rgba } from '@cartulary/renderer';
import { join, type Sql } from '@cartulary/sql';
import { type LabelChunkSource, labelChunkSource } from '../small-features/label-source.js';
import { spriteStyle } from '../small-features/sprite-style.js';
import { datasource } from './sql/datasource.js';
import {
  type ChosenLabel,
  degreesPerPosition,
  type LabelSource,
  labelSql,
  thinningOf,
  triedIdsSql,
} from './sql/label-sql.js';

/** The labels of one style of a layer. */
interface StyleLabels {
  chosen: readonly ChosenLabel[];
  kinds: readonly LabelKind[];
}

/** What the labels of a layer need besides their rows. */
interface LabelOptions extends Pick<CompiledStyle, 'markerAlone'> {
  around: Around;
  database: ConnectionTarget;
}

/** The plain labels, markers and claims of a layer at a zoom level: a pass for each style that has some, drawn above the layer's shapes. */
export const labelPasses = (
  source: LabelSource,
  styles: readonly (readonly LabelChoice[])[],
  options: LabelOptions,
): LabelPass[] =>
  styles.map((choices) => {
    const { chosen, kinds } = labelsOfStyle(source, choices, options);
    return {
      ...passOf(source, kinds, options),
      rows: { datasource: datasource(options.database, labelSql(source, chosen)) },
    };
  });

/** The same passes with chunks in place of queries, where labels are thinned; undefined: no pass has them. */
export function labelPassesInChunks(
  source: LabelSource,
  styles: readonly (readonly LabelChoice[])[],
  { grid, ...options }: LabelOptions & { grid: ChunkGrid },
): { passes: LabelPass[]; sources: LabelChunkSource[] } | undefined {
  // Between two levels positions are those of the level of the chunks.
  const inChunks = { ...source, scale: 2 ** (grid.level - source.zoom) };
  const reachPx = Math.ceil(Math.max(options.around.x, options.around.y) * source.scale);
  const sources: LabelChunkSource[] = [];
  const passes = styles.map((choices): LabelPass => {
    const { chosen, kinds } = labelsOfStyle(source, choices, options);
    if (thinningOf(inChunks, chosen) === undefined) return labelPasses(source, [choices], options)[0]!;
    const chunks = labelChunkSource({ source: inChunks, chosen }, grid, reachPx);
    sources.push(chunks);
    return { ...passOf(inChunks, kinds, options), rows: { chunksOf: chunks.key, chunks: [] } };
  });
  return sources.length ? { passes, sources } : undefined;
}

/** The ids of the objects around a picture whose markers are tried, where they avoid others; undefined: those of all. */
export function triedMarkersSql(
  source: LabelSource,
  styles: readonly (readonly LabelChoice[])[],
): Sql | undefined {
  const avoiding = styles.filter((choices) => choices.some(({ claim }) => claim?.avoidsOthers));
  const tried = avoiding.map((choices) => triedIdsSql(source, chosenOf(choices).chosen));
  const known = tried.filter((one) => one !== undefined);
  return known.length && known.length === tried.length ? join(known, ' union all ') : undefined;
}

function labelsOfStyle(
  source: LabelSource,
  choices: readonly LabelChoice[],
  options: LabelOptions,
): StyleLabels {
  const { chosen, kinds } = chosenOf(choices);
  return { chosen, kinds: kinds.map((choice) => kindOf(source, choice, options)) };
}

/** The choices with the indexes of their kinds, and a choice of each kind. */
function chosenOf(choices: readonly LabelChoice[]): { chosen: ChosenLabel[]; kinds: LabelChoice[] } {
  const kinds = new Map(choices.filter(isDrawn).map((choice) => [keyOf(choice), choice]));
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
  { around }: LabelOptions,
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

const kindOf = (source: LabelSource, { label, claim }: LabelChoice, options: LabelOptions): LabelKind => ({
  ...(claim ? { claim: claimOf(source, claim, options) } : {}),
  ...(label ? { look: lookOf(label.look) } : {}),
});

function claimOf(
  { id, zoom, scale }: LabelSource,
  { marker, ...claim }: MarkerClaim,
  { markerAlone }: LabelOptions,
): LabelClaim {
  if (!marker) return claim;
  const at = { layerId: id, zoom, scale, reachPx: marker.reach * scale };
  return { ...claim, sprites: spriteStyle(markerAlone(marker.key), at) };
}

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
