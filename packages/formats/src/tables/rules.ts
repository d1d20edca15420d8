import { badRequest } from '@cartulary/errors';

/** Given rules for reading a table. Absent ones are detected from the table. */
export interface TableRules {
  delimiter: string | undefined;
  /** Whether the first row that is not empty contains the names of the columns. */
  header: boolean | undefined;
  decimal: Decimal | undefined;
  /** Names of the columns of the coordinates. */
  x: string | undefined;
  y: string | undefined;
  /** Name of the column of the geometries. */
  wkt: string | undefined;
  /** No column is read as a geometry. */
  noGeometry: boolean;
  /** Name of a sheet, or its number from 1. */
  sheet: string | undefined;
  limits: TableLimits;
}

/** The decimal separator. */
export type Decimal = '.' | ',';

export interface TableLimits {
  columns: number;
  /** Maximum characters of a cell. */
  cell: number;
  /** Maximum rows of a sheet, which is held in memory. */
  rows: number;
  /** Maximum size of a spreadsheet, packed and unpacked, bytes. */
  bytes: number;
}

/** How a table was interpreted. */
export interface TableInfo {
  /** Encoding of the text; absent for a sheet. */
  delimiter?: string;
  sheet?: string;
  header: boolean;
  /** Null if no number has a fraction, or both separators occur. */
  decimal: Decimal | null;
  /** Names of the columns that contain the geometry or the coordinates. */
  geometry: string[];
}

const delimiters: Readonly<Record<string, string>> = {
  ';': ';',
  semicolon: ';',
  ',': ',',
  comma: ',',
  '\t': '\t',
  tab: '\t',
  '|': '|',
  pipe: '|',
};
const switches: Readonly<Record<string, boolean>> = { 1: true, true: true, 0: false, false: false };
const decimals: Readonly<Record<string, Decimal>> = { '.': '.', point: '.', ',': ',', comma: ',' };
const geometries: Readonly<Record<string, boolean>> = { auto: false, none: true };

/** Values of the parameters, for the schema. */
export const ruleValues = {
  delimiter: Object.keys(delimiters),
  header: Object.keys(switches),
  decimal: Object.keys(decimals),
  geometry: Object.keys(geometries),
};

/** Parses the rules in the parameters of an import, which may come from a form. Throws 400 that names the parameter. */
export function tableRules(parameters: Record<string, unknown>, limits: TableLimits): TableRules {
  const text = (name: string): string | undefined => {
    const value = parameters[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const one = <T>(name: string, values: Readonly<Record<string, T>>): T | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    if (Object.hasOwn(values, value)) return values[value];
    throw badRequest(
      `${name} must be one of ${Object.keys(values)
        .map((key) => JSON.stringify(key))
        .join(', ')}`,
      {
        parameters: [name],
      },
    );
  };
  const [x, y, wkt] = [text('x'), text('y'), text('wkt')];
  if ((x === undefined) !== (y === undefined)) {
    throw badRequest('x and y are given together: the names of two columns', { parameters: ['x', 'y'] });
  }
  const noGeometry = one('geometry', geometries) ?? false;
  if ([x, wkt, noGeometry || undefined].filter((given) => given !== undefined).length > 1) {
    throw badRequest('x and y, wkt and geometry=none exclude each other', {
      parameters: ['x', 'y', 'wkt', 'geometry'],
    });
  }
  return {
    delimiter: one('delimiter', delimiters),
    header: one('header', switches),
    decimal: one('decimal', decimals),
    x,
    y,
    wkt,
    noGeometry,
    sheet: text('sheet'),
    limits,
  };
}
