import { type Column, displayValue, spelledLanguage } from '@cartulary/columns';
import type { Queryable } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { type LegendClass, type LegendHead, legendHeadOf, legendOf } from '@cartulary/visualizations';
import { shownName } from '../../containers/names.js';
import type { Layer } from '../layers.js';
import {
  type AnswerLanguages,
  type ClassCount,
  type CountedObjects,
  classCounts,
  countedColumn,
} from './counts.js';
import { visualOf } from './stored-classes.js';

/** The legend of a layer's visualization; `swatchPath`: the path of an entry's image; `only`: the objects that are counted. Throws 404 for a layer without one. */
export async function legendView(
  db: Queryable,
  layer: Layer,
  {
    swatchPath,
    only,
    ...languages
  }: AnswerLanguages & { swatchPath: (entry: number) => string; only?: CountedObjects | undefined },
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  const visual = visualOf(layer);
  if (!visual) throw new ServiceError('layer_not_found', `The layer '${layer.code}' is not a visualization`);
  const head = legendHeadOf(visual.settings);
  const counts = await classCounts(db, layer, { ...languages, only }, signal);
  const byClass = new Map(counts.map((one) => [one.class, one]));
  const { classes, minValue, maxValue, side, cell } = legendOf(visual);
  const lng = languages.lng ?? languages.main;
  const column = countedColumn(layer, visual);
  const { border, showLegend, showLegendName, showValues } = head;
  return {
    name: legendName(head, layer, [lng, languages.main]),
    column: column?.code ?? null,
    showValues,
    showLegend,
    showLegendName,
    minValue,
    maxValue,
    type: visual.settings.type,
    count: counts.reduce((sum, { count }) => sum + count, 0),
    border,
    ...(cell ? { cell } : {}),
    swatchSize: side,
    classificators: classes.map(({ class: number, text, column: part, sample, ...shown }, i) => ({
      ...shown,
      label:
        partName(layer, part, [lng, languages.main], text) ??
        labelOf({ class: number, text, ...shown }, { column, found: byClass.get(number), lng }),
      count: number < 0 ? null : (byClass.get(number)?.count ?? 0),
      ...(sample ? { swatch: swatchPath(i) } : {}),
    })),
  };
}

/** The label of a part of a chart: its own text, or the name of its column. */
function partName(
  { columns }: Layer,
  id: number | undefined,
  languages: readonly string[],
  text: LegendClass['text'],
): string | undefined {
  const column = columns.find((one) => one.id === id);
  return column && (text?.(languages[0]!) || shownName(column, languages) || column.code);
}

/** The label of a class in the language of the answer; null for the class of all other values. */
function labelOf(
  { class: number, text, value }: LegendClass,
  { column, found, lng }: { column: Column | undefined; found: ClassCount | undefined; lng: string },
): string | null {
  if (number === 0) return null;
  if (found?.value != null) return found.value;
  // A single value is shown in the format of its column.
  if (column?.format && column.type !== 'number' && value !== null)
    return String(displayValue(column, value, lng));
  return text?.(lng) ?? null;
}

function legendName(
  { legendName, legendNames }: LegendHead,
  layer: Layer,
  languages: readonly string[],
): string {
  const names = Object.assign({}, ...legendNames) as Record<string, string>;
  for (const language of languages) {
    const spelled = spelledLanguage(language, Object.keys(names));
    if (Object.hasOwn(names, spelled) && names[spelled]) return names[spelled];
  }
  return legendName || Object.values(names).find(Boolean) || shownName(layer, languages);
}
