import type { AnswerOf } from '@cartulary/client';
import { Button, Loader } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Dialog } from '../../common/Dialog.js';
import fields from '../../common/fields.module.css';
import { useTexts } from '../../common/texts/language.js';
import { clientOf } from '../client.js';
import type { ConsoleTexts } from '../texts/texts.en.js';
import { useConsoleTexts } from '../texts/useConsoleTexts.js';
import classes from './catalog.module.css';
import { explain } from './explain.js';
import type { CatalogMap } from './types.js';

type Losses = AnswerOf<'/api/2.8/{project}/deletion/', 'get'>;

interface DeleteMapProps {
  project: string;
  map: CatalogMap;
  onClose: () => void;
  onDone: (news: string) => void;
}

/** The dialog that deletes a map, with the numbers of layers and objects that are deleted with it. */
export function DeleteMap({ project, map, onClose, onDone }: DeleteMapProps): ReactNode {
  const texts = useConsoleTexts();
  const common = useTexts();
  const [losses, setLosses] = useState<Losses | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const { code } = map;
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    clientOf(project)
      .get('/api/2.8/{project}/deletion/', { params: { query: { map: code } }, signal })
      .then(setLosses, (error: unknown) => !signal.aborted && setProblem(error));
    return () => controller.abort();
  }, [project, code]);
  const name = map.name || code;
  const remove = (): void => {
    setBusy(true);
    setProblem(null);
    clientOf(project)
      .delete('/api/2.8/{project}/{map}/', { params: { path: { map: code } } })
      .then(
        () => onDone(texts.removed(name)),
        (error: unknown) => {
          setBusy(false);
          setProblem(error);
        },
      );
  };
  return (
    <Dialog title={texts.removeTitle} onClose={onClose}>
      <div className={fields.form}>
        {losses && <LossList name={name} losses={losses} texts={texts} />}
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
          <Button color="red.9" size="md" loading={isBusy} disabled={!losses} onClick={remove}>
            {texts.removeNow}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

const counted = ['folders', 'layers', 'objects', 'files', 'grants'] as const;

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
