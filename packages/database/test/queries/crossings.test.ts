import assert from 'node:assert/strict';
import test from 'node:test';
import { testDatabase } from '@cartulary/server/support/database.js';
import { sql } from '@cartulary/sql/internal/sql.js';

const { db, drop } = await testDatabase();
test.after(drop);

test('the estimate of crossings is not below what crosses', async () => {
  // 150 segments of many lengths, drawn by a formula that repeats nothing, and 100 others.
  const [found] = await db.query<{ known: number; estimate: number; own: number; estimateOfOwn: number }>(sql`
    with segment as (
      select k, st_makeline(st_makepoint(10 * sin(k * 1.3), 10 * cos(k * 2.1)),
        st_makepoint(10 * sin(k * 1.3) + 8 * sin(k * k * 0.7), 10 * cos(k * 2.1) + 8 * sin(k * 3.7))) as shape
      from generate_series(1, 250) k
    ), sides as (
      select st_collect(shape) filter (where k <= 150) as a, st_collect(shape) filter (where k > 150) as b from segment
    )
    select (select count(*) from segment s, segment t where s.k <= 150 and t.k > 150 and st_crosses(s.shape, t.shape)) as known,
      cartulary_queries.crossings(a, b, 1e9) as estimate,
      (select count(*) from segment s, segment t where s.k < t.k and t.k <= 150 and st_crosses(s.shape, t.shape)) as own,
      cartulary_queries.crossings(a, null, 1e9) as "estimateOfOwn"
    from sides`);
  const { known, estimate, own, estimateOfOwn } = found!;
  assert.ok(known > 300 && own > 300, `${known} and ${own} crossings`);
  assert.ok(estimate >= known, `${estimate} of ${known}`);
  assert.ok(estimateOfOwn >= own, `${estimateOfOwn} of ${own}`);
});

test('lines that lie beside each other are few crossings, lines upon each other are many', async () => {
  const [found] = await db.query<Record<string, number>>(sql`
    with wave as (
      select st_makeline(st_makepoint(k, sin(k * 0.01)) order by k) as a,
        st_makeline(st_makepoint(k, 0.001 + sin(k * 0.01)) order by k) as b,
        st_makeline(st_makepoint(0, k % 2) order by k) as stack
      from generate_series(1, 5000) k
    )
    select cartulary_queries.crossings(a, b, 1e9) as beside, cartulary_queries.crossings(a, null, 1e9) as alone,
      cartulary_queries.crossings(stack, null, 1e7) as stacked,
      cartulary_queries.crossings(a, st_translate(a, 0, 9), 1e9) as apart,
      cartulary_queries.crossings(a, 'linestring empty'::geometry, 1e9) as none
    from wave`);
  const { beside, alone, stacked, apart, none } = found!;
  assert.ok(beside! < 20 * 5000 && alone! < 20 * 5000, `${beside} and ${alone}`);
  assert.ok(stacked! > 1e7, `${stacked}`);
  assert.deepEqual([apart, none], [0, 0]);
});

test('bounded relations use the spatial index, also where their arguments are calculated', async () => {
  await db.transaction(async (tx) => {
    await tx.query(sql`create temp table place on commit drop as
      select st_setsrid(st_makepoint(k % 100, k / 100), 4326) as geom from generate_series(1, 10000) k`);
    await tx.query(sql`create index on place using gist (geom)`);
    await tx.query(sql`analyze place`);
    const conditions = [
      sql`cartulary_queries.st_intersects(a.geom, b.geom)`,
      sql`cartulary_queries.st_contains(a.geom, st_centroid(b.geom))`,
    ];
    for (const condition of conditions) {
      const plan = await tx.query<Record<string, string>>(
        sql`explain select count(*) from place a, place b where ${condition}`,
      );
      const text = plan.map((row) => Object.values(row)[0]).join('\n');
      assert.match(text, /Index Cond/, text);
    }
  });
});
