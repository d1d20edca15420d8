import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  tooltips,
} from '@codemirror/view';
import { styleNonce } from '../../../../common/base.js';
import { colorSwatches } from './colors.js';
import { completeStyle } from './completion.js';
import { styleHover } from './hover.js';
import { cartocss } from './language.js';
import type { StyleSubject } from './subject.js';
import type { EditorTexts } from './texts.en.js';
import { editorTheme } from './theme.js';

/**
 * Replaces a selection by what is typed. The browser would keep the look of the replaced text in an inline style, which the
 * content security policy forbids.
 */
const typingOverSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to, empty } = view.state.selection.main;
    const { inputType, data } = event;
    if (empty || inputType !== 'insertText' || data === null || view.state.readOnly) return false;
    const change = () =>
      view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    const isHandled = view.state
      .facet(EditorView.inputHandler)
      .some((handle) => handle(view, from, to, data, change));
    if (!isHandled) view.dispatch(change());
    event.preventDefault();
    return true;
  },
});

/** All that does not depend on the layer. */
export const basics: Extension = [
  EditorView.cspNonce.of(styleNonce()),
  cartocss(),
  typingOverSelection,
  history(),
  lineNumbers(),
  drawSelection(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  bracketMatching(),
  closeBrackets(),
  indentOnInput(),
  indentUnit.of('  '),
  EditorView.lineWrapping,
  // The panel scrolls and would cut them off.
  tooltips({ position: 'fixed' }),
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...lintKeymap,
    ...defaultKeymap,
    ...historyKeymap,
    ...foldKeymap,
    indentWithTab,
  ]),
  editorTheme,
];

/** Suggestions, help and colours for a layer, in the user's language. */
export const assistance = (subject: StyleSubject, texts: EditorTexts): Extension => [
  EditorState.phrases.of(texts.phrases),
  autocompletion({ override: [completeStyle(subject, texts)], icons: false, maxRenderedOptions: 9 }),
  styleHover(subject, texts),
  colorSwatches(texts),
];

/** Shows what differs from the saved style, with a button at each place that brings the saved text back. */
export const comparison = (saved: string, texts: EditorTexts): Extension =>
  unifiedMergeView({
    original: saved,
    gutter: false,
    mergeControls: (kind, action) => {
      const button = document.createElement('button');
      if (kind === 'accept') {
        button.hidden = true;
        return button;
      }
      button.type = 'button';
      button.className = 'cm-bring-back';
      button.textContent = texts.bringBack;
      button.addEventListener('click', action);
      return button;
    },
  });
