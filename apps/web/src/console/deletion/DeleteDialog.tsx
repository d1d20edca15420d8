import type { AnswerOf } from '@cartulary/client';
import { Button, Loader } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Dialog } from '../../common/Dialog.js';
import fields from '../../common/fields.module.css';
import { useTexts } from '../../common/texts/language.js';
import { explain } from '../catalog/explain.js';
import { clientOf } from '../client.js';
import type { ConsoleTexts } from '../texts/texts.en.js';
import { useConsoleTexts } from '../texts/useConsoleTexts.js';
import classes from './deletion.module.css';

export type Losses = AnswerOf<'/api/2.8/{project}/deletion/', 'get'>;

/** What is deleted, as the service counts it. */
interface Doomed {
  map: string;
  folder?: string;
  layer?: string;
  /** Of the layer. */
  column?: string;
}

interface DeleteDialogProps {
  project: string;
  doomed: Doomed;
  title: string;
  name: string;
  /** Deletes it; the losses are those that the user was told of. */
  remove: (losses: Losses) => Promise<unknown>;
  onClose: () => void;
  onDone: () => void;
}

/** The dialog that deletes something, with the numbers of what is deleted with it. */
export function DeleteDialog(props: DeleteDialogProps): ReactNode {
  const { project, doomed, title, name, remove, onClose, onDone } = props;
  const texts = useConsoleTexts();
  const common = useTexts();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const losses = useLosses(project, doomed, setProblem);
  const carryOut = (): void => {
    setBusy(true);
    setProblem(null);
    remove(losses!).then(onDone, (error: unknown) => {
      setBusy(false);
      setProblem(error);
    });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={fields.form}>
        {losses && <LossList name={name} losses={inside(doomed, losses)} texts={texts} />}
        {!losses && !problem && (
          <p role="status">
            <Loader size="sm" /> {common.loading}
          </p>
        )}
        <p className={fields.problem} role="alert">
          {problem ? explain(problem, texts, common) : ''}
        </p>
        <div className={fields.buttons}>
          <Button variant="default" size="md" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button color="red.9" size="md" loading={isBusy} disabled={!losses} onClick={carryOut}>
            {texts.removeNow}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Asks what a deletion would take. */
function useLosses(project: string, doomed: Doomed, onProblem: (error: unknown) => void): Losses | null {
  const [losses, setLosses] = useState<Losses | null>(null);
  const { map, folder, layer, column } = doomed;
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const query = {
      map,
      ...(folder === undefined ? {} : { folder }),
      ...(layer === undefined ? {} : { layer }),
      ...(column === undefined ? {} : { column }),
    };
    clientOf(project)
      .get('/api/2.8/{project}/deletion/', { params: { query }, signal })
      .then(setLosses, (error: unknown) => !signal.aborted && onProblem(error));
    return () => controller.abort();
  }, [project, map, folder, layer, column, onProblem]);
  return losses;
}

/** What goes with a folder or layer: it counts itself, too. A column does not. */
function inside({ folder, layer, column }: Doomed, losses: Losses): Losses {
  if (column !== undefined) return losses;
  const { folders = 0, layers = 0 } = losses;
  if (layer !== undefined) return { ...losses, layers: layers - 1 };
  return folder === undefined ? losses : { ...losses, folders: folders - 1 };
}

const counted = [
  'folders',
  'layers',
  'objects',
  'values',
  'files',
  'constraints',
  'dictionary_links',
  'grants',
] as const;

function LossList(props: { name: string; losses: Losses; texts: ConsoleTexts }): ReactNode {
  const { name, losses, texts } = props;
  const lost = counted.filter((kind) => losses[kind]);
  return (
    <>
      <p className={classes.loss}>{lost.length ? texts.removes(name) : texts.removesNothing(name)}</p>
      {lost.length > 0 && (
        <ul className={classes.losses}>
          {lost.map((kind) => (
            <li key={kind}>{texts[kind](losses[kind]!)}</li>
          ))}
        </ul>
      )}
      {losses.readers && losses.readers.length > 0 && (
        <p className={classes.loss}>{texts.readers(losses.readers.join(', '))}</p>
      )}
      {losses.other_readers ? (
        <p className={classes.loss}>{texts.otherReaders(losses.other_readers)}</p>
      ) : null}
    </>
  );
}
