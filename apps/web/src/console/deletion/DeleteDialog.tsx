import type { AnswerOf } from '@cartulary/client';
import { Button, Loader } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog } from '../../common/Dialog.js';
import fields from '../../common/fields.module.css';
import { useTexts } from '../../common/texts/language.js';
import { explain } from '../catalog/explain.js';
import { clientOf } from '../client.js';
import type { ConsoleTexts } from '../texts/texts.en.js';
import { useConsoleTexts } from '../texts/useConsoleTexts.js';
import { useLoaded } from '../useLoaded.js';
import { useSending } from '../useSending.js';
import classes from './deletion.module.css';

export type Losses = AnswerOf<'/api/2.8/{project}/deletion/', 'get'>;

/** What is deleted, as the service counts it. */
type Doomed =
  | {
      map: string;
      folder?: string;
      layer?: string;
      /** Of the layer. */
      column?: string;
    }
  | { user: string };

interface DeleteDialogProps {
  project: string;
  /** null: a whole project. */
  doomed: Doomed | null;
  /** Counts what is deleted; absent: the service counts it by `doomed`. */
  count?: (signal: AbortSignal) => Promise<Losses>;
  title: string;
  name: string;
  /** What to know beside the numbers. */
  note?: string;
  /** A text that must be typed first. */
  typed?: string;
  /** Deletes it; the losses are those that the user was told of. */
  remove: (losses: Losses) => Promise<unknown>;
  onClose: () => void;
  onDone: () => void;
}

/** The dialog that deletes something, with the numbers of what is deleted with it. */
export function DeleteDialog(props: DeleteDialogProps): ReactNode {
  const { project, doomed, title, name, note, typed, remove, onClose, onDone } = props;
  const texts = useConsoleTexts();
  const common = useTexts();
  const [answer, setAnswer] = useState('');
  const { isBusy, problem, send } = useSending();
  const { value: losses, error } = useLoaded(`${project} ${JSON.stringify(doomed)}`, (signal) =>
    props.count ? props.count(signal) : countLosses(project, doomed!, signal),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void send(() => remove(losses!)).then((isDone) => isDone && onDone());
  };
  const isAgreed = typed === undefined || answer.trim() === typed;
  return (
    <Dialog title={title} onClose={onClose}>
      <form className={fields.form} onSubmit={submit} autoComplete="off">
        {losses && <LossList name={name} losses={inside(doomed, losses)} texts={texts} />}
        {note && <p className={classes.loss}>{note}</p>}
        {!losses && !error && (
          <p role="status">
            <Loader size="sm" /> {common.loading}
          </p>
        )}
        {typed !== undefined && <TypedField typed={typed} value={answer} onChange={setAnswer} />}
        <p className={fields.problem} role="alert">
          {problem || (error ? explain(error, texts, common) : '')}
        </p>
        <div className={fields.buttons}>
          <Button variant="default" size="md" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button type="submit" color="red.9" size="md" loading={isBusy} disabled={!losses || !isAgreed}>
            {texts.removeNow}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface TypedFieldProps {
  typed: string;
  value: string;
  onChange: (value: string) => void;
}

/** Where the user types what shall be deleted. */
function TypedField({ typed, value, onChange }: TypedFieldProps): ReactNode {
  return (
    <label className={fields.field}>
      <span>{useConsoleTexts().typeToDelete(typed)}</span>
      <input
        value={value}
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}

const countLosses = (project: string, query: Doomed, signal: AbortSignal): Promise<Losses> =>
  clientOf(project).get('/api/2.8/{project}/deletion/', { params: { query }, signal });

/** What goes with a folder or layer: it counts itself, too. A column does not. The groups of a user stay. */
function inside(doomed: Doomed | null, losses: Losses): Losses {
  if (doomed === null) return losses;
  if ('user' in doomed) return { ...losses, groups: 0 };
  if (doomed.column !== undefined) return losses;
  const { folders = 0, layers = 0 } = losses;
  if (doomed.layer !== undefined) return { ...losses, layers: layers - 1 };
  if (doomed.folder !== undefined) return { ...losses, folders: folders - 1 };
  return { ...losses, maps: 0 };
}

const counted = [
  'maps',
  'folders',
  'layers',
  'objects',
  'values',
  'files',
  'users',
  'groups',
  'sessions',
  'constraints',
  'dictionary_links',
  'grants',
] as const;

function LossList(props: { name: string; losses: Losses; texts: ConsoleTexts }): ReactNode {
  const { name, losses, texts } = props;
  const common = useTexts();
  const words = { ...texts.losses, maps: common.mapCount };
  const lost = counted.filter((kind) => losses[kind]);
  return (
    <>
      <p className={classes.loss}>{lost.length ? texts.removes(name) : texts.removesNothing(name)}</p>
      {lost.length > 0 && (
        <ul className={classes.losses}>
          {lost.map((kind) => (
            <li key={kind}>{words[kind](losses[kind]!)}</li>
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
