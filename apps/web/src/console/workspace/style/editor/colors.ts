import { fromHex, namedColors, writeColor } from '@cartulary/cartocss/editor';
import { syntaxTree } from '@codemirror/language';
import type { Extension, Range } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  keymap,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import type { EditorTexts } from './texts.en.js';

/** A colour of the text, as `#rrggbb`, and the digits of its opacity. */
interface WrittenColor {
  solid: string;
  alpha: string;
}

function readColor(kind: string, text: string): WrittenColor | null {
  if (kind === 'HexColor') {
    const digits = text.slice(1);
    if (!/^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(digits)) return null;
    const long = digits.length < 6 ? [...digits].map((digit) => digit + digit).join('') : digits;
    return { solid: writeColor(fromHex(long.slice(0, 6))), alpha: long.slice(6) };
  }
  const named = kind === 'Word' ? namedColors.get(text.toLowerCase()) : undefined;
  return named && named.alpha === 1 ? { solid: writeColor(named), alpha: '' } : null;
}

/** A field of the browser that shows a colour and picks another in its place. */
class Swatch extends WidgetType {
  constructor(
    readonly color: WrittenColor,
    readonly text: string,
    readonly label: string,
  ) {
    super();
  }

  override eq(other: Swatch): boolean {
    return other.text === this.text && other.label === this.label;
  }

  override toDOM(view: EditorView): HTMLElement {
    const field = document.createElement('input');
    field.type = 'color';
    field.className = 'cm-swatch';
    field.tabIndex = -1;
    field.disabled = view.state.readOnly;
    field.addEventListener('input', () => pick(view, field));
    this.updateDOM(field);
    return field;
  }

  /** Keeps the field, whose picker may be open. */
  override updateDOM(dom: HTMLElement): boolean {
    const field = dom as HTMLInputElement;
    field.value = this.color.solid;
    field.setAttribute('aria-label', this.label);
    return true;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** Writes the colour of a field in place of the one that it stands before. */
function pick(view: EditorView, field: HTMLInputElement): void {
  const from = view.posAtDOM(field);
  const node = syntaxTree(view.state).resolveInner(from, 1);
  const color = readColor(node.name, view.state.sliceDoc(node.from, node.to));
  if (color)
    view.dispatch({
      changes: { from: node.from, to: node.to, insert: field.value + color.alpha },
      userEvent: 'input',
    });
}

function swatches(view: EditorView, texts: EditorTexts): DecorationSet {
  const found: Range<Decoration>[] = [];
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(view.state).iterate({
      from,
      to,
      enter: ({ name, from: start, to: end }) => {
        if (name !== 'HexColor' && name !== 'Word') return;
        const text = view.state.sliceDoc(start, end);
        const color = readColor(name, text);
        if (color)
          found.push(
            Decoration.widget({ widget: new Swatch(color, text, texts.pickColor(text)), side: -1 }).range(
              start,
            ),
          );
      },
    });
  }
  return Decoration.set(found);
}

/** Opens the picker of the colour at the cursor. */
function pickAtCursor(view: EditorView): boolean {
  const { head } = view.state.selection.main;
  const tree = syntaxTree(view.state);
  const node = [tree.resolveInner(head, 1), tree.resolveInner(head, -1)].find(({ name }) =>
    /^(?:HexColor|Word)$/.test(name),
  );
  const field =
    node &&
    [...view.dom.querySelectorAll<HTMLInputElement>('.cm-swatch')].find(
      (one) => view.posAtDOM(one) === node.from,
    );
  field?.showPicker();
  return field !== undefined;
}

/** Colours are shown before their text and picked in place. */
export const colorSwatches = (texts: EditorTexts): Extension => [
  ViewPlugin.define(
    (view) => ({
      marks: swatches(view, texts),
      update(update: ViewUpdate) {
        const isParsed = syntaxTree(update.startState) !== syntaxTree(update.state);
        if (update.docChanged || update.viewportChanged || isParsed)
          this.marks = swatches(update.view, texts);
      },
    }),
    { decorations: ({ marks }) => marks },
  ),
  keymap.of([{ key: 'Alt-c', run: pickAtCursor }]),
];
