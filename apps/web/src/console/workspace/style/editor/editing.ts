import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
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

/** Editing in any language. */
export const editing: Extension = [
  EditorView.cspNonce.of(styleNonce()),
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
