import { wgs84 } from '@cartulary/geo';

/** The projection data of a passport: code numbers of the format, angles in radians, lengths in metres. */
export interface MathBase {
  epsg: number;
  ellipsoid: number;
  projection: number;
  system: number;
  /** Whether coordinates are angles. */
  isGeographic: boolean;
  /** Coordinates of the sheet's corners: north and east of the south-west, north-west, north-east and south-east. */
  corners: readonly number[];
  /** Latitude and longitude of the same corners. */
  geographic: readonly number[];
  /** Longitude of the axis; 0 if it is not given. */
  meridian: number;
}

export interface ProjectionBase extends MathBase {
  parallel1: number;
  parallel2: number;
  latitude: number;
  falseNorthing: number;
  falseEasting: number;
}

interface Datum {
  /** EPSG numbers of a datum: of its geographic system, and of zone 0 of its Gauss-Krüger zones, if it has any. */
  geographic: number;
  zones?: number;
  proj4: string;
}

/** Helmert parameters from GOST 32453-2017, as in EPSG. GSK-2011 differs from WGS 84 by some centimetres. */
const datums = {
  pulkovo42: {
    geographic: 4284,
    zones: 28_400,
    proj4: '+ellps=krass +towgs84=23.57,-140.95,-79.8,0,0.35,0.79,-0.22',
  },
  pulkovo95: {
    geographic: 4200,
    zones: 20_000,
    proj4: '+ellps=krass +towgs84=24.47,-130.89,-81.56,0,0,0.13,-0.22',
  },
  gsk2011: {
    geographic: 7683,
    zones: 20_900,
    proj4: '+a=6378136.5 +rf=298.2564151 +towgs84=0,0,0',
  },
  wgs84: { geographic: 4326, proj4: '+datum=WGS84' },
} as const satisfies Record<string, Datum>;

/** Ellipsoids by their number in the format. Their datum is unknown, so WGS 84 is assumed. */
const ellipsoids: Readonly<Record<number, string>> = {
  2: 'WGS72',
  3: 'intl',
  4: 'clrk80',
  5: 'clrk66',
  6: 'evrst30',
  7: 'bessel',
  8: 'airy',
  11: 'GRS80',
};

function datumOf({ ellipsoid, system }: MathBase): Datum | undefined {
  if (system === 10 || ellipsoid === 46) return datums.gsk2011;
  // PZ-90 differs from WGS 84 by less than a metre, PZ-90.11 by centimetres.
  if (ellipsoid === 9 || ellipsoid === 10 || ellipsoid === 47) return datums.wgs84;
  if (ellipsoid > 1 && ellipsoid !== 255) return undefined;
  return system === 9 ? datums.pulkovo95 : datums.pulkovo42;
}

/**
 * Version 3 stores angles with a precision of 0.0000006 degrees, so angles within that distance of a whole second are
 * rounded to it.
 */
const coarse = 6e-7;

function degrees(radians: number): number {
  const exact = (radians * 180) / Math.PI;
  const whole = Math.round(exact * 3600) / 3600;
  return Number((Math.abs(exact - whole) < coarse ? whole : exact).toFixed(9));
}

/** The projection of a passport in the form of `parseSrs`; undefined if it cannot be determined. */
export function sxfProjection(base: ProjectionBase): string | undefined {
  const { epsg, projection, ellipsoid } = base;
  if (epsg >= 1_024 && epsg <= 32_766) return `EPSG:${epsg}`;
  if (!isWhole(base)) return undefined;
  const datum = datumOf(base);
  const isAngles = base.isGeographic || projection === 33;
  if (isAngles) return datum && (datum.geographic === 4326 ? wgs84 : `EPSG:${datum.geographic}`);
  if (projection === 35) return ellipsoid === 45 ? 'EPSG:3857' : 'EPSG:3395';
  const shape = datum?.proj4 ?? (ellipsoids[ellipsoid] && `+ellps=${ellipsoids[ellipsoid]} +towgs84=0,0,0`);
  if (!shape) return undefined;
  if (projection === 1) return gaussKruger(base, datum, shape);
  if (projection === 17) return utm(base, shape);
  const parts = others[projection]?.(base);
  return parts && `+proj=${parts} ${falseOrigin(base)} ${shape} +units=m +no_defs +type=crs`;
}

const isWhole = ({ corners, geographic, ...numbers }: ProjectionBase): boolean =>
  [...corners, ...geographic, ...Object.values(numbers)].every((value) => Number.isFinite(Number(value)));

const falseOrigin = ({ falseEasting, falseNorthing }: ProjectionBase): string =>
  `+x_0=${falseEasting} +y_0=${falseNorthing}`;

/** The projection parameters as the corners of the sheet imply them. */
const middle = (values: readonly number[], first: 0 | 1): number =>
  (values[first]! + values[first + 2]! + values[first + 4]! + values[first + 6]!) / 4;

/** Approximate length of a degree of the meridian, m. */
const degreeLength = 111_200;

/** Zones are 6 degrees wide; the first one begins at Greenwich. */
const zoneOf = (longitude: number): number => (((Math.floor(longitude / 6) % 60) + 60) % 60) + 1;

/** The zone number at the start of eastings, in millions of metres; 0: none. */
const prefixOf = (base: ProjectionBase): number => Math.floor(middle(base.corners, 1) / 1e6);

