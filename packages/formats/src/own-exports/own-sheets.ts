/** The sheet of an export of ours with the texts that no cell holds. */
export const restSheet = 'whole_texts';

/** Most characters of the name of a sheet. */
export const sheetNameLimit = 31;

/** The name of the sheet on which the rows of another go on: the second, the third … */
export const sheetName = (first: string, number: number): string =>
  number === 1 ? first : `${first.slice(0, sheetNameLimit - 5)}_${number}`;

/** What stands in the cell of a geometry that is too long for it. */
export const geometryNote = (wkt: string): string =>
  `${/^\w+/.exec(wkt)?.[0]} of ${wkt.length} characters: see ${restSheet}`;
