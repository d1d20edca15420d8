import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parquetMetadata, parquetReadObjects, type SchemaElement } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { completeTypes, keepDigits, parquetLayer } from './parquet-schema.js';
import { rowText } from './parquet-text.js';

/** The type of a column in the dump, and its values as texts. */
async function column(
  element: Partial<SchemaElement>,
  data: unknown[],
  change = (_: SchemaElement): void => {},
): Promise<unknown[]> {
  const one = { name: 'v', repetition_type: 'OPTIONAL', ...element } as SchemaElement;
  const schema = [{ name: 'root', num_children: 1 }, one];
  const file = parquetWriteBuffer({ columnData: [{ name: 'v', data }], schema });
  const metadata = parquetMetadata(file);
  change(metadata.schema[1]!);
  completeTypes(metadata.schema);
  const parquet = parquetLayer(metadata, 'x', 'own');
  keepDigits(metadata.schema);
  const rows = await parquetReadObjects({ file, metadata, utf8: false });
  return [
    parquet.layer.fields[0]!.type,
    ...rows.map(({ v }) => rowText([v], parquet).toString().replace(/\n$/, '')),
  ];
}

test('texts of a closed list, and types told in the newer way only, are read as what they are', async () => {
  const list = { type: 'BYTE_ARRAY', converted_type: 'ENUM' } as const;
  assert.deepEqual(await column(list, ['лес', '', null]), ['String', 'лес', '', '\\N']);
  const onlyNew =
    (logical_type: object) =>
    (element: SchemaElement): void => {
      delete element.converted_type;
      delete element.scale;
      Object.assign(element, { logical_type });
    };
  assert.deepEqual(
    await column({ type: 'INT32', converted_type: 'DATE' }, [19_782], onlyNew({ type: 'DATE' })),
    ['Date', '2024-02-29'],
  );
  const decimal = { type: 'INT32', converted_type: 'DECIMAL', precision: 9, scale: 2 } as const;
  assert.deepEqual(await column(decimal, [5.25], onlyNew({ type: 'DECIMAL', precision: 9, scale: 2 })), [
    'Decimal',
    '5.25',
  ]);
});

test('decimals have the digits of the whole numbers that are stored', async () => {
  const decimal = { converted_type: 'DECIMAL', precision: 18, scale: 3 } as const;
  const stored = [123_456.789, -0.05, 0, -7, null];
  assert.deepEqual(await column({ type: 'INT64', ...decimal }, stored), [
    'Decimal',
    '123456.789',
    '-0.05',
    '0',
    '-7',
    '\\N',
  ]);
});

test('a number of digits after the point that no decimal has is refused', async () => {
  const decimal = { type: 'INT32', converted_type: 'DECIMAL', precision: 9, scale: 2 } as const;
  for (const scale of [-1, 2_000_000_000])
    await assert.rejects(
      column(decimal, [5.25], (element) => Object.assign(element, { scale })),
      /has -?\d+ digits after the point/,
    );
});

test('times of day are no plain numbers', async () => {
  const of = (unit: string): Partial<SchemaElement> => ({
    type: unit === 'MILLIS' ? 'INT32' : 'INT64',
    logical_type: { type: 'TIME', isAdjustedToUTC: false, unit } as SchemaElement['logical_type'],
  });
  assert.deepEqual(await column(of('MILLIS'), [45_296_000, 1, null]), [
    'Time',
    '12:34:56',
    '00:00:00.001',
    '\\N',
  ]);
  assert.deepEqual(await column(of('MICROS'), [45_296_123_456n]), ['Time', '12:34:56.123']);
  assert.deepEqual(await column(of('NANOS'), [86_399_999_999_999n]), ['Time', '23:59:59.999']);
  const older = { type: 'INT64', converted_type: 'TIME_MICROS' } as const;
  assert.deepEqual(await column(older, [45_296_000_000n]), ['Time', '12:34:56']);
});

test('the system of a type for geometries is named in several ways', () => {
  const utm = { type: 'ProjectedCRS', name: 'UTM', id: { authority: 'EPSG', code: 32636 } };
  const { id: _, ...own } = utm;
  for (const [crs, srs] of [
    [undefined, 'EPSG:4326'],
    ['OGC:CRS84', 'EPSG:4326'],
    ['EPSG:32636', 'EPSG:32636'],
    ['srid:32636', 'EPSG:32636'],
    ['srid:0', undefined],
    ['projjson:utm', 'EPSG:32636'],
    ['projjson:own', JSON.stringify(own)],
    [JSON.stringify(utm), 'EPSG:32636'],
  ] as const) {
    const file = parquetWriteBuffer({
      columnData: [{ name: 'shape', data: [new Uint8Array()] }],
      schema: [
        { name: 'root', num_children: 1 },
        { name: 'shape', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
      ],
      kvMetadata: Object.entries({ utm, own }).map(([key, value]) => ({ key, value: JSON.stringify(value) })),
    });
    const metadata = parquetMetadata(file);
    metadata.schema[1]!.logical_type = { type: 'GEOMETRY', ...(crs !== undefined ? { crs } : {}) };
    assert.equal(parquetLayer(metadata, 'x', 'own_columns').layer.srs, srs, crs);
  }
});