/** The longitude of the axis; undefined if the passport gives none, or contradicts itself. */
function axisOf(base: ProjectionBase): number | undefined {
  if (base.meridian) return degrees(base.meridian);
  const prefix = prefixOf(base);
  if (!base.geographic.some(Boolean)) return prefix > 0 && prefix <= 60 ? prefix * 6 - 3 : undefined;
  const longitude = degrees(middle(base.geographic, 1));
  const zone = prefix || zoneOf(longitude);
  const axis = zone * 6 - 3;
  return Math.abs(turned(longitude - axis)) < 9 ? axis : undefined;
}

/** A difference of longitudes, normalized to -180 to 180. */
const turned = (angle: number): number => angle - 360 * Math.round(angle / 360);

/**
 * The false easting of the sheet's coordinates. The passport often declares that of the axis alone, 500,000, where
 * eastings begin with the zone number, 10,500,000, or the other way round.
 */
function trueOrigin(base: ProjectionBase, axis: number, told: { north: number; east: number }) {
  if (!base.corners.some(Boolean)) return told;
  const aligned = (origin: number, actual: number, expected: number, step: number): number =>
    origin + step * Math.round((actual - origin - expected) / step);
  const [north, east] = [middle(base.corners, 0), middle(base.corners, 1)];
  if (!base.geographic.some(Boolean)) return { north: told.north, east: aligned(told.east, east, 0, 1e6) };
  const latitude = middle(base.geographic, 0);
  const eastward = turned(degrees(middle(base.geographic, 1)) - axis) * degreeLength * Math.cos(latitude);
  const northward = degrees(latitude - base.latitude) * degreeLength;
  return { north: aligned(told.north, north, northward, 1e7), east: aligned(told.east, east, eastward, 1e6) };
}

function gaussKruger(base: ProjectionBase, datum: Datum | undefined, shape: string): string | undefined {
  // The parameters of the system of 1963 are secret, so its coordinates cannot be placed.
  if (base.system === 5 && !base.falseEasting) return undefined;
  const axis = axisOf(base);
  if (axis === undefined) return undefined;
  const zone = zoneOf(axis);
  const told = { north: base.falseNorthing, east: base.falseEasting || 500_000 };
  const { north, east } = trueOrigin(base, axis, told);
  const isPlain =
    turned(axis - (zone * 6 - 3)) === 0 && east === zone * 1e6 + 500_000 && !north && !base.latitude;
  if (datum?.zones && isPlain && zone >= 4 && zone <= 32) return `EPSG:${datum.zones + zone}`;
  return `+proj=tmerc +lat_0=${degrees(base.latitude)} +lon_0=${axis} +k=1 +x_0=${east} +y_0=${north} ${shape} +units=m +no_defs +type=crs`;
}

function utm(base: ProjectionBase, shape: string): string | undefined {
  const prefix = prefixOf(base);
  const isPlaced = Boolean(base.meridian) || base.geographic.some(Boolean);
  if (!isPlaced && !(prefix > 0 && prefix <= 60)) return undefined;
  // The first zone begins 180 degrees from Greenwich.
  const zone = isPlaced ? zoneOf(degrees(base.meridian || middle(base.geographic, 1)) + 180) : prefix;
  const axis = zone * 6 - 183;
  const isSouth = middle(base.geographic, 0) < 0 && middle(base.corners, 0) >= 0;
  const told = { north: isSouth ? 1e7 : 0, east: 500_000 };
  const { north, east } = trueOrigin({ ...base, latitude: 0 }, axis, told);
  if (shape === datums.wgs84.proj4 && east === told.east && north === told.north)
    return `EPSG:${(isSouth ? 32_700 : 32_600) + zone}`;
  return `+proj=tmerc +lat_0=0 +lon_0=${axis} +k=0.9996 +x_0=${east} +y_0=${north} ${shape} +units=m +no_defs +type=crs`;
}

const centre = ({ latitude, meridian }: ProjectionBase): string =>
  `+lat_0=${degrees(latitude)} +lon_0=${degrees(meridian)}`;
const atParallel = ({ parallel1, meridian }: ProjectionBase): string =>
  `+lat_ts=${degrees(parallel1)} +lon_0=${degrees(meridian)}`;
const atCentre = ({ parallel1, meridian }: ProjectionBase): string =>
  `+lat_0=${degrees(parallel1)} +lon_0=${degrees(meridian)}`;
const betweenParallels = (base: ProjectionBase): string =>
  `+lat_1=${degrees(base.parallel1)} +lat_2=${degrees(base.parallel2)} ${centre(base)}`;

/** Projections by their number in the format, as proj4 names. */
const others: Readonly<Record<number, (base: ProjectionBase) => string>> = {
  2: (base) => `lcc ${betweenParallels(base)}`,
  5: (base) => `stere ${centre(base)}`,
  6: (base) => `aeqd ${atCentre(base)}`,
  8: (base) => `merc ${atParallel(base)}`,
  10: (base) => `poly ${centre(base)}`,
  13: (base) => `stere ${centre(base)}`,
  15: (base) => `gnom ${centre(base)}`,
  19: ({ meridian }) => `moll +lon_0=${degrees(meridian)}`,
  20: (base) => `eqdc ${betweenParallels(base)}`,
  24: (base) => `laea ${atCentre(base)}`,
  27: (base) => `eqc ${atParallel(base)}`,
  28: (base) => `cea ${atParallel(base)}`,
  34: ({ meridian }) => `mill +lon_0=${degrees(meridian)}`,
};
