/** The sheet of an own export with texts that exceed a cell. */
export const restSheet = 'whole_texts';

/** Maximum length of a sheet name, characters. */
export const sheetNameLimit = 31;

/** The name of the continuation sheet number two, three … */
export const sheetName = (first: string, number: number): string =>
  number === 1 ? first : `${first.slice(0, sheetNameLimit - 5)}_${number}`;

/** The content of a cell whose geometry is too long for it. */
export const geometryNote = (wkt: string): string =>
  `${/^\w+/.exec(wkt)?.[0]} of ${wkt.length} characters: see ${restSheet}`;
