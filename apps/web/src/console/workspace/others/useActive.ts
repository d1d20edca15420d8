import { useEffect, useRef } from 'react';

/** Pause between two calls, ms. */
const pauseMs = 5_000;
/** Without a key or a movement of the pointer for so long the user has left: the session must be able to end, ms. */
const idleMs = 60_000;

/** Calls `look` every few seconds while the user is at the page, and at once when the user comes back to it. */
export function useWhileActive(look: () => void): void {
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    let [active, looked] = [Date.now(), Date.now()];
    const lookIfDue = (): void => {
      const now = Date.now();
      if (document.hidden || now - active > idleMs || now - looked < pauseMs) return;
      looked = now;
      latest.current();
    };
    const onActivity = (): void => {
      active = Date.now();
      lookIfDue();
    };
    const onReturn = (): void => {
      looked = 0;
      onActivity();
    };
    const timer = setInterval(lookIfDue, pauseMs);
    const acts = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;
    for (const act of acts) addEventListener(act, onActivity, { passive: true, capture: true });
    addEventListener('focus', onReturn);
    document.addEventListener('visibilitychange', onReturn);
    return () => {
      clearInterval(timer);
      for (const act of acts) removeEventListener(act, onActivity, { capture: true });
      removeEventListener('focus', onReturn);
      document.removeEventListener('visibilitychange', onReturn);
    };
  }, []);
}
