/** Objects that were deleted and made anew have other ids: the ids by which earlier changes know them lead to the present ones. */
export class IdAliases {
  readonly #next = new Map<number, number>();

  /** The present id of an object. */
  now = (id: number): number => {
    let present = id;
    for (let next = this.#next.get(id); next !== undefined; next = this.#next.get(next)) present = next;
    return present;
  };

  add(old: readonly number[], made: readonly number[]): void {
    for (const [i, id] of old.entries()) this.#next.set(id, made[i]!);
  }
}
