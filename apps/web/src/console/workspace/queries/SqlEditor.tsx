import { autocompletion } from '@codemirror/autocomplete';
import { PostgreSQL, sql } from '@codemirror/lang-sql';
import { setDiagnostics } from '@codemirror/lint';
import { Compartment, type EditorState, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useFrame, useText } from '../style/editor/controlled.js';
import { editing } from '../style/editor/editing.js';
import { highlighting } from '../style/editor/highlighting.js';
import { keywordCompletion } from './keywords.js';
import classes from './queries.module.css';
import type { QuerySchema } from './schema.js';
import { useQueryTexts } from './useQueryTexts.js';
import type { QueryProblem } from './useRun.js';

interface SqlEditorProps {
  text: string;
  canEdit: boolean;
  /** The layers of the map with their columns, for suggestions. */
  schema: QuerySchema;
  problem: QueryProblem | null;
  onChange: (text: string) => void;
}

/** The editor of SQL. Only this component loads the library of the editor. */
export default function SqlEditor(props: SqlEditorProps): ReactNode {
  const texts = useQueryTexts();
  const help = useId();
  const { canEdit, schema, problem, text } = props;
  const { host, view, parts } = useEditor(props);
  useEffect(() => {
    const language = sql({ dialect: PostgreSQL, schema: { ...schema }, keywordCompletion });
    view?.dispatch({ effects: parts.language.reconfigure(language) });
  }, [view, parts, schema]);
  useFrame(view, parts.frame, { label: texts.sql, help, isWrong: problem !== null, canEdit });
  useText(view, text);
  useEffect(() => {
    view?.dispatch(setDiagnostics(view.state, problem?.line ? [markOf(view.state, problem)] : []));
  }, [view, problem]);
  return (
    <div className={classes.editor}>
      <div ref={host} />
      <p id={help} className={classes.help}>
        {texts.hint} {canEdit && texts.editorHelp}
      </p>
    </div>
  );
}

/** The mark of a mistake: the word at its place. */
function markOf(state: EditorState, { line = 1, column = 1, text }: QueryProblem) {
  const at = state.doc.line(Math.min(line, state.doc.lines));
  const from = Math.min(at.from + column - 1, at.to);
  const length = /^[\p{L}\p{N}_.]+/u.exec(state.sliceDoc(from, at.to))?.[0].length ?? 1;
  return {
    from: Math.min(from, Math.max(at.from, at.to - 1)),
    to: Math.min(from + length, at.to),
    severity: 'error',
    message: text,
  } as const;
}

function useEditor(props: SqlEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView | null>(null);
  const [parts] = useState(() => ({ language: new Compartment(), frame: new Compartment() }));
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const onUpdate = EditorView.updateListener.of(({ state, docChanged, transactions }) => {
      if (docChanged && !transactions.every((one) => one.annotation(Transaction.remote)))
        latest.current.onChange(state.doc.toString());
    });
    const created = new EditorView({
      parent: host.current!,
      doc: latest.current.text,
      extensions: [
        editing,
        highlighting,
        autocompletion({ icons: false, maxRenderedOptions: 9 }),
        parts.language.of([]),
        parts.frame.of([]),
        onUpdate,
      ],
    });
    setView(created);
    return () => created.destroy();
  }, [parts]);
  return { host, view, parts };
}
