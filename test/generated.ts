import { sendGenerated } from './support/generated.js';

/** `npm run generated -- --count 20000 [--seed 1] [--seconds 600]`: generated requests in number, and what became of them. */
const option = (name: string, initial: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? initial : Number(process.argv[at + 1]);
};

const found = await sendGenerated(option('count', 20_000), option('seed', Date.now() % 1_000_000), {
  seconds: option('seconds', Number.POSITIVE_INFINITY),
});
console.log(`seed ${found.seed}, ${found.sent} answers`);
const byOperation = new Map<string, string[]>();
for (const [key, count] of [...found.counts].sort()) {
  const [operation, status] = key.split(' ') as [string, string];
  byOperation.set(operation, [...(byOperation.get(operation) ?? []), `${status}: ${count}`]);
}
for (const [operation, statuses] of byOperation)
  console.log(`  ${operation.padEnd(32)} ${statuses.join(', ')}`);
console.log('slowest:');
for (const { ms, request } of found.slowest) console.log(`  ${Math.round(ms)} ms ${request}`);
const [before, after] = found.memory;
console.log(`memory of the server: ${before} MiB before, ${after} MiB after, growth ${after - before} MiB`);
console.log(`problems: ${found.problems.length}`);
for (const problem of found.problems.slice(0, 40)) console.log(`  ${problem}`);
process.exitCode = found.problems.length ? 1 : 0;
