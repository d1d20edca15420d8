import { type ReactNode, useEffect, useState } from 'react';
import { useLanguage } from '../../../../common/texts/language.js';
import { clientOf } from '../../../client.js';
import type { Workspace } from '../../useWorkspace.js';
import classes from './forms.module.css';
import { useFormTexts } from './useFormTexts.js';
import type { LegendEntry } from './useLegend.js';

interface Bin {
  from: number;
  to: number;
  count: number;
}

interface HistogramProps {
  workspace: Workspace;
  layer: string;
  column: { code: string; name: string };
  entries: readonly LegendEntry[];
}

const bins = 32;

/** How the values of a column are distributed, in the colours of their classes. */
export function Histogram({ workspace, layer, column, entries }: HistogramProps): ReactNode {
  const { ui } = useLanguage();
  const texts = useFormTexts();
  const shown = useBins(workspace, layer, column.code);
  if (!shown?.length) return null;
  const most = Math.max(...shown.map(({ count }) => count));
  const number = new Intl.NumberFormat(ui, { maximumSignificantDigits: 6 });
  const [least, greatest] = [shown[0]!.from, shown.at(-1)!.to].map((value) => number.format(value)) as [
    string,
    string,
  ];
  return (
    <figure className={classes.histogram}>
      <div role="img" aria-label={texts.histogram(column.name || column.code, least, greatest)}>
        {shown.map(({ from, to, count }) => (
          <span
            key={from}
            className={classes.bin}
            style={{
              height: `${count ? Math.max(4, (100 * count) / most) : 0}%`,
              background: colorAt((from + to) / 2, entries),
            }}
          />
        ))}
      </div>
      <figcaption>
        <span>{least}</span>
        <span>{greatest}</span>
      </figcaption>
    </figure>
  );
}

/** The colour of the class of a value. The last class takes what is more, the first what is less. */
function colorAt(value: number, entries: readonly LegendEntry[]): string | undefined {
  const classed = entries.filter(({ from }) => from !== undefined);
  return (classed.findLast(({ from }) => value >= from!) ?? classed[0])?.fill;
}

/** The histogram of a column; null until it is read, and for other values than numbers. */
function useBins({ project, map, version }: Workspace, layer: string, column: string): Bin[] | null {
  const [state, setState] = useState<Bin[] | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version has other values
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    clientOf(project)
      .post('/api/2.8/{project}/{map}/layers/{layer}/statistics/', {
        params: { path: { map: map.code, layer } },
        body: { column, percentiles: [], histogram: 'equal', bins, frequent: 1 },
        signal,
      })
      .then(
        ({ histogram }) => !signal.aborted && setState((histogram ?? []).filter(isOfNumbers)),
        () => !signal.aborted && setState(null),
      );
    return () => controller.abort();
  }, [project, map.code, layer, column, version]);
  return state;
}

const isOfNumbers = (bin: { from: unknown; to: unknown; count: number }): bin is Bin =>
  typeof bin.from === 'number' && typeof bin.to === 'number';
