import { ServiceError } from '@cartulary/errors';
import { ident, sql } from '@cartulary/sql';
import type { Database, Transaction } from './database.js';
import { sqlState } from './failure.js';

/**
 * Role that owns the views of virtual layers. A read of such a view has the rights of this role: to read the layers that queries
 * name, and nothing else. It cannot log in.
 */
export const queryRole = 'cartulary_query';
const role = ident(queryRole);

/**
 * Creates the role if it is missing and the service may create it. Otherwise gives a sentence for the operator: until an administrator
 * of the database has followed it, no query can be saved.
 */
export async function prepareQueryRole(db: Database): Promise<string | undefined> {
  for (const step of [takeRole, makeRole, joinRole]) {
    try {
      await db.transaction(step);
    } catch (error) {
      if (!(error instanceof RoleMissing) && !isRefusal(error)) throw error;
    }
    if (!(await isUsable(db))) continue;
    await db.transaction(adoptViews);
    return undefined;
  }
  return `Virtual and materialized layers cannot be saved: the service may not make the database role ${queryRole}. An administrator of the database runs: create role ${queryRole} nologin; grant ${queryRole} to the user of the service`;
}

/** Changes the owner of views that belong to another role, as after a restore without owners, and grants what they read. */
async function adoptViews(tx: Transaction): Promise<void> {
  const views = await tx.query<{ name: string; sources: number[] }>(sql`
    select v.relname as name, array(select s.source_id from cartulary.layer_source s
        where 'layer_' || s.layer_id = v.relname and s.direct) as sources
    from pg_class v where v.relkind = 'v' and v.relnamespace = 'cartulary_data'::regnamespace
      and v.relowner <> ${queryRole}::text::regrole and pg_has_role(v.relowner, 'usage')`);
  for (const { name, sources } of views) {
    for (const id of sources) await grantToQueryRole(tx, ['cartulary_data', `layer_${id}`]);
    const view = ident('cartulary_data', name);
    await tx.query(sql`alter view ${view} owner to ${role}`);
    await tx.query(sql`set local role ${role}`);
    await tx.query(sql`grant select on ${view} to session_user`);
    await tx.query(sql`set local role none`);
  }
}

class RoleMissing extends Error {}

/** Insufficient privilege, a role that exists or does not (also by a concurrent change), a membership that is refused. */
const isRefusal = (error: unknown): boolean =>
  ['42501', '42710', '23505', '42704', '22023', '0LP01', 'XX000'].includes(sqlState(error) ?? '');

async function takeRole(tx: Transaction): Promise<void> {
  await tx.query(sql`set local role ${role}`);
  await tx.query(sql`set local role none`);
  const [can] = await tx.query<{ it: boolean }>(
    sql`select has_schema_privilege(${queryRole}::text, 'cartulary_data', 'usage, create') as it`,
  );
  if (!can?.it) await tx.query(sql`grant usage, create on schema cartulary_data to ${role}`);
}

async function makeRole(tx: Transaction): Promise<void> {
  await tx.query(sql`create role ${role} nologin noinherit`);
}

async function joinRole(tx: Transaction): Promise<void> {
  const [found] = await tx.query(sql`select from pg_roles where rolname = ${queryRole}`);
  if (!found) throw new RoleMissing();
  await tx.query(sql`grant ${role} to current_user`);
}

/** Whether a query can be saved now. */
async function isUsable(db: Database): Promise<boolean> {
  try {
    await db.transaction(takeRole);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/**
 * Makes all later statements of the transaction, or of its savepoint, run as the role of queries. Functions of `cartulary_queries`
 * replace those of PostGIS and of PostgreSQL there.
 */
export async function becomeQueryRole(tx: Transaction): Promise<void> {
  try {
    await tx.query(sql`set local role ${role}`);
    await tx.query(
      sql`select set_config('search_path', 'cartulary_queries, pg_catalog, ' || current_setting('search_path'), true)`,
    );
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const message = `The service cannot run queries: the database lacks the role ${queryRole}, or the service may not use it`;
    throw Object.assign(new ServiceError('query_invalid', message, { role: queryRole }), { cause: error });
  }
}

/** Undoes `becomeQueryRole`. */
export async function leaveQueryRole(tx: Transaction): Promise<void> {
  await tx.query(sql`set local role none`);
  await tx.query(sql`set local search_path to default`);
}

/** Grants the role of queries to read a table of objects. */
export async function grantToQueryRole(
  tx: Transaction,
  table: readonly [schema: string, name: string],
): Promise<void> {
  const [can] = await tx.query<{ it: boolean }>(sql`
    select case when to_regrole(${queryRole}) is null then null
      else has_table_privilege(${queryRole}::text, ${table.join('.')}::text, 'select') end as it`);
  if (can?.it === false) await tx.query(sql`grant select on ${ident(...table)} to ${role}`);
}
