interface Units {
  km: string;
  m: string;
  ha: string;
  m2: string;
  km2: string;
}

/** A number with about four digits. */
const rounded = (value: number, language: string): string =>
  new Intl.NumberFormat(language, {
    maximumFractionDigits: value < 10 ? 3 : value < 100 ? 2 : value < 1000 ? 1 : 0,
  }).format(value);

/** A length of metres, from 1 km on in kilometres. */
export const formatLength = (metres: number, language: string, units: Units): string =>
  metres < 1000
    ? `${rounded(metres, language)} ${units.m}`
    : `${rounded(metres / 1000, language)} ${units.km}`;

/** An area of square metres, from 1 ha on in hectares, from 1 km² on in square kilometres. */
export function formatArea(squareMetres: number, language: string, units: Units): string {
  if (squareMetres < 10_000) return `${rounded(squareMetres, language)} ${units.m2}`;
  if (squareMetres < 1_000_000) return `${rounded(squareMetres / 10_000, language)} ${units.ha}`;
  return `${rounded(squareMetres / 1_000_000, language)} ${units.km2}`;
}
