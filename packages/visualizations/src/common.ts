import { knownFonts } from '@cartulary/cartocss';
import { isLanguage } from '@cartulary/columns';
import type { VisualColumn } from './column.js';
import { choice, color, type FieldReader, flag, listField, number, record, text, wrong } from './fields.js';

/** Dash patterns of lines. */
export const patterns = ['solid', 'dash', 'dot', 'dashdot'] as const;
export type Pattern = (typeof patterns)[number];

export const pattern = choice<Pattern>('solid', patterns);
export const opacity = (initial: number): FieldReader<number> => number(initial, 0, 1);

/** A font of the renderer. */
export const fontFamily: FieldReader<string> = (value, at) =>
  choice('DejaVu Sans Book', knownFonts())(value, at);

const legendName: FieldReader<Record<string, string>> = (value, at) => {
  const isName =
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(
      ([code, name]) => isLanguage(code) && typeof name === 'string' && name.length <= 1000,
    );
  if (!isName) throw wrong(at, 'an object: language code → name');
  return { ...(value as Record<string, string>) };
};

/** Fields for the presentation of a legend. */
export const legendFields = {
  showLegend: flag(true),
  showLegendName: flag(true),
  legendName: text(''),
  legendNames: ((value, at) => listField(legendName, 200)(value, at) ?? []) as FieldReader<
    Record<string, string>[]
  >,
};

/** Fields of all types. Sizes are pixels. */
const common = {
  pointSettings: record({
    size: number(10, 1, 200),
    allowOverlap: flag(true),
    sizeEnabled: flag(false),
  }),
  showBorder: flag(true),
  borderSettings: record({
    opacity: opacity(1),
    pattern,
    width: number(0.5, 0, 20),
    color: color('#ffffff'),
  }),
  showText: flag(false),
  textSettings: record({
    column: ((value) => value ?? null) as FieldReader<unknown>,
    fontSize: number(11, 4, 72),
    fontFamily,
    fontColor: color('#333333'),
    fontOpacity: opacity(1),
    halo: flag(true),
    haloColor: color('#ffffff'),
    haloWidth: number(1.5, 0, 10),
    haloOpacity: opacity(1),
    allowOverlap: flag(false),
    offsetEnabled: flag(false),
    textOffset: number(0, -200, 200),
  }),
  ...legendFields,
  showValues: flag(true),
};

type Read<F extends Record<string, FieldReader<unknown>>> = { [K in keyof F]: ReturnType<F[K]> };
type Checked = Read<typeof common>;
export type CommonSettings = Omit<Checked, 'textSettings'> & {
  textSettings: Omit<Checked['textSettings'], 'column'> & { column: string | null };
};

/** Returns the complete common settings. Throws 400 that names the mistake. */
export function checkCommon(
  input: Record<string, unknown>,
  columns: readonly VisualColumn[],
): CommonSettings {
  const checked = record(common)(input, 'visualSettings');
  const { textSettings, showText } = checked;
  const at = 'visualSettings.textSettings.column';
  const shown = columns.find(({ code }) => code === textSettings.column);
  const isText = shown && shown.type !== 'geom' && shown.type !== 'title';
  if (textSettings.column !== null && !isText)
    throw wrong(at, 'the code of a column of the layer with values');
  if (showText && !shown) throw wrong(at, 'required where showText is true');
  return { ...checked, textSettings: { ...textSettings, column: shown?.code ?? null } };
}

/** Finds a column by its id, its code, or both. Throws 400 if there is none, the two disagree, or its type is not in `types`. */
export function findSettingsColumn(
  named: { id: unknown; code: unknown },
  columns: readonly VisualColumn[],
  { at, types }: { at: { id: string; code: string }; types: readonly VisualColumn['type'][] },
): VisualColumn {
  const { id, code } = { id: named.id ?? undefined, code: named.code ?? undefined };
  const key = id === undefined ? at.code : at.id;
  if (id === undefined && code === undefined)
    throw wrong(at.id, `required: the id of a column, or its code as ${at.code}`);
  const column = columns.find((one) => (id === undefined ? one.code === code : one.id === id));
  if (!column || (code !== undefined && column.code !== code))
    throw wrong(
      key,
      `${JSON.stringify(id ?? code).slice(0, 60)}, which is no column of the layer${column ? ` with the code ${JSON.stringify(code).slice(0, 60)}` : ''}`,
    );
  if (column.code === 'geom' || !types.includes(column.type))
    throw wrong(key, `a column of the type ${types.join(' or ')}; '${column.code}' is ${column.type}`);
  return column;
}
