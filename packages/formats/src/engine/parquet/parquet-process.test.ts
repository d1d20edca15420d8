import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { createEngine } from '../engine.js';

/** The rows of a file. */
async function dumpOf(t: TestContext, file: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cartulary-parquet-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'x.parquet'), file);
  const engine = createEngine({ processes: 1, time: 60_000, memory: 128, stall: 30_000, ratio: 200 });
  const job = await engine.start(folder, AbortSignal.timeout(60_000), { program: 'parquet' });
  t.after(() => job.end());
  const dump = job.dump({
    kind: 'dump',
    data: { file: 'x.parquet', driver: '' },
    layer: undefined,
    heights: 'all',
  });
  let text = '';
  for (let next = await dump.next(); ; next = await dump.next()) {
    if (next.done && next.value.failed) throw new Error(next.value.errors.join());
    if (next.done) return text;
    text += String(next.value);
  }
}

const writerOf = (columns: SchemaElement[]): ParquetWriter =>
  new ParquetWriter({
    writer: new ByteWriter(),
    schema: [{ name: 'root', num_children: columns.length }, ...columns],
  });

const bytesOf = (file: ParquetWriter): Uint8Array => {
  file.finish();
  return (file.writer as ByteWriter).getBytes();
};

const texts: SchemaElement = {
  name: 'c',
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  repetition_type: 'OPTIONAL',
};

test('row groups follow each other, and one with fewer values than rows is refused', async (t) => {
  const file = writerOf([texts]);
  file.write({ columnData: [{ name: 'c', data: ['a', null, 'b', null] }], rowGroupSize: 3 });
  const rows = 'COPY "public"."rows" ("c") FROM STDIN;\na\n\\N\nb\n\\N\n\\.\n';
  assert.equal(await dumpOf(t, bytesOf(file)), rows);

  const lying = writerOf([texts]);
  lying.write({ columnData: [{ name: 'c', data: ['a', 'b'] }] });
  lying.num_rows = lying.row_groups[0]!.num_rows = 1_000_000n;
  await assert.rejects(dumpOf(t, bytesOf(lying)), /cut off or damaged/);
});

/** A row group of one row with pages that are written by hand: a dictionary of one number, and 2^31 - 1 numbers of no bits, which are all its first. */
function bomb(): Uint8Array {
  const file = writerOf([{ name: 'c', type: 'INT64', repetition_type: 'REQUIRED' }]);
  const pages = Buffer.from(
    '1504151015104c1502150000000700000000000000' + '1500150215022c15feffffff0f151015061506000000',
    'hex',
  );
  file.writer.appendBytes(pages);
  const size = BigInt(pages.length);
  const sizes = { total_uncompressed_size: size, total_compressed_size: size, data_page_offset: 4n };
  const column = { type: 'INT64', path_in_schema: ['c'], codec: 'UNCOMPRESSED', num_values: 1n, ...sizes };
  const columns = [{ file_offset: 4n, meta_data: { ...column, encodings: ['RLE_DICTIONARY'] } }];
  file.row_groups.push({ columns, total_byte_size: size, num_rows: 1n } as RowGroup);
  file.num_rows = 1n;
  return bytesOf(file);
}

test('a process that takes more memory than its limit is ended, however small its file is', {
  skip: process.platform !== 'linux',
}, async (t) => {
  await assert.rejects(dumpOf(t, bomb()), {
    code: 'import_failed',
    message: /more memory/,
    data: { limit: 'CARTULARY_CONVERTER_MEMORY' },
  });
});
