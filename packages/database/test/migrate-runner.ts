/** Migrates the database that its argument names, and prints what was applied. */
import { migrate } from '../src/migrations/migrate.js';
import { openDatabase } from '../src/pool.js';

const { target, engine } = JSON.parse(process.argv[2]!);
const db = openDatabase(target, engine);
process.stdout.write(JSON.stringify(await migrate(db)));
await db.close();
