import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { IconArrowBackUp } from '../../../../common/icons.js';
import { useLanguage } from '../../../../common/texts/language.js';
import { timeAgo } from '../../../../common/times.js';
import { clientOf } from '../../../client.js';
import { useLoaded } from '../../../useLoaded.js';
import type { Changes } from '../../useChanges.js';
import type { Workspace } from '../../useWorkspace.js';
import classes from '../import.module.css';
import { useImportTexts } from '../useImportTexts.js';
import { readLastImport, UndoImport } from './UndoImport.js';

interface LastImportNoteProps {
  workspace: Workspace;
  /** Code of the layer. */
  layer: string;
  changes: Changes;
}

/** Which file was imported last into a layer, while that can be undone, and the button for it. */
export function LastImportNote({ workspace, layer, changes }: LastImportNoteProps): ReactNode {
  const { project, map, version } = workspace;
  const texts = useImportTexts();
  const { ui } = useLanguage();
  const [isAsked, setAsked] = useState(false);
  const place = { map: map.code, layer };
  const client = clientOf(project);
  const { value } = useLoaded(
    `${project} ${map.code} ${layer}`,
    (signal) => readLastImport(client, place, signal),
    version,
  );
  const done = async (keptColumns: readonly string[]): Promise<void> => {
    setAsked(false);
    await workspace.reload();
    changes.tell(keptColumns.length ? texts.undoneBut(keptColumns.join(', ')) : texts.undone);
  };
  if (value?.state !== 'possible') return null;
  const { file, imported_at } = value.import!;
  return (
    <div className={classes.last}>
      <p>{texts.lastImport(file ?? '', timeAgo(imported_at, ui))}</p>
      <Button
        variant="light"
        leftSection={<IconArrowBackUp size={18} aria-hidden />}
        onClick={() => setAsked(true)}
      >
        {texts.undo}
      </Button>
      {isAsked && (
        <UndoImport project={project} place={place} onClose={() => setAsked(false)} onDone={done} />
      )}
    </div>
  );
}
