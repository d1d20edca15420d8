import { ServiceError } from '@cartulary/errors';
import { edgeTolerance } from '@cartulary/geo';
import { coordinateOf, isNoValue, pairOf } from './coordinate-text.js';
import { looksLikeGeometry } from './geometry-text.js';
import type { TableCell } from './header.js';
import type { TableRules } from './rules.js';

/** Where the geometry of a row is; columns by index. */
export type GeometryPlan =
  | { kind: 'none' }
  | { kind: 'text'; column: number }
  | { kind: 'xy'; x: number; y: number }
  /** Both coordinates in one cell. */
  | { kind: 'pair'; column: number; order: 'xy' | 'yx' };

/** The columns that a plan reads. */
export const placesOf = (plan: GeometryPlan): number[] =>
  plan.kind === 'none' ? [] : plan.kind === 'xy' ? [plan.x, plan.y] : [plan.column];

/** A name in small letters without their accents. */
const plainOf = (name: string): string => name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');

const wordsOf = (list: string): ReadonlySet<string> => new Set(plainOf(list).split(/\s+/));

const geometryWords = wordsOf(
  `wkt geom geometry geometria the_geom wkt_geom geom_wkt wkb wkb_geometry geojson geometrie shape geometry_wkt
  геометрия геом координаты_wkt`,
);
interface Axes {
  readonly x: ReadonlySet<string>;
  readonly y: ReadonlySet<string>;
}

/** Words that identify the column of a coordinate, the certain ones first. */
const axes: readonly [Axes, ...Axes[]] = [
  {
    x: wordsOf(`lon long lng longitude долгота дол лон easting восток вд lonwgs84 x_lon lon_x longitud longitudine
      längengrad laengengrad geographische_länge lengtegraad lengdegrad længdegrad längdgrad pituusaste boylam
      długość_geograficzna zeměpisná_délka довгота географска_дължина географска_дужина kinh_độ bujur 经度 經度 経度 경도
      geogr_länge östliche_länge földrajzi_hosszúság zemepisná_dĺžka zemljopisna_dužina geografska_dužina geografska_dolžina
      ilguma garums pikkuskraad γεωγραφικό_μήκος бойлық خط_الطول طول_جغرافیایی קו_אורך ลองจิจูด देशांतर`),
    y: wordsOf(`lat latitude широта шир лат northing север сш latwgs84 y_lat lat_y latitud latitudine
      breitengrad geographische_breite breedtegraad breddegrad breddgrad leveysaste enlem
      szerokość_geograficzna zeměpisná_šířka географска_ширина vĩ_độ lintang 纬度 緯度 위도
      geogr_breite nördliche_breite földrajzi_szélesség zemepisná_šírka zemljopisna_širina geografska_širina platuma platums
      laiuskraad γεωγραφικό_πλάτος ендік خط_العرض عرض_جغرافیایی קו_רוחב ละติจูด अक्षांश`),
  },
  { x: wordsOf('x х xcoord coordx pointx д'), y: wordsOf('y у ycoord coordy pointy ш') },
];
const pairWords = wordsOf(
  `coordinates coordinate coords coord latlng latlon lonlat lnglat location position point координаты координата
  координат местоположение геопозиция точка`,
);
/** Words that may accompany such a word. */
const fillers = wordsOf(
  'geo gps wgs wgs84 84 coord coordinate point pos deg degree degrees dd decimal grad географическая географические в п координата координаты градусы град восточная северная location address center centroid',
);

