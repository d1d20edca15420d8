import type { ReactNode } from 'react';
import { useLanguage } from '../common/language.js';
import classes from './map.module.css';

/** Longest bar, CSS pixels. */
const longest = 104;

/** The largest of 1, 2, 3, 5 · 10ⁿ that is not above `length`. */
function roundBelow(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  const digit = length / power;
  return power * (digit >= 5 ? 5 : digit >= 3 ? 3 : digit >= 2 ? 2 : 1);
}

/** How long a round distance is in the middle of the map. */
export function ScaleBar({ metresPerPixel }: { metresPerPixel: number }): ReactNode {
  const { ui, texts } = useLanguage();
  const metres = roundBelow(metresPerPixel * longest);
  const inKilometres = metres >= 1000;
  const number = new Intl.NumberFormat(ui).format(inKilometres ? metres / 1000 : metres);
  return (
    <div className={classes.scale} style={{ width: metres / metresPerPixel }} data-testid="scale">
      {number} {inKilometres ? texts.km : texts.m}
    </div>
  );
}
