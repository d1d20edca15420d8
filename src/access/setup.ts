import { randomBytes } from 'node:crypto';
import type { Config } from '../config.js';
import type { Database } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { hashPassword } from './passwords.js';
import { createProject } from './projects.js';

/**
 * What the very first start makes: the administrator `admin` and the project `demo`, which is marked for the demo
 * world when that is asked for. Safe to call at every start and by two processes at once; what was deleted later is not made again.
 */
export async function firstStart(db: Database, config: Config): Promise<{ adminPassword?: string }> {
  const [before] = await db.query(sql`select from cartulary.installation`);
  if (before) return {};
  const generated = config.adminPassword ? undefined : randomBytes(12).toString('base64url');
  const hash = await hashPassword(config.adminPassword || generated!);
  return db.transaction(async (tx) => {
    const [first] = await tx.query(
      sql`insert into cartulary.installation default values on conflict do nothing returning one`,
    );
    if (!first) return {};
    await tx.query(sql`
      insert into cartulary.account (login, password_hash, name, public_access, gui_access) values ('admin', ${hash}, 'Administrator', true, true)`);
    const project = await createProject(tx, { code: 'demo', name: 'Demo', languages: ['en', 'ru'] });
    if (config.demo)
      await tx.query(sql`update cartulary.project set demo = 'loading' where id = ${project.id}`);
    return generated === undefined ? {} : { adminPassword: generated };
  });
}
