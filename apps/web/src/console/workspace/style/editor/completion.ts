import {
  colorFunctionForms,
  filterFunctions,
  knownFonts,
  namedColors,
  properties,
  type StyleProperty,
  transformFunctions,
} from '@cartulary/cartocss/editor';
import type {
  Completion,
  CompletionContext,
  CompletionResult,
  CompletionSource,
} from '@codemirror/autocomplete';
import { snippetCompletion } from '@codemirror/autocomplete';
import { propertyHelp } from './help.js';
import { type Place, placeAfter } from './place.js';
import type { StyleSubject } from './subject.js';
import type { EditorTexts } from './texts.en.js';

const word = /[\p{L}\p{N}_@#:/-]*$/u;
/** A word between quotes, with the opening one. */
const quoted = /["'][^"'\n]*$/;

/** Suggests what the place takes: properties, their values, columns of the layer and values of columns. */
export function completeStyle(subject: StyleSubject, texts: EditorTexts): CompletionSource {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const before = context.state.sliceDoc(0, context.pos);
    const place = placeAfter(before);
    const from = context.pos - (quoted.exec(lineOf(before)) ?? word.exec(before))![0].length;
    if (!context.explicit && from === context.pos && place.kind !== 'value' && !/\[$/.test(before))
      return null;
    const options = await optionsAt(place, { subject, texts, text: context.state.doc.toString() });
    return options.length ? { from, options, validFor: /^["']?[\p{L}\p{N}_@#:/. -]*$/u } : null;
  };
}

const lineOf = (text: string): string =>
  text.slice(text.lastIndexOf('\n') + 1).replace(/("[^"]*"|'[^']*')/g, '');

interface Sources {
  subject: StyleSubject;
  texts: EditorTexts;
  /** The whole style. */
  text: string;
}

async function optionsAt(place: Place, sources: Sources): Promise<Completion[]> {
  const { subject, texts } = sources;
  switch (place.kind) {
    case 'selector':
      return selectors(sources);
    case 'property':
      return [...propertyOptions(texts), ...conditions(sources)];
    case 'value':
      return valueOptions(properties.get(place.property), sources);
    case 'key':
      return [
        ...columnOptions(sources, (code) => code),
        { label: 'zoom', type: 'keyword', detail: texts.zoom },
      ];
    case 'column':
      return columnOptions(sources, (code) => code);
    case 'operand':
      return operandOptions(place.column, subject);
    default:
      return [];
  }
}

const propertyOptions = (texts: EditorTexts): Completion[] =>
  [...properties.values()]
    .filter(({ symbolizer }) => symbolizer !== 'map' && symbolizer !== 'debug')
    .map((property) => ({
      label: property.name,
      apply: `${property.name}: `,
      type: 'property',
      info: () => propertyHelp(property, texts),
    }));

const conditions = ({ texts }: Sources): Completion[] => [
  // biome-ignore lint/suspicious/noTemplateCurlyInString: fields of a snippet
  snippetCompletion('[zoom >= ${10}] {\n\t${}\n}', {
    label: '[zoom >= …]',
    type: 'keyword',
    detail: texts.zoom,
  }),
];

const selectors = ({ subject, texts, text }: Sources): Completion[] => [
  snippetCompletion(`#${subject.layer.code} {\n\t\${}\n}`, {
    label: `#${subject.layer.code}`,
    type: 'class',
    detail: texts.layer,
  }),
  ...variables(text, texts),
];

function variables(text: string, texts: EditorTexts): Completion[] {
  const names = new Set([...text.matchAll(/(@[\p{L}\p{N}_-]+)\s*:/gu)].map(([, name]) => name!));
  return [...names].map((label) => ({ label, type: 'variable', detail: texts.variable, boost: 2 }));
}

function valueOptions(property: StyleProperty | undefined, sources: Sources): Completion[] {
  const { subject, texts, text } = sources;
  const own = property ? ownValues(property, subject, text) : [];
  const columns = property?.expression || property?.type.kind === 'label';
  return [
    ...own.map((option) => ({ boost: 1, ...option })),
    ...(columns ? columnOptions(sources, (code) => `[${code}]`) : []),
    ...variables(text, texts),
  ];
}

const list = (values: Iterable<string>, type = 'enum'): Completion[] =>
  [...values].map((label) => ({ label, type }));
const calls = (names: Iterable<string>): Completion[] =>
  [...names].map((name) => ({ label: `${name}()`, apply: `${name}(`, type: 'function' }));

/** The values that the table of properties names. */
function ownValues(
  { type, default: initial }: StyleProperty,
  subject: StyleSubject,
  text: string,
): Completion[] {
  switch (type.kind) {
    case 'keyword':
    case 'presence':
      return list(type.values);
    case 'boolean':
      return list(['true', 'false']);
    case 'color':
      return colorOptions(text);
    case 'icon':
      return list((subject.icons ?? []).map((name) => `url(${name})`));
    case 'font':
      return list(knownFonts().map((name) => `"${name}"`));
    case 'transform':
      return calls(transformFunctions.keys());
    case 'filters':
      return calls(filterFunctions.keys());
    case 'number':
      return initial === undefined ? [] : list([String(initial)], 'constant');
    default:
      return [];
  }
}

/** Colours of the style come first, then the functions and the names of CSS. */
function colorOptions(text: string): Completion[] {
  const used = new Set([...text.matchAll(/#(?:[0-9a-f]{6}|[0-9a-f]{3})\b/gi)].map(([color]) => color));
  return [
    ...[...used].map((label) => ({ label, type: 'constant', boost: 3 })),
    ...[...colorFunctionForms].map(([name, form]) => ({
      label: form,
      apply: `${name}(`,
      type: 'function',
      boost: -1,
    })),
    ...[...namedColors.keys()].map((label) => ({ label, type: 'constant', boost: -2 })),
  ];
}

const columnOptions = ({ subject, texts }: Sources, write: (code: string) => string): Completion[] =>
  subject.columns.map(({ code, name, type }) => ({
    label: write(code),
    type: 'variable',
    detail: [name === code ? '' : name, texts.columnTypes[type] ?? type].filter(Boolean).join(', '),
    boost: 1,
  }));

/** The most frequent values of a column. */
async function operandOptions(column: string, subject: StyleSubject): Promise<Completion[]> {
  if (column === 'zoom')
    return list(
      Array.from({ length: 25 }, (_, zoom) => String(zoom)),
      'constant',
    );
  if (column === 'mapnik::geometry_type') return list(['point', 'linestring', 'polygon', 'collection']);
  if (!subject.columns.some(({ code }) => code === column)) return [];
  const { frequent, min, max } = await subject.valuesOf(column);
  const values = [...new Set([...frequent, ...(typeof min === 'number' ? [min, max] : [])])];
  return values
    .filter((value) => value !== null && String(value).length <= 100)
    .map((value, i) => ({ label: written(value), type: 'constant', boost: -i }));
}

/** A value as it stands in a filter. */
const written = (value: unknown): string =>
  typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value);
