import type { ColumnDetails } from '@cartulary/client';
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import { IconAlertTriangle } from '../../../../common/icons.js';
import { useDraft } from '../../../drafts.js';
import { isCommandKey } from '../../../isCommandKey.js';
import type { TableContext } from '../context.js';
import { FileThumbs } from '../files/FileThumbs.js';
import type { GridPlace } from '../grid/useGridKeys.js';
import type { RowStore } from '../rows/RowStore.js';
import type { RowSource, TableRow } from '../rows/source.js';
import { useTableTexts } from '../useTableTexts.js';
import { CellEditor, type CellMove } from './CellEditor.js';
import { type CellDraft, EditStore } from './EditStore.js';
import classes from './edit.module.css';
import { useExplain } from './useExplain.js';

interface EditingContext extends TableContext {
  store: RowStore;
  columns: readonly ColumnDetails[];
  canEdit: boolean;
  active: GridPlace;
  onActive: (place: GridPlace) => void;
}

export interface Editing {
  edits: EditStore;
  /** Opens the editor of a cell. Returns whether the cell has one. */
  open: (place: GridPlace, text?: string) => boolean;
  onKey: (event: KeyboardEvent, place: GridPlace) => void;
  undo: () => Promise<void>;
  renderCell: (row: TableRow, column: ColumnDetails) => ReactNode;
}

/** Columns before those with values: id and geometry. */
export const firstValueColumn = 2;

/** Types of columns whose values are entered into their cell. */
const isEntered = ({ type }: ColumnDetails): boolean => type !== 'file';

/** Editing of cells: their editors, the keys that open them, and what is not stored yet. */
export function useEditing(context: EditingContext): Editing {
  const { store, columns, canEdit, active, onActive, changes } = context;
  const texts = useTableTexts();
  const edits = useEdits(context);
  const version = useSyncExternalStore(edits.subscribe, edits.readVersion);
  const open = ({ row, column }: GridPlace, text?: string): boolean => {
    const details = columns[column - firstValueColumn];
    const found = store.row(row);
    if (!canEdit || !details || !found || !isEntered(details)) return false;
    edits.open(found, details, text);
    return true;
  };
  const undo = async (): Promise<void> => {
    try {
      const step = await edits.undo();
      if (step) changes.tell(texts.undone(step.label));
    } catch (error) {
      changes.tellProblem(error);
    }
  };
  const onKey = (event: KeyboardEvent, place: GridPlace): void => {
    if (isCommandKey(event, 'z')) void undo();
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (event.key === 'Escape') {
      const column = columns[place.column - firstValueColumn];
      const row = store.row(place.row);
      if (column && row) edits.discard({ id: row.id, code: column.code });
    } else if (event.key.length !== 1 || !open(place, event.key)) return;
    event.preventDefault();
  };
  const move = (how: CellMove): void => {
    const { row, column } = active;
    if (how === 'down') onActive({ row: Math.min(row + 1, (store.total ?? 1) - 1), column });
    else if (how === 'next') onActive({ row, column: Math.min(column + 1, columns.length + 1) });
    else if (how === 'previous') onActive({ row, column: Math.max(0, column - 1) });
  };
  const renderCell = useCells({ edits, version, source: store.source, onMove: move });
  return { edits, open, onKey, undo, renderCell };
}

interface CellsContext {
  edits: EditStore;
  /** Another version of the edits is drawn anew. */
  version: number;
  source: RowSource;
  onMove: (how: CellMove) => void;
}

/** Gives what cells show that are edited, or not stored. */
function useCells({ edits, version, source, onMove }: CellsContext): Editing['renderCell'] {
  const texts = useTableTexts();
  const explain = useExplain();
  const latestMove = useRef(onMove);
  latestMove.current = onMove;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version of the edits is drawn anew
  return useCallback(
    (row: TableRow, column: ColumnDetails): ReactNode => {
      const edit = edits.edit(row.id, column.code);
      if (!edit)
        return column.type === 'file' && <FileThumbs source={source} row={row} field={column.code} />;
      if (edit.state === 'saving') {
        return (
          <span className={classes.pending} dir="auto" aria-busy="true">
            {edit.text}
          </span>
        );
      }
      if (edit.state !== 'typing')
        return <Unsaved text={edit.text} problem={explain(edit.error, column.type)} />;
      return (
        <CellEditor
          column={column}
          label={texts.edit(column.name || column.code, row.id)}
          text={edit.text}
          source={source}
          onText={(text) => edits.type(edits.edit(row.id, column.code) ?? edit, text)}
          onCancel={() => edits.discard(edit)}
          onSave={(how) => {
            const now = edits.edit(row.id, column.code);
            if (now) void edits.save(now, column);
            latestMove.current(how);
          }}
        />
      );
    },
    [edits, version, source, texts, explain],
  );
}

function useEdits({ workspace, item, store, onStored }: EditingContext): EditStore {
  const { project, map } = workspace;
  // Values of a localized column are others in each language.
  const { lng } = store.source;
  const drafts = useDraft<readonly CellDraft[]>('table', project, map.code, item.code, lng);
  const latest = useRef({ store, onStored });
  latest.current = { store, onStored };
  return useMemo(
    () =>
      new EditStore({
        rows: () => latest.current.store,
        drafts,
        onStored: () => latest.current.onStored(),
      }),
    [drafts],
  );
}

/** A value that could not be stored, with the reason while its cell is the active one. */
function Unsaved({ text, problem }: { text: string; problem: string }): ReactNode {
  return (
    <span className={classes.failed}>
      <IconAlertTriangle size={16} />
      <span dir="auto">{text}</span>
      <span className={classes.message} data-message>
        {problem}
      </span>
    </span>
  );
}
