import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { SchemaElement } from 'hyparquet';
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
