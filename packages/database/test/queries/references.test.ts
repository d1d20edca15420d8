import assert from 'node:assert/strict';
import test from 'node:test';
import { testDatabase } from '@cartulary/server/support/database.js';
import { sql } from '@cartulary/sql/internal/sql.js';

const { db, drop } = await testDatabase();
test.after(drop);

test('what refers to rows of which there are many has an index, or deleting them reads whole tables', async () => {
  // Projects are few, and seldom deleted.
  const without = await db.query<{ reference: string }>(sql`
    select c.conrelid::regclass || '.' || a.attname as reference
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.connamespace = 'cartulary'::regnamespace
      and c.confrelid <> 'cartulary.project'::regclass
      and not exists (
        select from pg_index i
        where i.indrelid = c.conrelid and i.indkey[0] = a.attnum
          and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) ~* '^\\(\\w+ IS NOT NULL\\)$'))
    order by 1`);
  assert.deepEqual(without, []);
});
