/**
 * Environment of a process that serves: glibc returns large blocks to the system when they are freed (mallopt(3)). By default it raises
 * the threshold to the size of the largest block that was freed, and keeps up to 32 MiB for each thread: passwords are hashed in 19 MiB.
 * After a load of large bodies and failed sign-ins 85 MB less remain. Threads share two heaps, of which there would be up to 8 for each core.
 * It is read when a process starts, so `npm start` sets it, too.
 */
export const allocatorEnvironment = {
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '1048576',
  MALLOC_ARENA_MAX: '2',
} as const;
