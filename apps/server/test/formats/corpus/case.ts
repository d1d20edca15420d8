/** A broken or hostile file, and the expected error of its import. */
export interface Case {
  what: string;
  file: Buffer | string;
  name: string;
  says: RegExp;
  /** Query of the import. */
  query?: string;
}

/** A case from its parts in their order. */
export const bad = (what: string, file: Buffer | string, name: string, says: RegExp, query = ''): Case => ({
  what,
  file,
  name,
  says,
  query,
});

/** An XML document type declaration with entities of entities. */
export const laughs = `<!DOCTYPE kml [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, i) => {
  const before = i ? `a${i - 1}` : 'a';
  return `<!ENTITY a${i} "${`&${before};`.repeat(10)}">`;
}).join('')}]>`;
