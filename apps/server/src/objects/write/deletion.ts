import { badRequest, requiredMissing } from '@cartulary/errors';

/** Most ids of one list. */
const listLimit = 100_000;

/** Parses `delete_params`: `1;2;3` or `5-10`, both ends included. Throws 400, `required_missing`. */
export function parseDeletion(value: unknown): number[] | { first: number; last: number } {
  if (value === undefined || value === null) throw requiredMissing('delete_params');
  if (typeof value !== 'string') throw wrong('must be a text');
  const range = /^\s*(\d{1,16})\s*-\s*(\d{1,16})\s*$/.exec(value);
  if (range) {
    const [first, last] = [idOf(range[1]!), idOf(range[2]!)];
    if (first > last) throw wrong('the first id is greater than the last');
    return { first, last };
  }
  const parts = value.replace(/;\s*$/, '').split(';');
  if (parts.length > listLimit) throw wrong(`more than ${listLimit} ids`);
  return parts.map(idOf);
}

const wrong = (why: string) => badRequest(`delete_params: ${why}`, { parameters: ['delete_params'] });

function idOf(text: string): number {
  const id = /^\s*\d{1,16}\s*$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw wrong('must be ids separated by semicolons, or first-last');
  return id;
}
