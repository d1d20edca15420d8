import { colorFunctionForms, properties } from '@cartulary/cartocss/editor';
import { syntaxTree } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { type EditorView, hoverTooltip } from '@codemirror/view';
import { plainHelp, propertyHelp } from './help.js';
import type { StyleSubject } from './subject.js';
import type { EditorTexts } from './texts.en.js';

/** Tells what the word under the pointer is. */
export const styleHover = (subject: StyleSubject, texts: EditorTexts): Extension =>
  hoverTooltip(async (view, position) => {
    const node = syntaxTree(view.state).resolveInner(position, 1);
    const help = await helpOn(node.name, view.state.sliceDoc(node.from, node.to), { subject, texts });
    if (!help) return null;
    return { pos: node.from, end: node.to, above: true, create: (_: EditorView) => ({ dom: help }) };
  });

async function helpOn(
  kind: string,
  text: string,
  { subject, texts }: { subject: StyleSubject; texts: EditorTexts },
): Promise<HTMLElement | null> {
  switch (kind) {
    case 'PropertyName': {
      const property = properties.get(text.slice(text.indexOf('/') + 1));
      return property ? propertyHelp(property, texts) : null;
    }
    case 'Function': {
      const form = colorFunctionForms.get(text.slice(0, -1));
      return form ? plainHelp(form) : null;
    }
    case 'FilterName':
      return text === 'zoom' ? plainHelp(text, texts.zoom) : columnHelp(text, subject, texts);
    case 'Column':
      return columnHelp(text.slice(1, -1).trim(), subject, texts);
    default:
      return null;
  }
}

async function columnHelp(
  code: string,
  subject: StyleSubject,
  texts: EditorTexts,
): Promise<HTMLElement | null> {
  const column = subject.columns.find((one) => one.code === code);
  if (!column) return null;
  const { min, max, frequent } = await subject.valuesOf(code);
  const values =
    typeof min === 'number'
      ? texts.range(String(min), String(max))
      : frequent.slice(0, 5).map(String).join(', ');
  return plainHelp(column.name || code, texts.columnTypes[column.type] ?? column.type, values.slice(0, 200));
}
