import type { ReactNode } from 'react';

/** A folded map whose middle fold is a page of a register. */
export function Logo({ size = 28 }: { size?: number }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <path d="M3 8.5 11 5v18.5L3 27z" fill="currentColor" opacity=".55" />
      <path d="m11 5 10 4v18.5l-10-4z" fill="currentColor" />
      <path d="m21 9 8-3.5V24l-8 3.5z" fill="currentColor" opacity=".55" />
      <path
        d="m13.5 11 5 2m-5 2.5 5 2m-5 2.5 3 1.2"
        stroke="var(--card)"
        strokeWidth="1.4"
        strokeLinecap="round"
      />
    </svg>
  );
}
