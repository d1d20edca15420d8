import { ServiceError } from '@cartulary/errors';

export const stopping = (): ServiceError => new ServiceError('busy', 'The service is stopping');

/** `detail`: Mapnik's message, for the log. */
export const notDrawn = (detail?: string): ServiceError =>
  Object.assign(new ServiceError('internal', 'The map could not be drawn'), { cause: detail });

export const tooSlow = (): ServiceError =>
  new ServiceError('timeout', 'Drawing the map took too long and was stopped');

const justChanged = (): ServiceError =>
  new ServiceError('busy', 'The map has just changed; try again', { retry_after: 1 });

/** The database reports a layer or column that was deleted after the plan; nothing else reads a missing one. */
const deletedMeanwhile = /\b(?:relation|column) .* does not exist/;

/** The error for a message of Mapnik. */
export function drawFailureOf(detail: string): ServiceError {
  if (deletedMeanwhile.test(detail)) return justChanged();
  return /canceling statement|has ended the database/.test(detail) ? tooSlow() : notDrawn(detail);
}
