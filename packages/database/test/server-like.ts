/**
 * Holds a data folder as the server does and writes into its database without end. It prints a line for each write
 * that the database has acknowledged: `single 7`, `pair 8`.
 */

import { writeSync } from 'node:fs';
import { ServiceError } from '@cartulary/errors/internal/errors.js';
import { sql } from '@cartulary/sql/internal/sql.js';
import { startEmbedded } from '../src/embedded/embedded.js';
import { lockDataFolder } from '../src/lock.js';
import { openDatabase } from '../src/pool.js';

const [dataFolder, first] = process.argv.slice(2) as [string, string];
const say = (line: string): void => void writeSync(1, `${line}\n`);

await lockDataFolder(dataFolder);
say('locked');
const database = await startEmbedded({ dataFolder, log: { info() {}, warn: say, error() {} } });
say(`ready ${database.pid()}`);
const db = openDatabase(database.target, 'embedded', { maxConnections: 4 });
await db.transaction(async (tx) => {
  await tx.query(sql`create table if not exists single (id int primary key, text text)`);
  await tx.query(sql`create table if not exists pair (id int, half int, text text, primary key (id, half))`);
});
say('writing');

let next = Number(first);
async function write(): Promise<never> {
  for (;;) {
    const id = next++;
    const text = 'x'.repeat((id * 31) % 3_000);
    const kind = id % 2 ? 'single' : 'pair';
    try {
      await db.transaction(async (tx) => {
        if (kind === 'single') return tx.query(sql`insert into single values (${id}, ${text})`);
        await tx.query(sql`insert into pair values (${id}, 1, ${text})`);
        return tx.query(sql`insert into pair values (${id}, 2, ${text})`);
      });
      say(`${kind} ${id}`);
    } catch (error) {
      // While the database starts again.
      if (!(error instanceof ServiceError)) throw error;
    }
  }
}
await Promise.all([write(), write(), write()]);
