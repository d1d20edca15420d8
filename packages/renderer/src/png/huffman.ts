/** How often a symbol occurs and which it is, in one word. */
const symbolBits = 9;

/**
 * Huffman code lengths in bits by symbol counts (below 2 ** 23), limited to `maxBits`; 0 for unused symbols. A single
 * symbol gets one bit.
 */
export function codeLengths(counts: Uint32Array, maxBits: number): Uint8Array {
  const rarest = rarestFirst(counts);
  const depths = depthsOf(rarest);
  const wanted = new Uint16Array(maxBits + 1);
  for (let i = 0; i < rarest.length; i++) wanted[Math.max(1, Math.min(depths[i]!, maxBits))]! += 1;
  fit(wanted, maxBits);
  const lengths = new Uint8Array(counts.length);
  for (let length = maxBits, next = 0; length > 0; length--)
    for (let i = wanted[length]!; i > 0; i--) lengths[rarest[next++]! & ((1 << symbolBits) - 1)] = length;
  return lengths;
}

/** The used symbols with their counts, rarest first. */
function rarestFirst(counts: Uint32Array): Uint32Array {
  const found = new Uint32Array(counts.length);
  let many = 0;
  for (let symbol = 0; symbol < counts.length; symbol++)
    if (counts[symbol]) found[many++] = (counts[symbol]! << symbolBits) | symbol;
  return found.subarray(0, many).sort();
}

/** Depth of each symbol in the Huffman tree. */
function depthsOf(rarest: Uint32Array): Uint16Array {
  const many = rarest.length;
  const weights = new Uint32Array(2 * many);
  const parents = new Uint16Array(2 * many);
  for (let i = 0; i < many; i++) weights[i] = rarest[i]! >>> symbolBits;
  let [symbol, joined] = [0, many];
  for (let node = many; node < 2 * many - 1; node++)
    for (let twice = 0; twice < 2; twice++) {
      const isSymbol = symbol < many && (joined >= node || weights[symbol]! <= weights[joined]!);
      const rarer = isSymbol ? symbol++ : joined++;
      weights[node]! += weights[rarer]!;
      parents[rarer] = node;
    }
  const depths = new Uint16Array(2 * many);
  for (let node = 2 * many - 3; node >= 0; node--) depths[node] = depths[parents[node]!]! + 1;
  return depths;
}

/**
 * Makes room for shortened codes until the lengths form a valid code: one longest and one shorter code become two that
 * are a bit longer than the shorter.
 */
function fit(wanted: Uint16Array, maxBits: number): void {
  let taken = 0;
  for (let length = 1; length <= maxBits; length++) taken += wanted[length]! << (maxBits - length);
  for (; taken > 1 << maxBits; taken--) {
    let shorter = maxBits - 1;
    while (!wanted[shorter]) shorter -= 1;
    wanted[maxBits]! -= 1;
    wanted[shorter]! -= 1;
    wanted[shorter + 1]! += 2;
  }
}

/** The canonical codes of lengths (RFC 1951, 3.2.2), with the first bit lowest. */
export function codesOf(lengths: Uint8Array): Uint16Array {
  const next = new Uint16Array(17);
  for (let symbol = 0; symbol < lengths.length; symbol++)
    if (lengths[symbol]) next[lengths[symbol]! + 1]! += 1;
  for (let length = 1; length < 17; length++) next[length] = (next[length]! + next[length - 1]!) << 1;
  const codes = new Uint16Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol]!;
    if (length) codes[symbol] = reversed(next[length]!++, length);
  }
  return codes;
}

/** The lowest `bits` bits in reverse order. */
export function reversed(code: number, bits: number): number {
  let turned = 0;
  for (let i = 0; i < bits; i++) turned |= ((code >> i) & 1) << (bits - 1 - i);
  return turned;
}
