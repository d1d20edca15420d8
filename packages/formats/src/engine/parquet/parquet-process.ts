import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { leaveSignalsToParent } from '@cartulary/runtime';
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  type RowGroup,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { createFrames } from '../frames.js';
import type { BeginOrder, EngineOrder, Report } from '../orders.js';
import {
  completeTypes,
  keepDigits,
  type ParquetLayer,
  ParquetRefusal,
  parquetLayer,
} from './parquet-schema.js';
import { headOf, rowText } from './parquet-text.js';

/*
 * The process that reads one Parquet file, with a memory limit, in the folder of its job. It tells the layer of the file, and
 * streams its rows in the form in which GDAL dumps other formats. The parent ends it when the time is exceeded.
 */

leaveSignalsToParent();

/** MiB that the process may use for the values of a row group. */
const memoryMiB = Number(process.argv[2]);

/** The key of an own export (`writers/parquet.ts`). */
const ownColumnsKey = 'cartulary:columns';

/** Most rows of a row group, and largest page, bytes: both are held in memory. */
const groupRows = 5_000_000;
const pageBytes = 256 * 1024 * 1024;

let folder!: string;
const frames = createFrames();

interface OpenParquet extends ParquetLayer {
  file: AsyncBuffer;
  metadata: FileMetaData;
}

/** A file with random access; a range beyond its end is refused. */
function bufferOf(descriptor: number): AsyncBuffer {
  const byteLength = fstatSync(descriptor).size;
  return {
    byteLength,
    slice(start, end = byteLength) {
      if (!(start >= 0 && end >= start && end <= byteLength))
        throw new ParquetRefusal('it is cut off or damaged');
      const bytes = new Uint8Array(end - start);
      for (let done = 0; done < bytes.length; ) {
        const got = readSync(descriptor, bytes, done, bytes.length - done, start + done);
        if (!got) throw new ParquetRefusal('it is cut off');
        done += got;
      }
      return bytes.buffer;
    },
  };
}

async function opened(name: string): Promise<OpenParquet> {
  const descriptor = openSync(join(folder, name), 'r');
  try {
    const file = bufferOf(descriptor);
    const metadata = await parquetMetadataAsync(file, { geoparquet: false });
    completeTypes(metadata.schema);
    const layer = parquetLayer(metadata, name, ownColumnsKey);
    keepDigits(metadata.schema);
    return { file, metadata, ...layer };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Page after page is unpacked; a page may not be larger than is allowed. */
const limited = Object.fromEntries(
  Object.entries(compressors as Required<Compressors>).map(([codec, unpack]) => [
    codec,
    (bytes: Uint8Array, length: number) => {
      if (!(length >= 0 && length <= pageBytes))
        throw new ParquetRefusal('a page of it is larger than is allowed: write it with smaller pages');
      // The reader of LZ4 takes no empty page.
      return length ? unpack(bytes, length) : new Uint8Array(0);
    },
  ]),
) as Compressors;

async function dump(name: string): Promise<void> {
  const parquet = await opened(name);
  frames.send(headOf(parquet.layer, parquet.geometry !== undefined));
  for (const group of parquet.metadata.row_groups) {
    const rows = Number(group.num_rows);
    if (!(rows >= 0 && rows <= groupRows) || Number(group.total_byte_size) > (memoryMiB * 1024 ** 2) / 2)
      throw new ParquetRefusal(
        'a row group of it is larger than is allowed: write it with smaller row groups',
      );
    if (rows) await dumpGroup(parquet, group, rows);
  }
  frames.send(Buffer.from('\\.\n'));
}

async function dumpGroup(parquet: OpenParquet, group: RowGroup, rows: number): Promise<void> {
  const { file, metadata, columns, geometry } = parquet;
  const names = [...(geometry === undefined ? [] : [geometry]), ...columns];
  const values = new Map<string, number>();
  await parquetRead({
    file,
    metadata: { ...metadata, row_groups: [group] },
    columns: names,
    compressors: limited,
    utf8: false,
    geoparquet: false,
    parsers: { geometryFromBytes: (bytes) => bytes, geographyFromBytes: (bytes) => bytes },
    onChunk: ({ columnName, columnData }) =>
      values.set(columnName, (values.get(columnName) ?? 0) + columnData.length),
    onComplete: (all) => {
      // The library makes rows without values of what is missing.
      if (names.some((name) => (values.get(name) ?? 0) < rows))
        throw new ParquetRefusal('it is cut off or damaged');
      for (const row of all) frames.send(rowText(row, parquet));
    },
  });
}

async function reportOn(order: EngineOrder): Promise<Report> {
  try {
    if (order.kind === 'inspect') {
      const { layer, warnings } = await opened(order.data.file);
      return { errors: [], warnings: [...warnings], failed: false, layers: [layer] };
    }
    if (order.kind !== 'dump') throw new Error(`the order '${order.kind}'`);
    await dump(order.data.file);
    return { errors: [], failed: false };
  } catch (error) {
    const said =
      error instanceof ParquetRefusal ? error.message : `it is damaged (${(error as Error).message})`;
    return { errors: [said.slice(0, 300)], failed: true };
  } finally {
    if (order.kind === 'dump') frames.end();
  }
}

process.on('message', (order: BeginOrder | EngineOrder) => {
  if (order.kind === 'begin') {
    folder = order.folder;
    process.send!({ errors: [], failed: false } satisfies Report);
  } else void reportOn(order).then((report) => process.send!(report));
});
