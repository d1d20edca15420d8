/** An address in the memory of WebAssembly. */
export type Pointer = number;

/** Functions of the module that write into its memory. */
export interface Memory {
  _malloc(bytes: number): Pointer;
  _free(pointer: Pointer): void;
  HEAPU8: Uint8Array;
  setValue(pointer: Pointer, value: number, type: string): void;
}

/** Calls a function with a list of texts in C form: a null-terminated array of pointers. */
export function withTextList<T>(memory: Memory, texts: readonly string[], work: (list: Pointer) => T): T {
  const copies = texts.map((text) => {
    const bytes = Buffer.from(`${text}\0`);
    const copy = memory._malloc(bytes.length);
    memory.HEAPU8.set(bytes, copy);
    return copy;
  });
  try {
    return withPointers(memory, [...copies, 0], work);
  } finally {
    for (const copy of copies) memory._free(copy);
  }
}

export function withPointers<T>(memory: Memory, values: readonly number[], work: (list: Pointer) => T): T {
  const list = memory._malloc(4 * values.length);
  for (const [i, value] of values.entries()) memory.setValue(list + 4 * i, value, '*');
  try {
    return work(list);
  } finally {
    memory._free(list);
  }
}
