import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import { type AccountRow, accountUser, type Caller } from './caller.js';
import { publicCaller } from './public-caller.js';

/**
 * The caller of an account without a session, for work that continues after its request. null stands for the
 * public user. Throws `project_not_found`, and 401 when the account was deleted.
 */
export async function accountCaller(
  db: Database,
  projectCode: string,
  account: number | null,
): Promise<Caller> {
  if (account === null) return publicCaller(db, projectCode, await db.snapshot());
  const [row] = await db.query<AccountRow & { id: number; languages: string[] }>(sql`
    select p.id, p.languages, to_jsonb(a) - 'password_hash' as account,
      (select array_agg(group_id) from cartulary.membership where account_id = a.id) as groups
    from cartulary.project p join cartulary.account a on a.id = ${account} and coalesce(a.project_id, p.id) = p.id
    where p.code = ${projectCode}`);
  if (!row) throw new ServiceError('not_authenticated', 'The account is no longer there');
  const { id, languages } = row;
  return accountUser({ id, code: projectCode, languages }, row, null);
}
