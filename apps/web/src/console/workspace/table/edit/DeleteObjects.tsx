import { type ReactNode, useEffect, useState } from 'react';
import { clientOf } from '../../../client.js';
import { useTableTexts } from '../useTableTexts.js';
import { ObjectForm } from './ObjectForm.js';

interface DeleteObjectsProps {
  project: string;
  map: string;
  layer: string;
  ids: readonly number[];
  onClose: () => void;
  onDelete: () => Promise<void>;
}

/** Asks before objects are deleted, with the number of their files, which do not come back. */
export function DeleteObjects({
  project,
  map,
  layer,
  ids,
  onClose,
  onDelete,
}: DeleteObjectsProps): ReactNode {
  const texts = useTableTexts();
  const [files, setFiles] = useState<number | null>(null);
  const objects = ids.join(';');
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    clientOf(project)
      .get('/api/2.8/{project}/deletion/', { params: { query: { map, layer, objects } }, signal })
      .then(
        (losses) => setFiles(losses.files ?? 0),
        () => {}, // the deletion says what is wrong
      );
    return () => controller.abort();
  }, [project, map, layer, objects]);
  return (
    <ObjectForm
      title={texts.deleteTitle(ids.length)}
      hint={`${texts.deleteHint} ${files ? texts.filesGo(files) : ''}`}
      action={texts.deleteNow}
      isDestructive
      onClose={onClose}
      onSubmit={onDelete}
    />
  );
}
