import { useState } from 'react';

/** A stored value, or the one that is on its way to be stored. */
export function useSent<T>(stored: T): [T, (next: T, work: () => Promise<unknown>) => Promise<void>] {
  const [sent, setSent] = useState<{ value: T } | null>(null);
  const send = async (value: T, work: () => Promise<unknown>): Promise<void> => {
    setSent({ value });
    await work();
    setSent(null);
  };
  return [sent ? sent.value : stored, send];
}
