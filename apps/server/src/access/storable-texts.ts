import { badRequest } from '@cartulary/errors';

/** Whether the database can store a text: it has no NUL and no half of a surrogate pair. */
export const isStorable = (text: string): boolean => !/[\0\p{Surrogate}]/u.test(text);

/**
 * Checks texts by the names of their parameters. Throws 400 for a text that cannot be stored or is longer
 * than 1,000 characters.
 */
export function checkTexts(texts: Record<string, string | undefined>): void {
  for (const [name, text] of Object.entries(texts)) {
    if (text !== undefined && (text.length > 1000 || !isStorable(text)))
      throw badRequest(`${name} is too long or holds a character that cannot be stored`, {
        parameters: [name],
      });
  }
}
