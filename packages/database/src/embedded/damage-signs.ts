import type { Extension } from '@electric-sql/pglite';

/**
 * What PostgreSQL writes to its log when it finds its own state other than it left it: a statement was broken off half-way, or memory was
 * overwritten. A text of somebody else cannot stand there: its lines are indented.
 */
const sign =
  /^\S+ \S+ \S+ \[\d+\] (?:PANIC: |FATAL: |WARNING: +(?:snapshot \S+ still active|registered snapshots seem|resource was not closed|(?:local )?buffer refcount leak|\w+: unexpected state|\w+ while in \w+ state|you don't own a lock|problem in alloc set)|ERROR: +(?:pfree called|repalloc called|could not find block|\S+ \S+ is not owned by resource owner|hash table "[^"]*" corrupted|\w+: unexpected state))/;

/** Tells of the lines of PostgreSQL's log that show damage. */
export const damageSigns = (found: (line: string) => void): Extension => ({
  name: 'damage-signs',
  setup: async (_pg, emscriptenOpts) => {
    const printErr = (line: string): void => {
      if (sign.test(line)) found(line);
    };
    return { emscriptenOpts: { ...emscriptenOpts, printErr } };
  },
});
