import { fromMercator, tileExtent } from '@cartulary/geo';
import { run } from '../stage.js';
import type { Tile } from './tiles.js';

/** West, south, east, north in degrees. */
export type Box = readonly [number, number, number, number];

export function boxOf({ z, x, y }: Tile): Box {
  const [west, south, east, north] = tileExtent(z, x, y);
  return [...fromMercator(west, south), ...fromMercator(east, north)];
}

/** Stores boxes in a table `bench.<name>` with `i` (from 1) and `box` (EPSG:4326), from which pgbench selects at random. */
export const storePlaces = (database: string, name: string, boxes: readonly Box[]): Promise<void> =>
  store(
    database,
    { name, columns: 'box geometry' },
    boxes.map((box) => `st_makeenvelope(${box.join(', ')}, 4326)`),
  );

/** Stores the numeric values of statements in a table `bench.<name>` with `i` and the array `v`. */
export const storeValues = (
  database: string,
  name: string,
  values: readonly (readonly unknown[])[],
): Promise<void> =>
  store(
    database,
    { name, columns: 'v numeric[]' },
    values.map(
      (list) =>
        `array[${list.map((value) => (typeof value === 'number' ? value : 'null')).join(', ')}]::numeric[]`,
    ),
  );

async function store(
  database: string,
  { name, columns }: { name: string; columns: string },
  rows: readonly string[],
): Promise<void> {
  const text = `create schema if not exists bench;
    drop table if exists bench.${name};
    create table bench.${name} (i integer primary key, ${columns});
    insert into bench.${name} values ${rows.map((row, i) => `(${i + 1}, ${row})`).join(',\n')};
    analyze bench.${name};`;
  const psql = run('psql', [database, '-qX', '-v', 'ON_ERROR_STOP=1', '-f', '-']);
  psql.child.stdin!.end(text);
  await psql;
}
