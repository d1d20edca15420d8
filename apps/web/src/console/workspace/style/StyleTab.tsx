import { Button } from '@mantine/core';
import { type ReactNode, useId, useRef } from 'react';
import fields from '../../../common/fields.module.css';
import { useTexts } from '../../../common/texts/language.js';
import { explain } from '../../catalog/explain.js';
import { useConsoleTexts } from '../../texts/useConsoleTexts.js';
import { Conflict } from '../inspector/Conflict.js';
import { useWorkspaceTexts } from '../texts/useWorkspaceTexts.js';
import type { Changes } from '../useChanges.js';
import { rights, type Workspace, type WorkspaceItem } from '../useWorkspace.js';
import classes from './style.module.css';
import { type StyleEditing, type StyleProblem, useStyle } from './useStyle.js';

interface StyleTabProps {
  workspace: Workspace;
  item: WorkspaceItem;
  changes: Changes;
  onDrawn: () => void;
}

/** The CartoCSS of a layer. The map shows what is typed to its author alone, until it is saved. */
export function StyleTab({ workspace, item, changes, onDrawn }: StyleTabProps): ReactNode {
  const texts = useWorkspaceTexts();
  const onSaved = (): void => {
    void workspace.reload().then(() => changes.tell(texts.renamed(item.name || item.code)));
  };
  const style = useStyle({ workspace, item, onDrawn, onSaved });
  if (!style) return null;
  return <Editor style={style} canEdit={item.access >= rights.edit} />;
}

function Editor({ style, canEdit }: { style: StyleEditing; canEdit: boolean }): ReactNode {
  const texts = useWorkspaceTexts();
  const consoleTexts = useConsoleTexts();
  const common = useTexts();
  const area = useRef<HTMLTextAreaElement>(null);
  const problems = useId();
  return (
    <div className={fields.form}>
      <label className={classes.editor}>
        <span>{texts.cartoCss}</span>
        <textarea
          ref={area}
          value={style.text}
          readOnly={!canEdit}
          spellCheck={false}
          autoCapitalize="none"
          aria-describedby={problems}
          aria-invalid={style.problems.length > 0}
          onChange={(event) => style.change(event.currentTarget.value)}
        />
      </label>
      <div id={problems} role="alert">
        {style.problems.length > 0 && (
          <ProblemList problems={style.problems} onChoose={(one) => select(area.current!, one)} />
        )}
        <p className={fields.problem}>{style.error ? explain(style.error, consoleTexts, common) : ''}</p>
      </div>
      {canEdit && <p className={fields.hint}>{style.isChanged ? texts.draftHint : texts.styleHint}</p>}
      {canEdit && style.isChanged && (
        <div className={fields.buttons}>
          <Button variant="default" onClick={() => void style.discard()}>
            {texts.discardDraft}
          </Button>
          <Button
            loading={style.isBusy}
            disabled={style.problems.length > 0}
            onClick={() => void style.save()}
          >
            {texts.save}
          </Button>
        </div>
      )}
      {style.theirs && (
        <Conflict
          fields={[{ key: 'style', label: texts.cartoCss, mine: style.text, theirs: style.theirs.css }]}
          onChoose={(mine) =>
            void (mine?.has('style') ? style.save(style.theirs!.etag) : style.discard(style.theirs!))
          }
        />
      )}
    </div>
  );
}

interface ProblemListProps {
  problems: readonly StyleProblem[];
  onChoose: (problem: StyleProblem) => void;
}

/** The mistakes of a style; each leads to its place. */
function ProblemList({ problems, onChoose }: ProblemListProps): ReactNode {
  const texts = useWorkspaceTexts();
  return (
    <ul className={classes.problems}>
      {problems.map((problem) => (
        <li key={`${problem.line} ${problem.column} ${problem.message}`}>
          <button type="button" onClick={() => onChoose(problem)}>
            {texts.placeInStyle(problem.line, problem.column)}
          </button>{' '}
          {problem.message}
        </li>
      ))}
    </ul>
  );
}

/** Selects the line of a mistake, with the cursor at its place. */
function select(area: HTMLTextAreaElement, { line, column }: StyleProblem): void {
  const lines = area.value.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1] ?? '').length - column + 1);
}
