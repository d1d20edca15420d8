import { randomBytes } from 'node:crypto';
import type { Database, Queryable } from '@cartulary/database';
import { sql } from '@cartulary/sql';
import type { Config } from '../../config.js';
import { hashPassword, verifyPassword } from '../sign-in/passwords.js';
import { createProject } from './projects.js';

/**
 * Creates the administrator `admin` and the project `demo` at the first start, and marks the project for the
 * demo world when the settings ask for it. It is safe to call this at every start and in two processes at
 * once. Deleted parts are not created again, and those that the command line tool created before stay as they
 * are. `say` receives a generated password once it is stored.
 */
export async function firstStart(db: Database, config: Config, say: (line: string) => void): Promise<void> {
  const [before] = await db.query(sql`select from cartulary.installation`);
  if (before) return;
  const generated = config.adminPassword ? undefined : randomBytes(12).toString('base64url');
  const hash = await hashPassword(config.adminPassword || generated!).catch((error: Error) => {
    throw new Error(`CARTULARY_ADMIN_PASSWORD: ${error.message}`, { cause: error });
  });
  const hasMadeAdmin = await db.transaction(async (tx) => {
    const [first] = await tx.query(
      sql`insert into cartulary.installation default values on conflict do nothing returning one`,
    );
    if (!first) return false;
    const isMade = await makeAdmin(tx, hash);
    await makeDemo(tx, config.demo);
    return isMade;
  });
  if (hasMadeAdmin && generated !== undefined)
    say(`The administrator is 'admin' with the password ${generated} (shown only this once)`);
}

/**
 * A warning when `CARTULARY_ADMIN_PASSWORD` is not the password of `admin`: after the first start the setting changes
 * nothing.
 */
export async function ignoredPassword(db: Queryable, { adminPassword }: Config): Promise<string | undefined> {
  if (!adminPassword) return undefined;
  const [admin] = await db.query<{ password_hash: string }>(
    sql`select password_hash from cartulary.account where login = 'admin' and project_id is null`,
  );
  if (admin && (await verifyPassword(admin.password_hash, adminPassword, 'start'))) return undefined;
  return [
    "CARTULARY_ADMIN_PASSWORD is ignored: it sets the password of 'admin' at the first start only, and",
    admin
      ? "the stored password is another. To set it: npx cartulary user passwd admin --admin --password '…'"
      : "that user was deleted. To make it again: npx cartulary user create admin --admin --password '…'",
  ].join(' ');
}

/** Whether the administrator was created. */
async function makeAdmin(tx: Queryable, passwordHash: string): Promise<boolean> {
  const made = await tx.query(sql`
    insert into cartulary.account (login, password_hash, name, public_access, gui_access)
    select 'admin', ${passwordHash}, 'Administrator', true, true
    where not exists (select from cartulary.account where login = 'admin') returning id`);
  return made.length > 0;
}

async function makeDemo(tx: Queryable, withWorld: boolean): Promise<void> {
  const [there] = await tx.query(sql`select from cartulary.project where code = 'demo'`);
  if (there) return;
  const { id } = await createProject(tx, { code: 'demo', name: 'Demo', languages: ['en', 'ru'] });
  if (withWorld) await tx.query(sql`update cartulary.project set demo = 'loading' where id = ${id}`);
}
