import { redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import { Compartment, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { ActionIcon, Tooltip } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { IconArrowBackUp, IconArrowForwardUp, IconGitCompare } from '../../../../common/icons.js';
import { useMistakes } from '../../../mistakes/useMistakes.js';
import type { StyleProblem } from '../useStyle.js';
import { problemsOf, underline, wordAt } from './checks.js';
import { useFrame, useText } from './controlled.js';
import classes from './editor.module.css';
import { assistance, basics, comparison } from './extensions.js';
import type { StyleSubject } from './subject.js';
import { useEditorTexts } from './useEditorTexts.js';

export interface CodeEditorProps {
  label: string;
  text: string;
  /** The saved style, for comparison. */
  saved: string;
  canEdit: boolean;
  subject: StyleSubject;
  problems: readonly StyleProblem[];
  /** The place to go to; another object goes there again. */
  target: { line: number; column: number } | null;
  /** Receives the text with its mistakes. */
  onChange: (text: string, problems: StyleProblem[]) => void;
}

/** The editor of CartoCSS. Only this component loads the library of the editor. */
export default function CodeEditor(props: CodeEditorProps): ReactNode {
  const texts = useEditorTexts();
  const help = useId();
  const { host, view, depths, isComparing, setComparing } = useEditor(props, help);
  const { canEdit, text, saved } = props;
  return (
    <div className={classes.editor}>
      {canEdit && (
        <div className={classes.tools}>
          <Tool label={texts.undo} isOff={!depths.undo} onClick={() => view && undo(view)}>
            <IconArrowBackUp size={18} aria-hidden />
          </Tool>
          <Tool label={texts.redo} isOff={!depths.redo} onClick={() => view && redo(view)}>
            <IconArrowForwardUp size={18} aria-hidden />
          </Tool>
          <Tool
            label={texts.compare}
            isOff={text === saved && !isComparing}
            isPressed={isComparing}
            onClick={() => setComparing(!isComparing)}
          >
            <IconGitCompare size={18} aria-hidden />
          </Tool>
        </div>
      )}
      <div ref={host} />
      {canEdit && (
        <p id={help} className={classes.help}>
          {texts.help}
        </p>
      )}
    </div>
  );
}

interface ToolProps {
  label: string;
  isOff: boolean;
  isPressed?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Tool({ label, isOff, isPressed, onClick, children }: ToolProps): ReactNode {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={isPressed ? 'light' : 'subtle'}
        size={36}
        aria-label={label}
        aria-pressed={isPressed}
        disabled={isOff}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

/** The parts of the editor's configuration that change. */
interface Parts {
  assistance: Compartment;
  comparison: Compartment;
  frame: Compartment;
}

/** Holds a CodeMirror view, and keeps it in step with the properties of the component. */
function useEditor(props: CodeEditorProps, help: string) {
  const host = useRef<HTMLDivElement>(null);
  const [parts] = useState(
    (): Parts => ({
      assistance: new Compartment(),
      comparison: new Compartment(),
      frame: new Compartment(),
    }),
  );
  const [view, setView] = useState<EditorView | null>(null);
  const [depths, setDepths] = useState({ undo: 0, redo: 0 });
  const [isComparing, setComparing] = useState(false);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const onUpdate = EditorView.updateListener.of(({ state, docChanged, transactions }) => {
      setDepths({ undo: undoDepth(state), redo: redoDepth(state) });
      if (!docChanged || transactions.every((one) => one.annotation(Transaction.remote))) return;
      const written = state.doc.toString();
      latest.current.onChange(written, problemsOf(written, latest.current.subject));
    });
    const changing = Object.values(parts).map((part: Compartment) => part.of([]));
    const created = new EditorView({
      parent: host.current!,
      doc: latest.current.text,
      extensions: [basics, ...changing, onUpdate],
    });
    setView(created);
    return () => created.destroy();
  }, [parts]);
  useConfiguration(view, parts, { ...props, help, isComparing });
  useContent(view, props);
  return { host, view, depths, isComparing, setComparing };
}

/** Configures the editor for the layer, the language and the user's rights. */
function useConfiguration(
  view: EditorView | null,
  parts: Parts,
  props: CodeEditorProps & { help: string; isComparing: boolean },
): void {
  const texts = useEditorTexts();
  const { saved, subject, problems, canEdit, label, help, isComparing } = props;
  useEffect(() => {
    view?.dispatch({ effects: parts.assistance.reconfigure(assistance(subject, texts)) });
  }, [view, parts, subject, texts]);
  useEffect(() => {
    const shown = isComparing ? comparison(saved, texts) : [];
    view?.dispatch({ effects: parts.comparison.reconfigure(shown) });
  }, [view, parts, saved, isComparing, texts]);
  useFrame(view, parts.frame, {
    label,
    help: canEdit ? help : undefined,
    isWrong: problems.length > 0,
    canEdit,
  });
}

/** Shows the text, its mistakes, and the place to go to. */
function useContent(view: EditorView | null, { text, problems, target }: CodeEditorProps): void {
  const mistake = useMistakes();
  useText(view, text);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has other places
  useEffect(() => {
    view?.dispatch(underline(view.state, problems, mistake));
  }, [view, problems, text, mistake]);
  useEffect(() => {
    if (!view || !target) return;
    const { from, to } = wordAt(view.state, target);
    view.dispatch({
      selection: { anchor: from, head: to },
      effects: EditorView.scrollIntoView(from, { y: 'center' }),
    });
    view.focus();
  }, [view, target]);
}
