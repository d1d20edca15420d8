import type { ReactNode } from 'react';
import { useLanguage } from '../../common/texts/language.js';
import classes from '../map/map.module.css';

/** Maximum length of the bar in CSS pixels. */
const maxLengthPx = 104;

/** The largest number 1, 2, 3 or 5 · 10ⁿ up to `length`. */
export function roundBelow(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  const digit = length / power;
  return power * (digit >= 5 ? 5 : digit >= 3 ? 3 : digit >= 2 ? 2 : 1);
}

/** A bar with the length of a round distance at the centre of the map. */
export function ScaleBar({ metresPerPixel }: { metresPerPixel: number }): ReactNode {
  const { ui, texts } = useLanguage();
  const metres = roundBelow(metresPerPixel * maxLengthPx);
  const inKilometres = metres >= 1000;
  const number = new Intl.NumberFormat(ui).format(inKilometres ? metres / 1000 : metres);
  return (
    <div className={classes.scale} style={{ width: metres / metresPerPixel }} data-testid="scale">
      {number} {inKilometres ? texts.km : texts.m}
    </div>
  );
}
