import type { Extension } from '@electric-sql/pglite';

/**
 * Lines of PostgreSQL's log that show an inconsistent state: a statement was interrupted half-way, or memory was overwritten. Texts of
 * users cannot match, since PostgreSQL indents their lines.
 */
const sign =
  /^\S+ \S+ \S+ \[\d+\] (?:PANIC: |FATAL: |WARNING: +(?:snapshot \S+ still active|registered snapshots seem|resource was not closed|(?:local )?buffer refcount leak|\w+: unexpected state|\w+ while in \w+ state|you don't own a lock|problem in alloc set)|ERROR: +(?:pfree called|repalloc called|could not find block|\S+ \S+ is not owned by resource owner|hash table "[^"]*" corrupted|\w+: unexpected state))/;

/** Calls `found` with lines of PostgreSQL's log that show damage. */
export const damageSigns = (found: (line: string) => void): Extension => ({
  name: 'damage-signs',
  setup: async (_pg, emscriptenOpts) => {
    const printErr = (line: string): void => {
      if (sign.test(line)) found(line);
    };
    return { emscriptenOpts: { ...emscriptenOpts, printErr } };
  },
});
