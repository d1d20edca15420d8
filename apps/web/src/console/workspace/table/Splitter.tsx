import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import classes from './table.module.css';

/** Least and largest height of the panel below, percent. */
const [least, most] = [20, 85];
/** Step of a key, percent. */
const step = 5;

interface SplitterProps {
  label: string;
  /** Height of the panel below, of the height of both. */
  percent: number;
  onPercent: (percent: number) => void;
}

/** The edge between two panels, which the pointer or the arrow keys move. */
export function Splitter({ label, percent, onPercent }: SplitterProps): ReactNode {
  const change = (next: number): void => onPercent(Math.round(Math.min(most, Math.max(least, next))));
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = { ArrowUp: percent + step, ArrowDown: percent - step, Home: least, End: most }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    change(next);
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const whole = event.currentTarget.parentElement!.parentElement!.getBoundingClientRect();
    change((100 * (whole.bottom - event.clientY)) / whole.height);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that is moved is no <hr>
    <div
      className={classes.splitter}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={percent}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
    />
  );
}
