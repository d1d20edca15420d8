/** Groups items by key, in the order of the keys' first appearance. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** The minimum. Infinity without numbers. Unlike Math.min, it takes any count. */
export function minimum(numbers: Iterable<number>): number {
  let result = Number.POSITIVE_INFINITY;
  for (const number of numbers) if (number < result) result = number;
  return result;
}

/** The maximum. -Infinity without numbers. */
export function maximum(numbers: Iterable<number>): number {
  let result = Number.NEGATIVE_INFINITY;
  for (const number of numbers) if (number > result) result = number;
  return result;
}
