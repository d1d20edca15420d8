import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { IconArrowsHorizontal } from '../../../common/icons.js';
import { useToolTexts } from '../useToolTexts.js';
import classes from './compare.module.css';

interface DividerProps {
  /** Where the line is, in per cent of the map's width from the left. */
  share: number;
  onMove: (share: number) => void;
  /** The maps on the left and on the right. */
  names: readonly [string, string];
  language: string;
}

const keys: Readonly<Record<string, (share: number) => number>> = {
  ArrowLeft: (share) => share - 2,
  ArrowRight: (share) => share + 2,
  PageDown: (share) => share - 10,
  PageUp: (share) => share + 10,
  Home: () => 0,
  End: () => 100,
};

const limited = (share: number): number => Math.max(0, Math.min(100, share));

/** The line between two maps: a slider for pointer, touch and keyboard. */
export function Divider({ share, onMove, names, language }: DividerProps): ReactNode {
  const texts = useToolTexts();
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = keys[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    onMove(limited(move(share)));
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { left, width } = event.currentTarget.parentElement!.parentElement!.getBoundingClientRect();
    onMove(limited(((event.clientX - left) / width) * 100));
  };
  return (
    <div className={classes.line} style={{ left: `${share}%` }}>
      <span className={classes.left} lang={language}>
        {names[0]}
      </span>
      <div
        className={classes.handle}
        role="slider"
        tabIndex={0}
        aria-label={texts.divider(names[0], names[1])}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share)}
        aria-valuetext={`${Math.round(share)} %`}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
      >
        <IconArrowsHorizontal size={20} />
      </div>
      <span className={classes.right} lang={language}>
        {names[1]}
      </span>
    </div>
  );
}
