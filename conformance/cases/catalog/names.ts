import type { Answer, Client } from '../../client.js';
import { equal, rule } from '../../rules.js';

/** A JSON object. */
export type Body = Record<string, unknown>;

/** Whether `actual` has these members with these values, among others. */
export function holds(actual: Body | undefined, expected: Body): void {
  const found = Object.fromEntries(Object.keys(expected).map((key) => [key, actual?.[key]]));
  equal(found, expected, 'fields');
}

/** A rule per row: the target of a request, its body, the status of the answer. */
export function refuses(
  section: string,
  rows: readonly (readonly [name: string, expected: number, ask: (c: Client) => Promise<Answer>])[],
): void {
  for (const [name, expected, ask] of rows)
    rule(section, name, async (c) => {
      const answer = await ask(c);
      equal(answer.status, expected, 'status');
      equal(
        answer.type.includes(expected < 500 ? 'html' : 'json'),
        true,
        `form of a ${expected} (${answer.type})`,
      );
    });
}
