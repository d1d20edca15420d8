import { open } from 'node:fs/promises';
import type { SourceField } from '../engine/orders.js';

/** Maximum size of a definition: MapInfo has at most 250 columns. */
const definitionBytes = 65_536;

/** Marks the logical columns of a file of MapInfo, which GDAL gives as texts of one letter. `path` is the .mif or .tab. */
export async function withLogicals(path: string, fields: readonly SourceField[]): Promise<SourceField[]> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(definitionBytes), 0, definitionBytes, 0);
    const logical = logicalColumns(buffer.toString('latin1', 0, bytesRead));
    return fields.map((field, i) =>
      logical.has(i) && field.type === 'String' ? { ...field, subType: 'Boolean' } : field,
    );
  } finally {
    await file.close();
  }
}

/** Indexes of the columns that a definition (`Columns 2` of a .mif, `Fields 2` of a .tab, and a line for each) calls logical. */
function logicalColumns(definition: string): ReadonlySet<number> {
  const head = /^[ \t]*(?:columns|fields)[ \t]+(\d+)[ \t]*\r?$/im.exec(definition);
  if (!head) return new Set();
  const lines = definition.slice(head.index + head[0].length).split(/\r?\n|\r/);
  const columns = lines.filter((line) => line.trim() !== '').slice(0, Number(head[1]));
  return new Set([...columns.keys()].filter((i) => /^\s*\S+\s+logical\b/i.test(columns[i]!)));
}
