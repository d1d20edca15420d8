import { randomOf } from '../random.js';
import { attacks, keepAttacking } from './attacks.js';

/**
 * A process of hostile clients, apart from the ordinary users, whose times it must not touch. Any message is answered with how often
 * each kind was done. Ends with its parent.
 */
const [url, token, seed] = process.argv.slice(2) as [string, string, string];
const counts: Record<string, number> = {};
process.once('disconnect', () => process.exit(0));
process.on('message', () => process.send!(counts));

const random = randomOf(Number(seed));
for (const [index, [name, { clients }]] of Object.entries(attacks).entries()) {
  counts[name] = 0;
  for (let client = 0; client < clients; client++) {
    // One kind, one address.
    const from = `127.0.2.${index + 1}`;
    const attack = { url, token, from, random: randomOf(random.below(2 ** 32)) };
    void keepAttacking(name, attack, () => {
      counts[name]! += 1;
    });
  }
}
