import type { Queryable } from '@cartulary/database';
import { noteOf } from '@cartulary/errors/notes';
import type { Refusal } from '@cartulary/formats';
import { type Sql, sql } from '@cartulary/sql';
import type { Staging } from './staging.js';
import { missingValues, type Storing } from './storing.js';

/** Takes the rows out of the staging table that name an object which an earlier row names already. */
async function removeTwins(tx: Queryable, staging: Staging): Promise<Refusal[]> {
  const twins = await tx.query<{ n: number; id: number; first: number }>(sql`
    delete from ${staging} s using (
      select id, min(n) as first from ${staging} where id is not null group by id having count(*) > 1
    ) twin where s.id = twin.id and s.n > twin.first returning s.n, s.id, twin.first`);
  return twins.map(({ n, id, first }) => ({
    feature: n,
    code: 'import_failed',
    message: noteOf('ofFeature', { feature: n, reason: noteOf('idTwice', { id, first }) }),
  }));
}

/** Takes the rows out by which an object would be without a value that it must have. */
async function removeMissing(tx: Queryable, storing: Storing, isNew: Sql): Promise<Refusal[]> {
  const removed: Refusal[] = [];
  for (const { code, rows } of missingValues(storing, isNew)) {
    const found = await tx.query<{ n: number }>(
      sql`delete from ${storing.staging} gone where gone.n in (select s.n ${rows}) returning gone.n`,
    );
    for (const { n } of found) {
      const message = noteOf('ofFeature', {
        feature: n,
        reason: noteOf('mustHaveValue', { column: code }),
      });
      removed.push({ feature: n, code: 'required_missing', message });
    }
  }
  return removed;
}

/** Removes rows that cannot be stored from the staging table; gives the error of each. */
export async function removeUnstorable(tx: Queryable, storing: Storing, isNew: Sql): Promise<Refusal[]> {
  return [...(await removeTwins(tx, storing.staging)), ...(await removeMissing(tx, storing, isNew))];
}
