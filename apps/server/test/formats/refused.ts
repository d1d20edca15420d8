import assert from 'node:assert/strict';

/** Points with a text. */
export const collection = (count: number, note: string): string =>
  `{"type":"FeatureCollection","features":[${Array.from(
    { length: count },
    (_, i) =>
      `{"type":"Feature","geometry":{"type":"Point","coordinates":[${i % 180},${i % 90}]},"properties":{"note":"${note}"}}`,
  ).join(',')}]}`;

/** Fails unless an answer is this error without internals of the service. */
export async function refused(
  what: string,
  answer: { status: number; json: any; text: string },
  [status, code]: readonly [number, string],
  says: RegExp,
): Promise<void> {
  const message = answer.json?.message ?? answer.text;
  assert.equal(answer.status, status, `${what}: ${answer.text}`);
  if (answer.json) assert.equal(answer.json.code, code, what);
  else assert.ok(answer.text.includes(`<code>${code}</code>`), `${what}: ${answer.text}`);
  assert.match(message, says, what);
  assert.doesNotMatch(message, /\/tmp\/|\/job|select |at file:/, what);
}
