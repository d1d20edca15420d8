import { ClientError } from '@cartulary/client';
import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Dialog } from '../../../common/Dialog.js';
import fields from '../../../common/fields.module.css';
import { useTexts } from '../../../common/texts/language.js';
import { codeFor } from '../../catalog/codeFor.js';
import { explain } from '../../catalog/explain.js';
import { useNotes } from '../../notes/useNotes.js';
import { useConsoleTexts } from '../../texts/useConsoleTexts.js';
import { freeCode } from '../dialogs/freeCode.js';
import type { Workspace } from '../useWorkspace.js';
import { ColumnChoices } from './ColumnChoices.js';
import { CoordinateFields } from './CoordinateFields.js';
import { isImage } from './dataSets.js';
import classes from './import.module.css';
import {
  asFound,
  isNewTarget,
  type NewTarget,
  type PlanColumn,
  type ReadingChoice,
  type Target,
} from './importing.js';
import { Preview, Problems } from './Preview.js';
import { ProgressBar } from './ProgressBar.js';
import { ReadingFields } from './ReadingFields.js';
import { Sketch } from './Sketch.js';
import { TargetChoice } from './TargetChoice.js';
import { type FileImport, useImport } from './useImport.js';
import { useImportTexts } from './useImportTexts.js';

interface ImportDialogProps {
  workspace: Workspace;
  file: File;
  /** Files that wait for their turn. */
  waiting: number;
  /** The folder that a new layer is put in. */
  parent: number;
  onClose: () => void;
  /** Gives this file and those that wait up. */
  onCloseAll: () => void;
  /** Whether this file and those that wait become new layers as they are found. It stops where something is wrong. */
  isAll: boolean;
  onAll: () => void;
  /** Called when objects have been stored, with the code of their layer. */
  onStored: (layer: string) => void;
}

/** The dialog that imports a file: it shows first what the file holds, and stores nothing before it is told to. */
export function ImportDialog(props: ImportDialogProps): ReactNode {
  const { workspace, file, waiting, parent, isAll, onAll, onClose, onCloseAll, onStored } = props;
  const texts = useImportTexts();
  const [suggested] = useState(() => newLayerFor(file, workspace, parent));
  const [target, setTarget] = useState<Target>(suggested);
  const [reading, setReading] = useState(asFound);
  const importing = useImport(workspace, file, suggested);
  const { state } = importing;
  const seen = useSeenColumns(state);
  const close = (): void => {
    if (state.step === 'done') onStored(state.layer);
    else onClose();
  };
  useAll(isAll, importing, { suggested, onStored });
  return (
    <Dialog title={texts.title(file.name)} isWide onClose={close}>
      <div className={classes.import}>
        {waiting > 0 && (
          <div className={classes.waiting}>
            <p>{texts.oneAtATime(waiting)}</p>
            {!isAll && (
              <Button variant="light" onClick={onAll}>
                {texts.all(waiting + 1)}
              </Button>
            )}
            <Button variant="subtle" onClick={onCloseAll}>
              {texts.cancelAll(waiting + 1)}
            </Button>
          </div>
        )}
        {state.step === 'preview' ? (
          <Choices
            {...{ workspace, suggested, target, setTarget, reading, setReading, importing, seen }}
            preview={state}
            onCancel={close}
          />
        ) : (
          <OtherSteps
            {...{ importing, reading, setReading }}
            isImage={showsImage(target)}
            onClose={close}
            onBack={() => importing.look(reading, target)}
          />
        )}
      </div>
    </Dialog>
  );
}

const showsImage = ({ kind }: Target): boolean => kind === 'image' || kind === 'other image';

/** Carries an import out without questions, while nothing is wrong with the file. */
function useAll(
  isAll: boolean,
  { state, start }: FileImport,
  { suggested, onStored }: { suggested: Target; onStored: (layer: string) => void },
): void {
  const { step } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step is answered once
  useEffect(() => {
    if (!isAll) return;
    if (state.step === 'preview' && state.plan.read > state.plan.refused) start(asFound, suggested);
    if (state.step === 'done' && state.report.refused === 0) onStored(state.layer);
  }, [isAll, step]);
}

/** The new layer that a file suggests by its name. */
function newLayerFor(file: File, workspace: Workspace, parent: number): NewTarget {
  const name = file.name.replace(
    /(\.(zip|gz|csv|geojson|json|shp|kml|kmz|xlsx?|gpkg|fgb|parquet|gpx|dbf|tab|mif|dxf|sxf|tiff?|png|jpe?g))+$/i,
    '',
  );
  return {
    kind: isImage(file) ? 'image' : 'new',
    name,
    code: freeCode(codeFor(name), 'layer', workspace),
    parent,
  };
}

/** The columns that the file has been seen to have, also those that are left out now. */
function useSeenColumns(state: FileImport['state']): PlanColumn[] {
  const seen = useRef({ of: '', columns: new Map<string, PlanColumn>() });
  if (state.step === 'preview') {
    // In another encoding the columns have other names, in another sheet they are others.
    const of = `${state.reading.encoding}\n${state.reading.sheet}`;
    if (seen.current.of !== of) seen.current = { of, columns: new Map() };
    for (const column of state.plan.columns ?? []) {
      const [property = column.code] = column.properties;
      seen.current.columns.set(property, column);
    }
  }
  return [...seen.current.columns.values()];
}

