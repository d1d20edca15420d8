import { Button } from '@mantine/core';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import fields from '../../../common/fields.module.css';
import { IconArrowBackUp } from '../../../common/icons.js';
import { useTexts } from '../../../common/texts/language.js';
import { explain } from '../../catalog/explain.js';
import { lazyEditor } from '../../lazyPart.js';
import { useMistakes } from '../../mistakes/useMistakes.js';
import { useConsoleTexts } from '../../texts/useConsoleTexts.js';
import { Conflict } from '../inspector/Conflict.js';
import { useWorkspaceTexts } from '../texts/useWorkspaceTexts.js';
import type { Changes } from '../useChanges.js';
import { rights, type Workspace, type WorkspaceItem } from '../useWorkspace.js';
import { CopyStyle } from './CopyStyle.js';
import type { StyleSubject } from './editor/subject.js';
import { KindChoice, LookForm } from './forms/LookForm.js';
import { lookText } from './look.js';
import classes from './style.module.css';
import { type DrawnBy, placeIn } from './useDrawnBy.js';
import { type SteppedStyle, useSteps } from './useSteps.js';
import { type StyleEditing, type StyleProblem, useStyle } from './useStyle.js';
import { useSubject } from './useSubject.js';

/** The editor brings its library, which only this tab needs. */
const CodeEditor = lazyEditor(() => import('./editor/CodeEditor.js'));

interface StyleTabProps {
  workspace: Workspace;
  item: WorkspaceItem;
  changes: Changes;
  onDrawn: () => void;
  /** What drew the place of the map that was pointed at; null: nothing was. */
  drawnBy: DrawnBy | null;
  /** Shows the style of another layer. */
  onLayer: (code: string) => void;
}

/** How a layer is drawn. The map shows what is changed to its author alone, until it is saved. */
export function StyleTab(props: StyleTabProps): ReactNode {
  const { workspace, item, changes, onDrawn, onLayer } = props;
  const texts = useWorkspaceTexts();
  const common = useTexts();
  const onSaved = (): void => {
    void workspace.reload().then(() => changes.tell(texts.saved(item.name || item.code)));
  };
  const style = useSteps(useStyle({ workspace, item, onDrawn, onSaved }));
  const subject = useSubject(workspace, item);
  const drawnBy = props.drawnBy?.layer === item.code ? props.drawnBy : null;
  const canEdit = item.access >= rights.edit;
  if (!style || !subject) return <p role="status">{common.loading}</p>;
  return (
    <div className={fields.form}>
      <KindChoice
        style={style}
        subject={subject}
        canEdit={canEdit}
        isPicture={item.type === 'raster' || item.type === 'external'}
      />
      {style.look.kind === 'css' ? (
        <CssForm style={style} subject={subject} canEdit={canEdit} drawnBy={drawnBy} />
      ) : (
        <LookForm
          {...{ workspace, item, style, subject, canEdit }}
          look={style.look}
          current={drawnBy?.class ?? null}
        />
      )}
      {canEdit && <p className={fields.hint}>{texts.pointHint}</p>}
      {canEdit && <Footer style={style} />}
      <CopyStyle workspace={workspace} item={item} look={style.look} onCopied={onLayer} />
    </div>
  );
}

interface CssFormProps {
  style: StyleEditing;
  subject: StyleSubject;
  canEdit: boolean;
  drawnBy: DrawnBy | null;
}

/** The CartoCSS of a layer. */
function CssForm({ style, subject, canEdit, drawnBy }: CssFormProps): ReactNode {
  const texts = useWorkspaceTexts();
  const common = useTexts();
  const [target, setTarget] = useState<{ line: number; column: number } | null>(null);
  const latest = useRef(style);
  latest.current = style;
  useEffect(() => {
    const { look, saved } = latest.current;
    if (drawnBy?.block) setTarget(placeIn(look.css, saved.css, drawnBy.block));
  }, [drawnBy]);
  return (
    <>
      <h3 className={classes.heading}>{texts.cartoCss}</h3>
      <Suspense fallback={<p role="status">{common.loading}</p>}>
        <CodeEditor
          label={texts.cartoCss}
          text={style.look.css}
          saved={style.saved.css}
          canEdit={canEdit}
          subject={subject}
          problems={style.problems}
          target={target}
          onChange={(css, problems) => style.change({ kind: 'css', css }, problems)}
        />
      </Suspense>
      <ProblemList problems={style.problems} onChoose={(problem) => setTarget({ ...problem })} />
    </>
  );
}

interface ProblemListProps {
  problems: readonly StyleProblem[];
  onChoose: (problem: StyleProblem) => void;
}

/** The mistakes of a style; each leads to its place. */
function ProblemList({ problems, onChoose }: ProblemListProps): ReactNode {
  const texts = useWorkspaceTexts();
  const mistake = useMistakes();
  return (
    <div role="alert">
      {problems.length > 0 && (
        <ul className={classes.problems}>
          {problems.map((problem) => (
            <li key={`${problem.line} ${problem.column} ${problem.message}`}>
              <button type="button" onClick={() => onChoose(problem)}>
                {texts.placeInStyle(problem.line, problem.column)}
              </button>{' '}
              {mistake(problem.message)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Saves or discards the draft. */
function Footer({ style }: { style: SteppedStyle }): ReactNode {
  const texts = useWorkspaceTexts();
  const consoleTexts = useConsoleTexts();
  const common = useTexts();
  return (
    <>
      <p className={fields.problem} role="alert">
        {style.error ? explain(style.error, consoleTexts, common) : ''}
      </p>
      <p className={fields.hint}>{style.isChanged ? texts.draftHint : texts.styleHint}</p>
      {(style.isChanged || style.undo) && (
        <div className={fields.buttons}>
          {style.undo && (
            <Button
              variant="subtle"
              leftSection={<IconArrowBackUp size={18} aria-hidden />}
              onClick={style.undo}
            >
              {texts.undoStep}
            </Button>
          )}
          <Button variant="default" disabled={!style.isChanged} onClick={() => void style.discard()}>
            {texts.discardDraft}
          </Button>
          <Button
            loading={style.isBusy}
            disabled={!style.isChanged || style.problems.length > 0}
            onClick={() => void style.save()}
          >
            {texts.save}
          </Button>
        </div>
      )}
      {style.theirs && (
        <Conflict
          fields={[
            {
              key: 'style',
              label: texts.tabStyle,
              mine: lookText(style.look),
              theirs: lookText(style.theirs.look),
            },
          ]}
          onChoose={(mine) =>
            void (mine?.has('style') ? style.save(style.theirs!.etag) : style.discard(style.theirs!))
          }
          onLater={style.settleLater}
        />
      )}
    </>
  );
}
