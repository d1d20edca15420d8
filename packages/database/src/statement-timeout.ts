/** `statement_timeout` in statements and settings: the embedded engine does not enforce it, so the service does. Pure. */

export interface TimeoutChange {
  /** It ends with the transaction. */
  isLocal: boolean;
  /** ms, 0: none; undefined: back to the default. */
  ms: number | undefined;
}

/** Change by a statement such as `set local statement_timeout = '5s'`; undefined for other statements. */
export function timeoutSetBy(text: string): TimeoutChange | undefined {
  const [, scope, value] =
    /^\s*set\s+(?:(local|session)\s+)?statement_timeout\s*(?:=|\bto\b)\s*('[^']*'|\w+)/i.exec(text) ?? [];
  if (value === undefined) return undefined;
  return { isLocal: scope?.toLowerCase() === 'local', ms: timeoutOf(value.replaceAll("'", '')) };
}

const units: Record<string, number> = {
  '': 1,
  ms: 1,
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `5000`, `5s`, `1min` in ms; undefined for `default` and unknown forms. */
export function timeoutOf(text: string | undefined): number | undefined {
  const [, number, unit] = /^\s*(\d+)\s*([a-z]*)\s*$/.exec(text ?? '') ?? [];
  const factor = units[unit ?? ''];
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}
