export { insertPacked } from './bulk.js';
export {
  type Database,
  heavyReads,
  type LongReads,
  perDatabase,
  type Queryable,
  type ReadOptions,
  type StatementSlots,
  type Transaction,
} from './database.js';
export { makeEmbeddedArchive } from './embedded/archive.js';
export {
  type EmbeddedDatabase,
  findRunningEmbedded,
  prepareEmbedded,
  startEmbedded,
} from './embedded/embedded.js';
export {
  deletedMeanwhile,
  diskFullState,
  isDataError,
  isLostConnection,
  layerQueryFailed,
  sqlState,
  tooLongState,
  tooManyCrossingsState,
} from './failure.js';
export { lockDataFolder } from './lock.js';
export { dropTables } from './migrations/layer-tables.js';
export { migrate } from './migrations/migrate.js';
export { cachedReadConnections, openDatabase } from './pool.js';
export { becomeQueryRole, grantToQueryRole, leaveQueryRole, prepareQueryRole } from './query-role.js';
export { checkReachable, describeUnreachable } from './reach.js';
export type { Snapshot } from './snapshots/snapshot.js';
export { type ConnectionTarget, type Encryption, parseDatabaseUrl } from './target.js';
