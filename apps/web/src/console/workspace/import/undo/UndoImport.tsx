import type { AnswerOf, CartularyClient } from '@cartulary/client';
import { Button, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from '../../../../common/Dialog.js';
import fields from '../../../../common/fields.module.css';
import { useLanguage, useTexts } from '../../../../common/texts/language.js';
import { dateAndTime } from '../../../../common/times.js';
import { explain } from '../../../catalog/explain.js';
import { clientOf } from '../../../client.js';
import { useConsoleTexts } from '../../../texts/useConsoleTexts.js';
import { useLoaded } from '../../../useLoaded.js';
import { useSending } from '../../../useSending.js';
import classes from '../import.module.css';
import type { ImportTexts } from '../texts.en.js';
import { useImportTexts } from '../useImportTexts.js';

const path = '/api/2.8/{project}/{map}/layers/{layer}/import/undo/';

/** The last import into a layer, with the version that its undoing names. */
export type LastImport = AnswerOf<typeof path, 'get'> & { etag: string };

interface LayerPlace {
  map: string;
  layer: string;
}

/** Reads the last import into a layer. */
export async function readLastImport(
  client: CartularyClient,
  place: LayerPlace,
  signal: AbortSignal,
): Promise<LastImport> {
  let etag = '';
  const onResponse = ({ headers }: Response): void => {
    etag = headers.get('etag') ?? '';
  };
  const last = await client.get(path, { params: { path: place }, signal, onResponse });
  return { ...last, etag };
}

interface UndoImportProps {
  project: string;
  place: LayerPlace;
  onClose: () => void;
  /** Called when it is done, with the columns that stay. */
  onDone: (keptColumns: readonly string[]) => void;
}

/** The dialog that undoes the last import into a layer, after it has told what becomes of the objects. */
export function UndoImport({ project, place, onClose, onDone }: UndoImportProps): ReactNode {
  const texts = useImportTexts();
  const consoleTexts = useConsoleTexts();
  const common = useTexts();
  const client = clientOf(project);
  const { isBusy, problem, send } = useSending({ changed_meanwhile: texts.undoChanged });
  const { value: last, error } = useLoaded(`${project} ${place.map} ${place.layer}`, (signal) =>
    readLastImport(client, place, signal),
  );
  const undo = (): void => {
    let kept: readonly string[] = [];
    void send(async () => {
      const params = { path: place, header: { 'if-match': last!.etag } };
      kept = (await client.post(path, { params })).kept_columns;
    }).then((isDone) => isDone && onDone(kept));
  };
  return (
    <Dialog title={texts.undoTitle} onClose={onClose}>
      <div className={fields.form}>
        {last ? <UndoFacts last={last} texts={texts} /> : null}
        {!last && !error && (
          <p role="status">
            <Loader size="sm" /> {common.loading}
          </p>
        )}
        <p className={fields.problem} role="alert">
          {problem || (error ? explain(error, consoleTexts, common) : '')}
        </p>
        <div className={fields.buttons}>
          <Button variant="default" size="md" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button
            color="red.9"
            size="md"
            loading={isBusy}
            disabled={last?.state !== 'possible'}
            onClick={undo}
          >
            {texts.undo}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Which import it was, and what its undoing does. */
function UndoFacts({ last, texts }: { last: LastImport; texts: ImportTexts }): ReactNode {
  const { ui } = useLanguage();
  const { state, import: done } = last;
  if (!done) return <p className={classes.undo}>{texts.undoNone}</p>;
  const { file, login, imported_at, added, changed, removed, columns } = done;
  const format = dateAndTime(ui);
  return (
    <>
      <p className={classes.undo}>
        {texts.undoWhich(file ?? '', login ?? '', format.format(new Date(imported_at)))}
      </p>
      {state === 'changed' ? (
        <p className={classes.undo}>{texts.undoChanged}</p>
      ) : (
        <ul className={classes.notes}>
          {added > 0 && <li>{texts.undoAdded(added)}</li>}
          {changed > 0 && <li>{texts.undoneChanges(changed)}</li>}
          {removed > 0 && <li>{texts.undoRemoved(removed)}</li>}
          {columns.length > 0 && <li>{texts.undoColumns(columns.join(', '))}</li>}
        </ul>
      )}
      <p className={fields.hint}>{texts.undoUntil(format.format(new Date(done.until)))}</p>
    </>
  );
}
