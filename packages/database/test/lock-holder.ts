/** Takes a data folder, says so, and holds it until it is killed or its input ends. */
import { lockDataFolder } from '../src/lock.js';

try {
  const lock = await lockDataFolder(process.argv[2]!);
  process.stdout.write('held\n');
  if (process.argv[3] === 'busy') for (;;);
  process.stdin.resume();
  process.stdin.on('end', () => void lock.release());
} catch (error) {
  process.stdout.write(`refused: ${(error as Error).message}\n`);
}
