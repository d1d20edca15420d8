import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadTrim } from './allocator.js';

/**
 * Growth of the heap between two full collections, percent. V8 counts buffers that came since the last one, too, so with a small heap
 * (40 MB here) 25 MB of file chunks and rows started the next: nine in an import of 20 MB, which took twice the processor time.
 */
const growthPercent = 200;

/**
 * Sets how V8 collects the heap of a serving process. Returns the function that ends the checks of `collectWhenIdle`.
 *
 * Without allocation site pretenuring: after a full collection under load V8 took the arrays of single requests for long-lived, and made
 * them among the old objects. There each kept its request with all buffers until the next full collection (decision 183).
 */
export function tuneCollections(): () => void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
  return collectWhenIdle();
}

/** Interval of the checks, ms. */
const defaultIntervalMs = 5_000;
/** Largest share of an interval that the event loop of an idle process works. */
const idleShare = 0.1;
/** Memory that is worth a collection, bytes. */
const worthwhileBytes = 64 * 1024 ** 2;

/**
 * Returns memory to the system after load: collects garbage when the process is idle and holds 64 MiB more than after the last
 * collection. V8 collects when memory is allocated, so the garbage of many large responses would stay: 220 of 450 MB
 * were left a minute after such a load, and a collection left 46 of them. The blocks of the C library that went with it return an interval later, since
 * V8 frees them beside the process. Returns the function that ends the checks.
 */
export function collectWhenIdle(intervalMs = defaultIntervalMs): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const trim = loadTrim();
  let usedAfterLast = 0;
  let hasCollected = false;
  let utilization = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const isIdle = performance.eventLoopUtilization(now, utilization).utilization < idleShare;
    utilization = now;
    if (!isIdle) return;
    if (hasCollected) trim?.();
    hasCollected = usedBytes() - usedAfterLast >= worthwhileBytes;
    if (!hasCollected) return;
    // Else the old objects that remain keep the pages of those that went: 158 MB of heap for 85 MB after a load.
    setFlagsFromString('--compact-on-every-full-gc');
    collect();
    setFlagsFromString('--no-compact-on-every-full-gc');
    usedAfterLast = usedBytes();
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
