/** Work that waits for short when somebody else goes first, but not for ever. */
export interface GivingWay {
  /** Somebody goes first until the function that it gives is called, or the longest wait is over. */
  to(): () => void;
  /** Whether to wait now; `goOn` is called when that may be over. */
  waits(): boolean;
}

/** Nobody waits for longer (ms) at once, and after it nobody waits for as long: of the time that others always take, half at least is left. */
export function createGivingWay(
  longest: number,
  goOn: () => void,
  now: () => number = performance.now.bind(performance),
): GivingWay {
  /** Who goes first. */
  const first = new Set<NodeJS.Timeout>();
  /** Milliseconds that were waited and are not made up for. */
  let waited = 0;
  let isEnough = false;
  let last = now();
  let isPlanned = false;

  function isWaiting(): boolean {
    const passed = now() - last;
    last += passed;
    waited = first.size && !isEnough ? waited + passed : Math.max(0, waited - passed);
    if (waited >= longest) isEnough = true;
    else if (!waited) isEnough = false;
    return first.size > 0 && !isEnough;
  }

  return {
    to() {
      isWaiting();
      const end = (): void => {
        clearTimeout(limit);
        isWaiting();
        if (first.delete(limit) && !first.size) goOn();
      };
      const limit = setTimeout(end, longest).unref();
      first.add(limit);
      return end;
    },
    waits() {
      if (!isWaiting()) return false;
      if (isPlanned) return true;
      isPlanned = true;
      setTimeout(() => {
        isPlanned = false;
        goOn();
      }, longest - waited).unref();
      return true;
    },
  };
}