interface ChoicesProps {
  workspace: Workspace;
  suggested: NewTarget;
  target: Target;
  setTarget: (target: Target) => void;
  reading: ReadingChoice;
  setReading: (reading: ReadingChoice) => void;
  importing: FileImport;
  preview: Extract<FileImport['state'], { step: 'preview' }>;
  seen: readonly PlanColumn[];
  onCancel: () => void;
}

/** Formats whose files may have several sheets or layers. */
const sheetFormats: ReadonlySet<string> = new Set(['xlsx', 'xls', 'gpkg']);

/** Pause before the file is looked at with what has been typed, ms. */
const pauseMs = 500;

/** The preview, with what can be chosen. It follows the choices: the file is imported as it was seen. */
function Choices(props: ChoicesProps): ReactNode {
  const { workspace, suggested, target, setTarget, reading, setReading, importing, preview, seen } = props;
  const { plan, isLooking, problem } = preview;
  const texts = useImportTexts();
  const hasImage = showsImage(target);
  const isFollowing = isLooking || preview.reading !== reading;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is looked at, once
  useEffect(() => {
    if (preview.reading === reading) return;
    const timer = setTimeout(() => importing.look(reading, target), pauseMs);
    return () => clearTimeout(timer);
  }, [reading]);
  const retarget = (next: Target): void => {
    setTarget(next);
    const isRenamed = isNewTarget(next) && isNewTarget(target);
    if (!isRenamed) importing.look(reading, next);
  };
  return (
    <>
      <ReadingFields
        reading={reading}
        isImage={hasImage}
        hasSheets={sheetFormats.has(plan.format)}
        onChange={setReading}
      />
      {!hasImage && <CoordinateFields plan={plan} seen={seen} reading={reading} onChange={setReading} />}
      <div className={classes.preview} aria-busy={isFollowing}>
        <Preview plan={plan}>
          <Sketch plan={plan} items={workspace.items} />
          {!hasImage && <h3 className={classes.heading}>{texts.columns}</h3>}
          {seen.length > 0 && <ColumnChoices seen={seen} reading={reading} onChange={setReading} />}
          {!seen.length && !hasImage && <p>{texts.noColumns}</p>}
        </Preview>
      </div>
      {plan.read === 0 && <p className={fields.problem}>{texts.nothing}</p>}
      <TargetChoice {...{ workspace, target, suggested, plan }} onChange={retarget} />
      <div className={`${fields.buttons} ${classes.footer}`}>
        <FollowingState isFollowing={isFollowing} problem={problem} />
        <Button variant="default" size="md" onClick={props.onCancel}>
          {texts.cancel}
        </Button>
        <Button
          size="md"
          disabled={isFollowing || plan.read === plan.refused || (target.kind === 'merge' && !target.key)}
          onClick={() => importing.start(reading, target)}
        >
          {texts.start}
        </Button>
      </div>
    </>
  );
}

/** Tells why a file cannot be read or stored. */
function Failure({ error }: { error: unknown }): ReactNode {
  const consoleTexts = useConsoleTexts();
  const common = useTexts();
  const shown = useNotes();
  const text = explain(error, consoleTexts, common);
  // Messages that the page has no words of its own for come from the service.
  const isOfService = error instanceof ClientError && text === error.message;
  return (
    <p className={fields.problem} role="alert">
      {isOfService ? shown(text) : text}
    </p>
  );
}

/** Tells that the file is being looked at with other choices, or why it cannot be read with them. */
function FollowingState({ isFollowing, problem }: { isFollowing: boolean; problem: unknown }): ReactNode {
  const texts = useImportTexts();
  if (problem) return <Failure error={problem} />;
  return (
    <p className={classes.following} role="status">
      {isFollowing ? texts.following : ''}
    </p>
  );
}

interface OtherStepsProps {
  importing: FileImport;
  reading: ReadingChoice;
  setReading: (reading: ReadingChoice) => void;
  isImage: boolean;
  onClose: () => void;
  onBack: () => void;
}

/** Sending, reading and storing with their progress, the report, and what has failed. */
function OtherSteps(props: OtherStepsProps): ReactNode {
  const { importing, reading, setReading, isImage, onClose, onBack } = props;
  const texts = useImportTexts();
  const { tryAgain } = useTexts();
  const { state } = importing;
  if (state.step === 'done') {
    return (
      <>
        <p className={classes.stored} role="status">
          {texts.done}. {state.report.raster ? texts.imageStored : texts.stored(state.report.stored)}
        </p>
        <Problems report={state.report} title={texts.refused(state.report.refused)} />
        <div className={fields.buttons}>
          <Button size="md" onClick={onClose}>
            {texts.close}
          </Button>
        </div>
      </>
    );
  }
  const isUnread = state.step === 'failed' && state.isUnread;
  return (
    <>
      {state.step === 'failed' ? <Failure error={state.error} /> : <ProgressBar state={state} />}
      {isUnread && (
        <>
          <p>{texts.readOtherwise}</p>
          <ReadingFields reading={reading} isImage={isImage} onChange={setReading} />
        </>
      )}
      <div className={fields.buttons}>
        <Button variant="default" size="md" onClick={onClose}>
          {texts.cancel}
        </Button>
        {state.step === 'failed' && (
          <Button size="md" onClick={state.during === 'sending' ? importing.sendAgain : onBack}>
            {isUnread ? texts.readAgain : state.during === 'storing' ? texts.back : tryAgain}
          </Button>
        )}
      </div>
    </>
  );
}
