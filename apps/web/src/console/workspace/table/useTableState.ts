import { useMemo, useState } from 'react';
import { useLanguage } from '../../../common/texts/language.js';
import { clientOf } from '../../client.js';
import { rights } from '../useWorkspace.js';
import type { TableContext } from './context.js';
import { useEditing } from './edit/useEditing.js';
import { useShape } from './edit/useShape.js';
import { useFilesDialog } from './files/useFilesDialog.js';
import { isNarrow } from './filter/FilterPanel.js';
import type { GridPlace } from './grid/useGridKeys.js';
import { SketchStore } from './rows/sketches.js';
import { both, type RowSource } from './rows/source.js';
import { useRows } from './rows/useRows.js';
import { useMapLink } from './useMapLink.js';
import { selectionLimit, useSelection } from './useSelection.js';
import { useTableTexts } from './useTableTexts.js';
import { useViewFilter } from './useViewFilter.js';

export interface RowsProps extends TableContext {
  columns: RowSource['columns'];
}

/** The rows with what is selected, edited and shown on the map. */
export function useTableState(props: RowsProps) {
  const { workspace, item, changes } = props;
  const texts = useTableTexts();
  const [isInView, setInView] = useState(false);
  const [isFiltering, setFiltering] = useState(() => props.filter !== null && !isNarrow());
  const source = useSource(props, useViewFilter(props.view, isInView));
  const store = useRows(source, workspace.version);
  const selection = useSelection({
    store,
    onTooMany: () => changes.tell(texts.tooMany(selectionLimit)),
    onError: changes.tellProblem,
  });
  const [active, setActive] = useState<GridPlace>({ row: 0, column: 0 });
  const canEdit = item.type === 'layer' && item.access >= rights.edit;
  const editing = useEditing({ ...props, store, canEdit, active, onActive: setActive });
  const files = useFilesDialog({ store, edits: editing.edits, canEdit });
  const shape = useShape({ ...props, store, edits: editing.edits });
  // biome-ignore lint/correctness/useExhaustiveDependencies: geometries of an older version are outdated
  const sketches = useMemo(() => new SketchStore(source), [source, workspace.version, shape.stored]);
  const link = useMapLink({ ...props, store, selection, shape, onActive: setActive });
  return {
    source,
    store,
    sketches,
    selection,
    active,
    setActive,
    canEdit,
    editing,
    files,
    shape,
    link,
    isInView,
    setInView,
    isFiltering,
    setFiltering,
  };
}

export type TableState = ReturnType<typeof useTableState>;

function useSource({ workspace, item, sort, columns, filter }: RowsProps, inView: object | null): RowSource {
  const { ui } = useLanguage();
  const { project, map } = workspace;
  return useMemo<RowSource>(
    () => ({
      client: clientOf(project),
      path: { map: map.code, layer: item.code },
      lng: ui,
      columns,
      sort: sort && isKnown(sort.code, columns) ? sort : null,
      filter: both(filter, inView),
    }),
    [project, map.code, item.code, ui, columns, sort, filter, inView],
  );
}

const isKnown = (code: string, columns: RowSource['columns']): boolean =>
  code === 'svc_id' || columns.some((column) => column.code === code);
