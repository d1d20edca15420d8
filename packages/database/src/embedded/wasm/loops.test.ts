import assert from 'node:assert/strict';
import test from 'node:test';
import { withInterruptsInLoops } from './loops.js';

/**
 * Imports memory, `GOT.mem.InterruptPending` and `env.ProcessInterrupts`; its function `count` counts to its argument in a loop that
 * calls another function, and returns it.
 */
const counting = Buffer.from(
  'AGFzbQEAAAABCQJgAABgAX8BfwJDAwNlbnYGbWVtb3J5AgABB0dPVC5tZW0QSW50ZXJydXB0UGVuZGluZwN/AQNlbnYRUHJvY2Vzc0ludGVycnVwdHMAAAMDAgABBwkBBWNvdW50AAIKHAICAAsXAQF/A0AQASABQQFqIgEgAEkNAAsgAQs=',
  'base64',
);

interface Counting {
  exports: { count(end: number): number };
}
interface Wasm {
  Memory: new (limits: { initial: number }) => { buffer: ArrayBuffer };
  Global: new (type: { value: string; mutable: boolean }, value: number) => object;
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: Counting }>;
}
const wasm = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;

const flagAddress = 64;

async function counterOf(bytes: Uint8Array, isPending: boolean): Promise<Counting['exports']> {
  const memory = new wasm.Memory({ initial: 1 });
  new Int32Array(memory.buffer)[flagAddress / 4] = Number(isPending);
  const stop = (): never => {
    throw new Error('stopped');
  };
  const InterruptPending = new wasm.Global({ value: 'i32', mutable: true }, flagAddress);
  const imports = { env: { memory, ProcessInterrupts: stop }, 'GOT.mem': { InterruptPending } };
  return (await wasm.instantiate(bytes, imports)).instance.exports;
}

test('chosen functions stop in a loop when an interrupt is pending, and count on otherwise', async () => {
  const changed = withInterruptsInLoops(counting, (name) => name === 'count');
  const pending = await counterOf(changed, true);
  assert.throws(() => pending.count(1_000), /stopped/);
  assert.equal((await counterOf(changed, false)).count(1_000), 1_000);
  const other = withInterruptsInLoops(counting, (name) => name === 'other');
  assert.equal((await counterOf(other, true)).count(1_000), 1_000);
});

test('a module without what a check needs, or with unknown instructions, is refused', () => {
  const renamed = Buffer.from(counting);
  renamed.write('Q', renamed.indexOf('ProcessInterrupts'));
  assert.throws(() => withInterruptsInLoops(renamed, () => true), /ProcessInterrupts/);
  const strange = Buffer.from(counting);
  strange[strange.lastIndexOf(0x49)] = 0xfd;
  assert.throws(() => withInterruptsInLoops(strange, () => true), /instruction/);
});
