import type { StyleProperty } from '@cartulary/cartocss/editor';
import type { EditorTexts } from './texts.en.js';

const prefixes: Readonly<Record<string, string>> = { markers: 'marker', map: '', style: '' };

/** The part of a property's name after that of its symbol: `fill` of `polygon-fill`. */
function aspectOf({ name, symbolizer }: StyleProperty): string {
  const prefix = prefixes[symbolizer] ?? symbolizer;
  if (name === prefix) return '';
  return prefix && name.startsWith(`${prefix}-`) ? name.slice(prefix.length + 1) : name;
}

/** What a property does, in one line. */
const summaryOf = (property: StyleProperty, texts: EditorTexts): string =>
  `${texts.symbols[property.symbolizer]}: ${texts.aspects[aspectOf(property)] ?? property.name}`;

/** The values that a property takes. */
export function valuesOf({ type }: StyleProperty, texts: EditorTexts): string {
  if (type.kind === 'number') {
    const range = type.integer ? texts.wholeRange : texts.range;
    return range(String(type.min), String(type.max));
  }
  if (type.kind === 'keyword' || type.kind === 'presence') return type.values.join(', ');
  return texts.kinds[type.kind] ?? type.kind;
}

const paragraph = (text: string, className = ''): HTMLElement => {
  const element = document.createElement('p');
  element.textContent = text;
  if (className) element.className = className;
  return element;
};

/** The help on a property: what it does, its values, its default. */
export function propertyHelp(property: StyleProperty, texts: EditorTexts): HTMLElement {
  const help = document.createElement('div');
  help.className = 'cm-help';
  help.append(paragraph(summaryOf(property, texts), 'cm-help-title'), paragraph(valuesOf(property, texts)));
  if (property.required) help.append(paragraph(texts.required));
  else if (property.default !== undefined)
    help.append(paragraph(`${texts.default}: ${String(property.default)}`));
  if (property.expression) help.append(paragraph(texts.orColumn));
  return help;
}

/** A title with lines of text. */
export function plainHelp(title: string, ...lines: string[]): HTMLElement {
  const help = document.createElement('div');
  help.className = 'cm-help';
  help.append(paragraph(title, 'cm-help-title'), ...lines.filter(Boolean).map((line) => paragraph(line)));
  return help;
}
