import { type ErrorCode, ServiceError } from '@cartulary/errors';

/** A failure that is printed as a sentence, with advice where there is any. */
export class CommandFailure extends Error {
  constructor(
    message: string,
    /** Advice for the user. */
    readonly hint = '',
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** An error response of a service. */
export class ServerRefusal extends CommandFailure {
  constructor(
    readonly status: number,
    /** A code of the catalogue; a service of another version may send others. */
    readonly code: ErrorCode | string,
    message: string,
    readonly data: Record<string, unknown> = {},
    hint = '',
  ) {
    super(message, hint);
  }
}

/** Exit status of a command that Ctrl-C ended, as in shells. */
export const interrupted = 130;

/**
 * The message of an error for the operator; for a failed connection to the database with the error of the
 * system.
 */
export function describeError(error: Error): string {
  if (!(error instanceof ServiceError) || !(error.cause instanceof Error)) return error.message;
  const { message, code } = error.cause as NodeJS.ErrnoException;
  return `the database does not answer (${message || code || error.message})`;
}
