import { run } from '../stage.js';

/**
 * Inserts `count` points, spread evenly over a square of EPSG:3857 around the centre of the map, `density` per square
 * kilometre. A larger layer covers a larger square. Each point has a text and a unique number.
 */
export async function fillEvenly(
  database: string,
  layer: { table: string; text: string; number: string; count: number; density: number },
): Promise<void> {
  const { table, text: name, number, count, density } = layer;
  const side = 1000 * Math.sqrt(count / density);
  const text = `set synchronous_commit = off;
    select setseed(0.5);
    insert into ${table} (geom, ${name}, ${number})
      select st_transform(st_setsrid(st_makepoint((random() - 0.5) * ${side}, (random() - 0.5) * ${side}), 3857), 4326), 'Point ' || i, i * 7919::bigint % ${count}
      from generate_series(1, ${count}) i;
    vacuum analyze ${table};`;
  const psql = run('psql', [database, '-qX', '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null', '-f', '-']);
  psql.child.stdin!.end(text);
  await psql;
}
