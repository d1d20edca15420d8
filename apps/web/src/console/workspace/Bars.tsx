import type { ReactNode } from 'react';
import classes from './bars.module.css';

export interface Bin {
  from: unknown;
  to: unknown;
  count: number;
}

interface BarsProps<B extends Bin> {
  label: string;
  bins: readonly B[];
  /** The least and the greatest value. */
  ends: readonly [string, string];
  colorOf?: (bin: B) => string | undefined;
}

/** How values are distributed: a bar for each range. */
export function Bars<B extends Bin>({ label, bins, ends, colorOf }: BarsProps<B>): ReactNode {
  const most = Math.max(...bins.map(({ count }) => count));
  return (
    <figure className={classes.histogram}>
      <div role="img" aria-label={label}>
        {bins.map((bin) => (
          <span
            key={String(bin.from)}
            className={classes.bin}
            style={{
              height: `${bin.count ? Math.max(4, (100 * bin.count) / most) : 0}%`,
              background: colorOf?.(bin),
            }}
          />
        ))}
      </div>
      <figcaption>
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </figcaption>
    </figure>
  );
}
