export type DbfField = readonly [name: string, type: string, length: number];

export interface DbfRecord {
  /** A star: it is deleted. */
  mark: string;
  /** Filled up with blanks. */
  values: readonly (string | Buffer)[];
}

/** A table of dBase III. */
export function dbfOf(fields: readonly DbfField[], records: readonly DbfRecord[]): Buffer {
  const head = Buffer.alloc(32 + 32 * fields.length + 1);
  head[0] = 3;
  head.writeUInt32LE(records.length, 4);
  head.writeUInt16LE(head.length, 8);
  head.writeUInt16LE(1 + fields.reduce((sum, [, , length]) => sum + length, 0), 10);
  for (const [i, [name, type, length]] of fields.entries()) {
    head.write(name, 32 + 32 * i);
    head.write(type, 43 + 32 * i);
    head[48 + 32 * i] = length;
  }
  head[head.length - 1] = 0x0d;
  const filled = (value: string | Buffer, length: number): Buffer => {
    const bytes = Buffer.alloc(length, ' ');
    Buffer.from(value as string).copy(bytes);
    return bytes;
  };
  const bytes = records.map(({ mark, values }) =>
    Buffer.concat([Buffer.from(mark), ...fields.map(([, , length], i) => filled(values[i]!, length))]),
  );
  return Buffer.concat([head, ...bytes]);
}

/** A .shp of records' contents. */
export function shpOf(contents: readonly Buffer[]): Buffer {
  const records = contents.map((content, i) => {
    const head = Buffer.alloc(8);
    head.writeInt32BE(i + 1, 0);
    head.writeInt32BE(content.length / 2, 4);
    return Buffer.concat([head, content]);
  });
  const all = Buffer.concat(records);
  const head = Buffer.alloc(100);
  head.writeInt32BE(9994, 0);
  head.writeInt32BE((100 + all.length) / 2, 24);
  head.writeInt32LE(1000, 28);
  head.writeInt32LE(contents[0]?.readInt32LE(0) ?? 0, 32);
  return Buffer.concat([head, all]);
}

/** The content of a record with a point. */
export function shpPoint(x: number, y: number): Buffer {
  const content = Buffer.alloc(20);
  content.writeInt32LE(1, 0);
  content.writeDoubleLE(x, 4);
  content.writeDoubleLE(y, 12);
  return content;
}
