import { isDeepStrictEqual } from 'node:util';
import { type Answer, Client, type Target } from './client.js';

type Case = (client: Client) => Promise<void>;
export interface Rule {
  name: string;
  run: Case;
}
export interface Result {
  rule: string;
  result: 'pass' | 'fail';
  detail: string;
}

export const rules: Rule[] = [];

/** Adds a rule of the interface. Its name is `section / name`. */
export function rule(section: string, name: string, run: Case): void {
  rules.push({ name: `${section} / ${name}`, run });
}

export function equal(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}

/** Checks the status and the form of its body: HTML below 500, the error object for 500. */
export function status(answer: Answer, expected: number): void {
  equal(answer.status, expected, 'status');
  if (expected >= 400 && expected < 500) equal(answer.type.includes('html'), true, `${expected} is HTML`);
  if (expected !== 500) return;
  for (const key of ['error', 'code', 'message'])
    equal(typeof answer.json?.[key], 'string', `type of ${key}`);
  equal(typeof answer.json.data, 'object', 'type of data');
}

export function has(value: unknown, keys: string): void {
  const missing = keys.split(' ').filter((key) => !Object.hasOwn(Object(value), key));
  equal(missing, [], 'missing fields');
}

/** Time limit of one rule, ms, for a busy server. */
const caseLimit = 60_000;

async function judge(rule: Rule, target: Target, stop: AbortSignal): Promise<Result> {
  const client = new Client(target, AbortSignal.any([stop, AbortSignal.timeout(caseLimit)]));
  const problems: string[] = [];
  const note = (error: unknown) => problems.push(error instanceof Error ? error.message : String(error));
  await rule.run(client).catch(note);
  await client.clean().catch(note);
  return { rule: rule.name, result: problems.length ? 'fail' : 'pass', detail: problems.join('; ') };
}

/** Runs rules, `concurrency` at a time; after `stop` no further rule starts, and running rules clean up. */
export async function runRules(
  chosen: Rule[],
  target: Target,
  { concurrency, stop }: { concurrency: number; stop: AbortSignal },
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = [...chosen.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next && !stop.aborted; next = waiting.shift())
      results[next[0]] = await judge(next[1], target, stop);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return results.filter(Boolean);
}
