/** The items in groups of equal keys, in the order in which the keys were met. */
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

/** The least number; Infinity of none. */
export function least(numbers: Iterable<number>): number {
  let result = Number.POSITIVE_INFINITY;
  for (const number of numbers) if (number < result) result = number;
  return result;
}

/** The greatest number; -Infinity of none. */
export function greatest(numbers: Iterable<number>): number {
  let result = Number.NEGATIVE_INFINITY;
  for (const number of numbers) if (number > result) result = number;
  return result;
}
