import type { FileDetails } from '@cartulary/client';
import { ActionIcon, Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Dialog } from '../../../../common/Dialog.js';
import fields from '../../../../common/fields.module.css';
import { IconTrash, IconUpload } from '../../../../common/icons.js';
import { useExplain } from '../edit/useExplain.js';
import type { RowSource } from '../rows/source.js';
import { useTableTexts } from '../useTableTexts.js';
import classes from './files.module.css';
import { deleteFile, type FilePlace, fileAddress, readFiles, thumbnailOf } from './objectFiles.js';

interface FilesDialogProps {
  source: RowSource;
  place: FilePlace;
  title: string;
  canEdit: boolean;
  onChanged: () => void;
  onClose: () => void;
}

/** The files of a column of an object: looked at, added and deleted. */
export function FilesDialog({
  source,
  place,
  title,
  canEdit,
  onChanged,
  onClose,
}: FilesDialogProps): ReactNode {
  const texts = useTableTexts();
  const explain = useExplain();
  const { files, part, error, add, remove } = useFiles(source, place, onChanged);
  const input = useRef<HTMLInputElement>(null);
  const adder = useRef<HTMLButtonElement>(null);
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={fields.form}>
        {files?.length === 0 && <p className={fields.hint}>{texts.noFiles}</p>}
        <ul className={classes.files}>
          {files?.map((file) => (
            <FileItem
              key={file.uuid}
              project={source.client.project}
              file={file}
              onDelete={canEdit ? () => remove(file).then(() => adder.current?.focus()) : null}
            />
          ))}
        </ul>
        {part !== null && <progress className={classes.progress} aria-label={texts.sending} value={part} />}
        <p className={fields.problem} role="alert">
          {error ? explain(error) : ''}
        </p>
        {canEdit && (
          <div className={fields.buttons}>
            <input
              ref={input}
              type="file"
              multiple
              hidden
              aria-label={texts.addFiles}
              onChange={({ currentTarget }) => {
                void add([...(currentTarget.files ?? [])]);
                currentTarget.value = '';
              }}
            />
            <Button
              ref={adder}
              size="md"
              leftSection={<IconUpload size={18} aria-hidden />}
              loading={part !== null}
              onClick={() => input.current?.click()}
            >
              {texts.addFiles}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  );
}

/** Height of a picture in the dialog on a screen of double density, pixels. */
const heightPx = 240;

interface FileItemProps {
  project: string;
  file: FileDetails;
  /** null: the user may not delete it. */
  onDelete: (() => Promise<void>) | null;
}

function FileItem({ project, file, onDelete }: FileItemProps): ReactNode {
  const texts = useTableTexts();
  const picture = thumbnailOf(project, file, heightPx);
  const [isAsking, setAsking] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <li className={classes.file}>
      <a href={fileAddress(project, file)} target="_blank" rel="noopener noreferrer">
        {picture && <img src={picture} alt="" />}
        <span>{file.name}</span>
      </a>
      {onDelete && !isAsking && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={44}
          aria-label={texts.deleteFile(file.name)}
          onClick={() => setAsking(true)}
        >
          <IconTrash size={20} />
        </ActionIcon>
      )}
      {onDelete && isAsking && (
        <Button
          autoFocus
          color="red.9"
          size="compact-md"
          loading={isDeleting}
          onClick={() => {
            setDeleting(true);
            void onDelete().then(() => setDeleting(false));
          }}
        >
          {texts.deleteForGood}
        </Button>
      )}
    </li>
  );
}

/** Reads the files, and adds and deletes them. */
function useFiles(source: RowSource, place: FilePlace, onChanged: () => void) {
  const { object, field } = place;
  const [state, setState] = useState<{
    files: readonly FileDetails[] | null;
    part: number | null;
    error: unknown;
  }>({
    files: null,
    part: null,
    error: null,
  });
  const [version, setVersion] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is read anew
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    readFiles(source, { object, field }, signal).then(
      (files) => !signal.aborted && setState((before) => ({ ...before, files })),
      (error: unknown) => !signal.aborted && setState((before) => ({ ...before, error })),
    );
    return () => controller.abort();
  }, [source, object, field, version]);
  const carryOut = async (change: () => Promise<unknown>): Promise<void> => {
    setState((before) => ({ ...before, error: null }));
    let failure: unknown = null;
    await change().catch((error: unknown) => {
      failure = error;
    });
    setState((before) => ({ ...before, part: null, error: failure }));
    setVersion((before) => before + 1);
    onChanged();
  };
  const add = (files: readonly File[]): Promise<void> =>
    carryOut(async () => {
      for (const [i, file] of files.entries()) {
        const onProgress = (sent: number, total = file.size): void =>
          setState((before) => ({ ...before, part: (i + sent / Math.max(1, total)) / files.length }));
        await source.client.addFile(
          { ...source.path, object, field },
          { name: file.name, source: file },
          { onProgress },
        );
      }
    });
  const remove = (file: FileDetails): Promise<void> => carryOut(() => deleteFile(source, place, file.id));
  return { ...state, add, remove };
}
