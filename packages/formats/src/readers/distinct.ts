/** Makes names distinct: repeated ones get a number. */
export function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let i = 2; taken.has(free); i++) free = `${name}_${i}`;
    taken.add(free);
    return free;
  });
}
