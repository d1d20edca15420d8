import {
  type ConnectionTarget,
  describeUnreachable,
  diskFullState,
  isLostConnection,
  sqlState,
} from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { FullDisk, type Log, ofFullDisk } from '@cartulary/runtime';

/** Each kind of outage is logged once in this time, ms. */
const quietMs = 10_000;

/**
 * Logs what to check when a request fails because the database does not answer, its disk is full, or that of the data folder is. The
 * client receives no internal addresses and paths.
 */
export function outageLog(
  log: Log,
  { target, dataFolder }: { target: ConnectionTarget; dataFolder: string },
): (error: unknown) => void {
  const ofDatabase = onceInAWhile(log);
  const ofDisk = onceInAWhile(log);
  return (error) => {
    if (ofFullDisk(error) instanceof FullDisk)
      return ofDisk(
        () =>
          `The disk of the data folder ${dataFolder} has no room for a request. Free some space, or move the folder to a larger disk`,
      );
    const cause = error instanceof ServiceError && error.code === 'busy' ? error.cause : undefined;
    if (cause && (isLostConnection(cause) || sqlState(cause) === diskFullState))
      ofDatabase(() => describeUnreachable(error, target));
  };
}

function onceInAWhile(log: Log): (text: () => string) => void {
  let told = Number.NEGATIVE_INFINITY;
  return (text) => {
    if (performance.now() < told + quietMs) return;
    told = performance.now();
    log.error(text());
  };
}
