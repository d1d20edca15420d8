import { checkLayerStyle } from '@cartulary/cartocss/editor';
import { syntaxTree } from '@codemirror/language';
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import type { EditorState, TransactionSpec } from '@codemirror/state';
import type { StyleProblem } from '../useStyle.js';
import type { StyleSubject } from './subject.js';

/** The mistakes of a style, by the compiler of the service. The fonts of the service are not known here. */
export const problemsOf = (text: string, { layer, icons }: StyleSubject): StyleProblem[] =>
  checkLayerStyle(text, layer, {
    icons: icons && new Map(icons.map((name) => [name, name])),
    fonts: null,
  });

/** The offset of a line and column, which count from 1. */
function offsetOf({ doc }: EditorState, { line, column }: { line: number; column: number }): number {
  const found = doc.line(Math.min(Math.max(1, line), doc.lines));
  return Math.min(found.from + Math.max(1, column) - 1, found.to);
}

/** The word at a place, for a mark or a selection. */
export function wordAt(
  state: EditorState,
  place: { line: number; column: number },
): { from: number; to: number } {
  const from = offsetOf(state, place);
  const { from: start, to } = state.doc.lineAt(from);
  const end = Math.min(Math.max(syntaxTree(state).resolveInner(from, 1).to, from + 1), to);
  return { from: Math.min(from, Math.max(start, end - 1)), to: end };
}

/** Underlines the words with mistakes. `shown`: a mistake, or what was expected, in the language of the page. */
export const underline = (
  state: EditorState,
  problems: readonly StyleProblem[],
  shown: (text: string) => string,
): TransactionSpec =>
  setDiagnostics(
    state,
    problems.map((problem): Diagnostic => {
      const { message, expected } = problem;
      const isNew = expected && !message.includes(expected);
      return {
        ...wordAt(state, problem),
        severity: 'error',
        message: isNew ? `${shown(message)} (${shown(expected)})` : shown(message),
      };
    }),
  );
