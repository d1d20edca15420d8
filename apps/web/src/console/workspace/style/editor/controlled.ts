import { type Compartment, EditorState, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect } from 'react';

interface Frame {
  label: string;
  /** Id of the element that describes the editor. */
  help: string | undefined;
  /** Whether the text has mistakes. */
  isWrong: boolean;
  canEdit: boolean;
}

/** Names the editor, and marks it as wrong or as read-only. */
export function useFrame(
  view: EditorView | null,
  part: Compartment,
  { label, help, isWrong, canEdit }: Frame,
): void {
  useEffect(() => {
    const attributes = {
      'aria-label': label,
      'aria-invalid': String(isWrong),
      spellcheck: 'false',
      ...(help === undefined ? {} : { 'aria-describedby': help }),
      ...(canEdit ? {} : { 'aria-readonly': 'true', tabindex: '0' }),
    };
    const frame = [
      EditorState.readOnly.of(!canEdit),
      EditorView.editable.of(canEdit),
      EditorView.contentAttributes.of(attributes),
      EditorView.editorAttributes.of({ class: isWrong ? 'cm-wrong' : '' }),
    ];
    view?.dispatch({ effects: part.reconfigure(frame) });
  }, [view, part, label, help, isWrong, canEdit]);
}

/** Shows a text that was changed elsewhere. */
export function useText(view: EditorView | null, text: string): void {
  useEffect(() => {
    if (!view || view.state.doc.toString() === text) return;
    const changes = { from: 0, to: view.state.doc.length, insert: text };
    view.dispatch({ changes, annotations: Transaction.remote.of(true) });
  }, [view, text]);
}
