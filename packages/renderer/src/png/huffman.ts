/** How often a symbol occurs and which it is, in one word. */
const symbolBits = 9;

/**
 * Bits of the code of each symbol by how often it occurs (below 2 ** 23), 0 where it does not: Huffman's code, but none is longer than
 * `longest`.  A code alone has one bit.
 */
export function codeLengths(counts: Uint32Array, longest: number): Uint8Array {
  const rarest = rarestFirst(counts);
  const depths = depthsOf(rarest);
  const wanted = new Uint16Array(longest + 1);
  for (let i = 0; i < rarest.length; i++) wanted[Math.max(1, Math.min(depths[i]!, longest))]! += 1;
  fit(wanted, longest);
  const lengths = new Uint8Array(counts.length);
  for (let length = longest, next = 0; length > 0; length--)
    for (let i = wanted[length]!; i > 0; i--) lengths[rarest[next++]! & ((1 << symbolBits) - 1)] = length;
  return lengths;
}

/** Those that occur. */
function rarestFirst(counts: Uint32Array): Uint32Array {
  const found = new Uint32Array(counts.length);
  let many = 0;
  for (let symbol = 0; symbol < counts.length; symbol++)
    if (counts[symbol]) found[many++] = (counts[symbol]! << symbolBits) | symbol;
  return found.subarray(0, many).sort();
}

/** How deep each lies in the tree that grows when again and again the two rarest are joined. */
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

/** Makes room for codes that were cut off: one of the longest, and one that is shorter, become two a bit longer than that, until all fit. */
function fit(wanted: Uint16Array, longest: number): void {
  let taken = 0;
  for (let length = 1; length <= longest; length++) taken += wanted[length]! << (longest - length);
  for (; taken > 1 << longest; taken--) {
    let shorter = longest - 1;
    while (!wanted[shorter]) shorter -= 1;
    wanted[longest]! -= 1;
    wanted[shorter]! -= 1;
    wanted[shorter + 1]! += 2;
  }
}

/** The codes of these lengths as deflate writes them (RFC 1951, 3.2.2): the first bit is the lowest. */
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

/** So many bits, the last first. */
export function reversed(code: number, bits: number): number {
  let turned = 0;
  for (let i = 0; i < bits; i++) turned |= ((code >> i) & 1) << (bits - 1 - i);
  return turned;
}
