import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import type { Caller } from './caller.js';
import { publicCaller } from './public-caller.js';

interface AccountRow {
  id: number;
  languages: string[];
  account: { id: number; login: string; name: string };
  groups: number[] | null;
  isPublic: boolean;
  isInstaller: boolean;
}

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
  const [row] = await db.query<AccountRow>(sql`
    select p.id, p.languages, json_build_object('id', a.id, 'login', a.login, 'name', a.name) as account,
      (select array_agg(group_id) from cartulary.membership where account_id = a.id) as groups,
      a.public_access as "isPublic", a.project_id is null as "isInstaller"
    from cartulary.project p join cartulary.account a on a.id = ${account} and coalesce(a.project_id, p.id) = p.id
    where p.code = ${projectCode}`);
  if (!row) throw new ServiceError('not_authenticated', 'The account is no longer there');
  return {
    project: { id: row.id, code: projectCode, languages: row.languages },
    account: row.account,
    groupIds: row.groups ?? [],
    isPublic: row.isPublic,
    isInstaller: row.isInstaller,
    session: null,
  };
}