const partsOf = (name: string): string[] =>
  plainOf(name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '))
    .replace(/([a-z])(lat|lon|lng)$/, (whole, before: string, word: string) =>
      axesHave(whole) ? whole : `${before} ${word}`,
    )
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

const axesHave = (word: string): boolean =>
  pairWords.has(word) || axes.some(({ x, y }) => x.has(word) || y.has(word));

/** Whether a name is one of the words, apart from fillers. */
function isNamed(name: string, words: ReadonlySet<string>): boolean {
  const parts = partsOf(name);
  if (words.has(parts.join('_')) || words.has(parts.join(''))) return true;
  const telling = parts.filter((part) => words.has(part));
  return telling.length === 1 && parts.every((part) => words.has(part) || fillers.has(part));
}

export interface Sampled {
  names: readonly string[];
  /** The first rows of data. */
  rows: readonly (readonly TableCell[])[];
  rules: TableRules;
}

/** Finds the geometry by the names and first rows of a table. Throws `import_failed` for a named column that does not exist. */
export function geometryPlan(sampled: Sampled): GeometryPlan {
  const { names, rules } = sampled;
  if (rules.noGeometry) return { kind: 'none' };
  if (rules.wkt !== undefined) {
    const column = placeOf(names, rules.wkt);
    const kinds = kindsOf(sampled, column);
    return kinds.pairs > kinds.geometries
      ? { kind: 'pair', column, order: orderOf(sampled, column) }
      : { kind: 'text', column };
  }
  if (rules.x !== undefined) return { kind: 'xy', x: placeOf(names, rules.x), y: placeOf(names, rules.y!) };
  return (
    ownText(sampled) ??
    foundText(sampled) ??
    foundAxes(sampled) ??
    alikeAxes(sampled) ??
    foundPair(sampled) ?? { kind: 'none' }
  );
}

function placeOf(names: readonly string[], name: string): number {
  const wanted = name.trim();
  const exact = names.indexOf(wanted);
  const at = exact === -1 ? names.findIndex((other) => other.toLowerCase() === wanted.toLowerCase()) : exact;
  if (at !== -1) return at;
  const some = names.slice(0, 20).map((other) => `'${other.slice(0, 50)}'`);
  throw new ServiceError(
    'import_failed',
    `The table has no column '${wanted.slice(0, 50)}'; it has ${some.join(', ')}`,
    {
      column: wanted.slice(0, 50),
    },
  );
}

/** Counts the filled cells of a column and what they look like. */
function kindsOf(
  { rows, rules }: Sampled,
  column: number,
): { filled: number; geometries: number; numbers: number; pairs: number } {
  const kinds = { filled: 0, geometries: 0, numbers: 0, pairs: 0 };
  for (const row of rows) {
    const cell = row[column];
    const text = typeof cell === 'string' ? cell.trim() : cell;
    if (text === null || text === undefined || text === '') continue;
    if (typeof text === 'string' && isNoValue(text)) continue;
    kinds.filled++;
    if (typeof text === 'number') kinds.numbers++;
    if (typeof text !== 'string') continue;
    if (looksLikeGeometry(text)) kinds.geometries++;
    else if (coordinateOf(text, rules.decimal)) kinds.numbers++;
    else if (pairOf(text, rules.decimal)) kinds.pairs++;
  }
  return kinds;
}

/** The column of geometries of an own export. Its other columns are values, whatever they are named and look like. */
function ownText(sampled: Sampled): GeometryPlan | undefined {
  const { names } = sampled;
  const column = names[0] === 'svc_id' ? names.indexOf('geom') : -1;
  if (column === -1) return undefined;
  const { geometries, filled } = kindsOf(sampled, column);
  return geometries === filled ? { kind: 'text', column } : undefined;
}

/** A column of geometries: with a matching name if some cells are geometries, else if all are. */
function foundText(sampled: Sampled): GeometryPlan | undefined {
  const kinds = sampled.names.map((_, column) => kindsOf(sampled, column));
  const named = kinds.findIndex(
    ({ geometries, filled }, i) =>
      geometries * 2 >= filled && geometries > 0 && isNamed(sampled.names[i]!, geometryWords),
  );
  const column =
    named === -1 ? kinds.findIndex(({ geometries, filled }) => filled > 0 && geometries === filled) : named;
  return column === -1 ? undefined : { kind: 'text', column };
}

function isNumeric(sampled: Sampled, column: number): boolean {
  const { filled, numbers } = kindsOf(sampled, column);
  return numbers * 2 >= filled;
}

function foundAxes(sampled: Sampled): GeometryPlan | undefined {
  const place = (words: ReadonlySet<string>): number =>
    sampled.names.findIndex((name, column) => isNamed(name, words) && isNumeric(sampled, column));
  for (const words of axes) {
    const [x, y] = [place(words.x), place(words.y)];
    if (x !== -1 && y !== -1 && x !== y) return { kind: 'xy', x, y };
  }
  return undefined;
}

/** Two columns that are named alike, such as `stop_lat` and `stop_lon`; undefined where several are, or none. */
function alikeAxes(sampled: Sampled): GeometryPlan | undefined {
  const [{ x: xWords, y: yWords }] = axes;
  const named = (words: ReadonlySet<string>): { column: number; rest: string }[] =>
    sampled.names.flatMap((name, column) => {
      const parts = partsOf(name);
      const rest = parts.filter((part) => !words.has(part));
      const isAxis = rest.length === parts.length - 1 && rest.length > 0 && isNumeric(sampled, column);
      return isAxis ? [{ column, rest: rest.join(' ') }] : [];
    });
  const ys = named(yWords);
  const pairs = named(xWords).flatMap((x) =>
    ys.filter(({ rest }) => rest === x.rest).map((y) => ({ x: x.column, y: y.column })),
  );
  return pairs.length === 1 ? { kind: 'xy', ...pairs[0]! } : undefined;
}

function foundPair(sampled: Sampled): GeometryPlan | undefined {
  const column = sampled.names.findIndex((name, i) => {
    if (!isNamed(name, pairWords)) return false;
    const { filled, pairs } = kindsOf(sampled, i);
    return pairs > 0 && pairs * 2 >= filled;
  });
  return column === -1 ? undefined : { kind: 'pair', column, order: orderOf(sampled, column) };
}

/** Maximum absolute latitude, with a tolerance for rounding. */
const highest = 90 + edgeTolerance;

/** Which coordinate comes first: by the name, else by the range; latitude if both orders are possible, as is usual in text. */
function orderOf({ names, rows, rules }: Sampled, column: number): 'xy' | 'yx' {
  const name = partsOf(names[column]!).join('');
  if (/^(?:lonlat|lnglat)$/.test(name)) return 'xy';
  if (/^(?:latlng|latlon)$/.test(name)) return 'yx';
  for (const row of rows) {
    const pair = typeof row[column] === 'string' ? pairOf(row[column].trim(), rules.decimal) : undefined;
    if (pair && Math.abs(pair[0].value) > highest) return 'xy';
    if (pair && Math.abs(pair[1].value) > highest) return 'yx';
  }
  return 'yx';
}
