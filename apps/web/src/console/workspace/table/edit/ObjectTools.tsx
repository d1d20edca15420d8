import { ClientError } from '@cartulary/client';
import { type ReactNode, useState } from 'react';
import { IconCopy, IconPencil, IconPlus, IconTrash } from '../../../../common/icons.js';
import type { TableContext } from '../context.js';
import type { RowStore } from '../rows/RowStore.js';
import { Tool } from '../Tool.js';
import type { Selection } from '../useSelection.js';
import { useTableTexts } from '../useTableTexts.js';
import { AddDialog } from './AddDialog.js';
import { ChangeDialog } from './ChangeDialog.js';
import { DeleteObjects } from './DeleteObjects.js';
import type { EditStore } from './EditStore.js';
import { addObject, changeMany, copyObjects, deleteObjects } from './objectChanges.js';
import type { FieldValues } from './objects.js';

interface ObjectToolsProps extends Pick<TableContext, 'workspace' | 'item' | 'changes' | 'onStored'> {
  store: RowStore;
  selection: Selection;
  edits: EditStore;
  /** Shows an object that was made. */
  onMade: (id: number) => void;
}

type ObjectDialog = 'add' | 'change' | 'delete' | null;

/** The tools that add, copy, change and delete objects. What they do can be taken back. */
export function ObjectTools(props: ObjectToolsProps): ReactNode {
  const { changes, store, selection } = props;
  const texts = useTableTexts();
  const [dialog, setDialog] = useState<ObjectDialog>(null);
  const carryOut = useCarryOut(props);
  const { source } = store;
  const place = { source, aliases: props.edits.aliases };
  const ids = [...selection.ids];
  const close = (): void => setDialog(null);
  const add = async (fields: FieldValues): Promise<void> => {
    try {
      await carryOut(texts.addedObject, () => addObject(place, fields));
      close();
    } catch (error) {
      // The dialog asks for the values that the service requires.
      if (dialog || !(error instanceof ClientError) || error.code !== 'required_missing') throw error;
      setDialog('add');
    }
  };
  return (
    <>
      <Tool
        icon={<IconPlus size={20} />}
        label={texts.addObject}
        onClick={() => add({}).catch(changes.tellProblem)}
      />
      <Tool
        icon={<IconCopy size={20} />}
        label={texts.copyObjects(ids.length)}
        isDisabled={!ids.length}
        onClick={() =>
          carryOut(texts.copied(ids.length), () => copyObjects(place, ids)).catch(changes.tellProblem)
        }
      />
      <Tool
        icon={<IconPencil size={20} />}
        label={texts.changeObjects(ids.length)}
        isDisabled={!ids.length}
        onClick={() => setDialog('change')}
      />
      <Tool
        icon={<IconTrash size={20} />}
        label={texts.deleteObjects(ids.length)}
        isDisabled={!ids.length}
        onClick={() => setDialog('delete')}
      />
      <ObjectDialogs {...props} dialog={dialog} carryOut={carryOut} onAdd={add} onClose={close} />
    </>
  );
}

interface ObjectDialogsProps extends ObjectToolsProps {
  dialog: ObjectDialog;
  carryOut: ReturnType<typeof useCarryOut>;
  onAdd: (fields: FieldValues) => Promise<void>;
  onClose: () => void;
}

/** The dialog of a tool. */
function ObjectDialogs(props: ObjectDialogsProps): ReactNode {
  const { workspace, item, store, selection, edits, dialog, carryOut, onAdd, onClose: close } = props;
  const texts = useTableTexts();
  const { source } = store;
  const place = { source, aliases: edits.aliases };
  const ids = [...selection.ids];
  return (
    <>
      {dialog === 'add' && <AddDialog columns={source.columns} onClose={close} onAdd={onAdd} />}
      {dialog === 'change' && (
        <ChangeDialog
          columns={source.columns}
          count={ids.length}
          onClose={close}
          onChange={async (change) => {
            await carryOut(texts.changed(ids.length), () => changeMany(place, ids, change));
            close();
          }}
        />
      )}
      {dialog === 'delete' && (
        <DeleteObjects
          project={workspace.project}
          map={workspace.map.code}
          layer={item.code}
          ids={ids}
          onClose={close}
          onDelete={async () => {
            await carryOut(texts.deletedObjects(ids.length), () => deleteObjects(place, ids));
            selection.setIds(new Set());
            close();
          }}
        />
      )}
    </>
  );
}

/** Carries out a change, shows what it has made, and remembers how it is taken back. */
function useCarryOut({ store, edits, selection, changes, onStored, onMade }: ObjectToolsProps) {
  return async (
    label: string,
    change: () => Promise<{ created: number[]; undo: () => Promise<void> }>,
  ): Promise<void> => {
    const { created, undo } = await change();
    const isShown = (): void => {
      store.reload();
      onStored();
    };
    edits.remember({
      label,
      undo: async () => {
        await undo();
        selection.setIds(new Set());
        isShown();
      },
    });
    changes.tell(label);
    isShown();
    if (!created.length) return;
    selection.setIds(new Set(created));
    onMade(created[0]!);
  };
}
