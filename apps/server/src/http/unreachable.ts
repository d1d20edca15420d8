import {
  type ConnectionTarget,
  describeUnreachable,
  diskFullState,
  isLostConnection,
  sqlState,
} from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import type { Log } from '@cartulary/runtime';

/** Failures of the database are logged once in this time, ms. */
const quietMs = 10_000;

/**
 * Logs the address of the database, the failure and what to check when a request fails because the database
 * does not answer, or its disk is full. The client receives no internal addresses.
 */
export function unreachableLog(log: Log, target: ConnectionTarget): (error: unknown) => void {
  let told = Number.NEGATIVE_INFINITY;
  return (error) => {
    const cause = error instanceof ServiceError && error.code === 'busy' ? error.cause : undefined;
    const isOfDatabase = cause && (isLostConnection(cause) || sqlState(cause) === diskFullState);
    if (!isOfDatabase || performance.now() < told + quietMs) return;
    told = performance.now();
    log.error(describeUnreachable(error, target));
  };
}
