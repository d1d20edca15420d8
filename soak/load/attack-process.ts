import { randomOf } from '../random.js';
import { attacks, keepAttacking } from './attacks.js';

/**
 * A process of hostile clients, separate from the ordinary users, whose response times it must not affect. It answers any
 * message with the number of attacks by kind. It ends with its parent.
 */
const [url, token, seed, ...names] = process.argv.slice(2) as [string, string, string, ...string[]];
const counts: Record<string, number> = {};
process.once('disconnect', () => process.exit(0));
process.on('message', () => process.send!(counts));

const random = randomOf(Number(seed));
for (const [index, [name, { clients }]] of Object.entries(attacks).entries()) {
  if (!names.includes(name)) continue;
  counts[name] = 0;
  for (let client = 0; client < clients; client++) {
    // Each kind of attack has its own address.
    const from = `127.0.2.${index + 1}`;
    const attack = { url, token, from, random: randomOf(random.below(2 ** 32)) };
    void keepAttacking(name, attack, () => {
      counts[name]! += 1;
    });
  }
}
