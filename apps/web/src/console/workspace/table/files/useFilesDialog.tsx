import { type ReactNode, useState } from 'react';
import type { EditStore } from '../edit/EditStore.js';
import { firstValueColumn } from '../edit/useEditing.js';
import type { GridPlace } from '../grid/useGridKeys.js';
import type { RowStore } from '../rows/RowStore.js';
import { useTableTexts } from '../useTableTexts.js';
import { FilesDialog } from './FilesDialog.js';
import type { FilePlace } from './objectFiles.js';

interface FilesContext {
  store: RowStore;
  edits: EditStore;
  canEdit: boolean;
}

interface OpenFiles extends FilePlace {
  title: string;
}

/** The dialog of the files in a cell. */
export function useFilesDialog({ store, edits, canEdit }: FilesContext): {
  /** Opens the files of a cell. Returns whether the cell has files. */
  open: (place: GridPlace) => boolean;
  element: ReactNode;
} {
  const texts = useTableTexts();
  const [shown, setShown] = useState<OpenFiles | null>(null);
  const { source } = store;
  const open = ({ row, column }: GridPlace): boolean => {
    const details = source.columns[column - firstValueColumn];
    const object = store.row(row)?.id;
    if (details?.type !== 'file' || object === undefined) return false;
    setShown({ object, field: details.code, title: texts.edit(details.name || details.code, object) });
    return true;
  };
  const element = shown && (
    <FilesDialog
      source={source}
      place={shown}
      title={shown.title}
      canEdit={canEdit}
      onChanged={() => void edits.refresh(shown.object).catch(() => store.reload())}
      onClose={() => setShown(null)}
    />
  );
  return { open, element };
}
