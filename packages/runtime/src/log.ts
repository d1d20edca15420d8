/** Writes a line: details, and a sentence. */
interface WriteLine {
  (details: object, message?: string): void;
  (message: string): void;
}

/** Reports to the operator. */
export type Log = Record<'debug' | 'info' | 'warn' | 'error', WriteLine>;
