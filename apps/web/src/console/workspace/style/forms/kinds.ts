import { isScalar } from '../../columns/columns.js';
import type { StyleColumn } from '../editor/subject.js';
import type { Look, LookSettings } from '../look.js';
import type { FormKind } from './fields.js';

/** The ways to draw a layer, in the order of the list. */
export const lookKinds = [
  'simple',
  'css',
  'thematic',
  'categories',
  'bubbles',
  'pies',
  'bars',
  'lines',
  'heat',
  'hexagons',
] as const;
export type LookKind = (typeof lookKinds)[number];

const types: Readonly<Partial<Record<LookKind, number>>> = {
  thematic: 1,
  categories: 2,
  bubbles: 3,
  pies: 4,
  bars: 5,
  lines: 6,
  heat: 7,
};

export function kindOf(look: Look): LookKind {
  if (look.kind === 'css' || look.kind === 'simple') return look.kind;
  if (look.kind === 'custom') return 'hexagons';
  return (Object.keys(types) as LookKind[]).find((kind) => types[kind] === look.settings.type) ?? 'thematic';
}

/** Colours for parts that have none yet. */
export const palette = [
  '#1971c2',
  '#e8590c',
  '#2f9e44',
  '#9c36b5',
  '#f08c00',
  '#0c8599',
  '#c2255c',
  '#5c940d',
];

/** The UUID by which the settings of hexagons refer to their column. */
const measured = '9d5c8a1e-3f27-4b6a-8c19-5e0d7a42b361';

const isNumber = ({ code, type }: StyleColumn): boolean => type === 'number' && code !== 'svc_id';
const hasValues = (column: StyleColumn): boolean => column.code !== 'svc_id' && isScalar(column);

/** The columns that a field of a form offers. */
export const columnsFor = (columns: readonly StyleColumn[], of: 'number' | 'any'): StyleColumn[] =>
  columns.filter(of === 'number' ? isNumber : hasValues);

/** Whether the layer has the columns that a kind needs. */
export function isPossible(kind: LookKind, columns: readonly StyleColumn[]): boolean {
  if (kind === 'categories') return columns.some(hasValues);
  return !['thematic', 'bubbles', 'pies', 'bars', 'lines'].includes(kind) || columns.some(isNumber);
}

/** What the kinds of visualizations have in common, which stays when another is chosen. */
const shared = [
  'pointSettings',
  'showBorder',
  'borderSettings',
  'showText',
  'textSettings',
  'legendNames',
] as const;

/** A look of another kind to begin with. The CartoCSS stays beside it. */
export function lookFor(kind: LookKind, before: Look, columns: readonly StyleColumn[]): Look {
  const { css } = before;
  if (kind === 'css') return { kind, css };
  if (kind === 'simple') return { kind, css, settings: firstSimple };
  if (kind === 'hexagons')
    return { kind: 'custom', css, settings: { type: 'hexbin', columns: {}, settings: {} } };
  const kept: LookSettings =
    before.kind === 'visual'
      ? Object.fromEntries(
          shared.flatMap((key) => (key in before.settings ? [[key, before.settings[key]]] : [])),
        )
      : {};
  return { kind: 'visual', css, settings: { ...kept, type: types[kind], ...firstSettings(kind, columns) } };
}

function firstSettings(kind: FormKind | 'css', columns: readonly StyleColumn[]): LookSettings {
  const numbers = columns.filter(isNumber);
  const text = columns.find(({ type }) => type === 'string') ?? columns.find(hasValues);
  switch (kind) {
    case 'categories':
      return { columnCode: text?.code };
    case 'thematic':
    case 'bubbles':
      return { columnCode: numbers[0]?.code };
    case 'pies':
    case 'bars':
    case 'lines':
      return {
        classesSettings: { columns: numbers.slice(0, 3).map(({ code }, i) => ({ code, color: palette[i] })) },
      };
    default:
      return {};
  }
}

const firstSimple: LookSettings = {
  fill: '#74c69d',
  fillOpacity: 0.6,
  stroke: '#2d6a4f',
  strokeWidth: 1,
  marker: { shape: 'circle', size: 10, color: '#d9480f', stroke: '#ffffff', strokeWidth: 1.5 },
};

/** The settings as a form shows them: the column of hexagons by its code, labels by their switch. */
export function toForm(
  kind: LookKind,
  settings: LookSettings,
  columns: readonly StyleColumn[],
): LookSettings {
  if (kind !== 'hexagons') return settings;
  const inner = (settings.settings ?? {}) as LookSettings;
  const ids = (settings.columns ?? {}) as Readonly<Record<string, number>>;
  const id = ids[inner.column as string];
  return { ...settings, measured: columns.find((column) => column.id === id)?.code };
}

/** The settings that a form has written, as the service takes them. */
export function fromForm(kind: LookKind, form: LookSettings, columns: readonly StyleColumn[]): LookSettings {
  if (kind === 'simple')
    return { ...form, label: (form.label as LookSettings | null)?.column ? form.label : null };
  if (kind !== 'hexagons') {
    const text = form.textSettings as LookSettings | undefined;
    return { ...form, showText: Boolean(text?.column) };
  }
  const { measured: code, ...rest } = form;
  const inner = rest.settings as LookSettings;
  const isCounted = (inner.aggregate ?? 'count') === 'count';
  const numbers = columns.filter(isNumber);
  const column = numbers.find((one) => one.code === code) ?? numbers[0];
  if (isCounted || !column) return { ...rest, columns: {}, settings: { ...inner, column: null } };
  return { ...rest, columns: { [measured]: column.id }, settings: { ...inner, column: measured } };
}
