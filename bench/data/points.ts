import { run } from '../stage.js';

/**
 * Fills a layer's table with points by one statement of the database: `count` of them spread evenly over a square of
 * EPSG:3857 around the middle of the map, `density` to a square kilometre of it. A larger layer is a wider one. Each has a text in one
 * column, and a number of its own in another.
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
