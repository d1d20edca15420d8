import type { ReactNode } from 'react';
import { useLanguage } from '../../../../common/texts/language.js';
import { clientOf } from '../../../client.js';
import { useLoaded } from '../../../useLoaded.js';
import { Bars, type Bin } from '../../Bars.js';
import type { Workspace } from '../../useWorkspace.js';
import { useFormTexts } from './useFormTexts.js';
import type { LegendEntry } from './useLegend.js';

type NumberBin = Bin & { from: number; to: number };

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
  const number = new Intl.NumberFormat(ui, { maximumSignificantDigits: 6 });
  const ends = [number.format(shown[0]!.from), number.format(shown.at(-1)!.to)] as const;
  return (
    <Bars
      label={texts.histogram(column.name || column.code, ...ends)}
      bins={shown}
      ends={ends}
      colorOf={({ from, to }) => colorAt((from + to) / 2, entries)}
    />
  );
}

/** The colour of the class of a value. The last class takes what is more, the first what is less. */
function colorAt(value: number, entries: readonly LegendEntry[]): string | undefined {
  const classed = entries.filter(({ from }) => from !== undefined);
  return (classed.findLast(({ from }) => value >= from!) ?? classed[0])?.fill;
}

/** The histogram of a column; undefined until it is read, and for other values than numbers. */
function useBins(
  { project, map, version }: Workspace,
  layer: string,
  column: string,
): NumberBin[] | undefined {
  const key = JSON.stringify([project, map.code, layer, column]);
  const read = (signal: AbortSignal) =>
    clientOf(project).post('/api/2.8/{project}/{map}/layers/{layer}/statistics/', {
      params: { path: { map: map.code, layer } },
      body: { column, percentiles: [], histogram: 'equal', bins, frequent: 1 },
      signal,
    });
  const { value } = useLoaded(key, read, version);
  return value && ((value.histogram ?? []) as Bin[]).filter(isOfNumbers);
}

const isOfNumbers = (bin: Bin): bin is NumberBin =>
  typeof bin.from === 'number' && typeof bin.to === 'number';
