import { displayDatetime, displayNumber } from '@cartulary/columns/display';
import type { ColumnDraft } from './columns.js';
import type { ColumnTexts } from './texts.en.js';

type FormatKey = keyof ColumnTexts['formats'];

/** The entries of the format of each type that has one. */
export const formatKeys: Readonly<Record<string, readonly FormatKey[]>> = {
  number: ['decimals', 'thousands', 'decimal', 'prefix', 'suffix'],
  datetime: ['pattern', 'zone'],
  bool: ['true', 'false'],
  string: ['template'],
  text: ['template'],
};

const sampleDate = '2026-03-09T14:05:07Z';

/** An example of a value as its column shows it. */
export function exampleOf(
  { type, format }: Pick<ColumnDraft, 'type' | 'format'>,
  texts: ColumnTexts,
  lng: string,
): string {
  const set = Object.fromEntries(Object.entries(format).filter(([, value]) => value !== ''));
  switch (type) {
    case 'number':
      return displayNumber(12_345.678, set, lng);
    case 'datetime':
      return displayDatetime(sampleDate, set, lng);
    case 'bool':
      return `${set.true ?? texts.yes} / ${set.false ?? texts.no}`;
    default:
      return String(set.template ?? '{value}').replaceAll('{value}', () => texts.sampleText);
  }
}
