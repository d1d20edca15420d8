import { useEffect, useMemo, useRef, useState } from 'react';
import { useLanguage } from '../../../common/texts/language.js';
import { clientOf } from '../../client.js';
import { languagesOf } from '../columns/columns.js';
import { rights } from '../useWorkspace.js';
import type { TableContext } from './context.js';
import { useEditing } from './edit/useEditing.js';
import { useShape } from './edit/useShape.js';
import { useFilesDialog } from './files/useFilesDialog.js';
import { isNarrow } from './filter/FilterPanel.js';
import type { GridPlace } from './grid/useGridKeys.js';
import type { RowStore } from './rows/RowStore.js';
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
  const { ui } = useLanguage();
  const [chosenLanguage, setLanguage] = useState<string | null>(null);
  const language = chosenLanguage ?? ui;
  const languages = [...new Set([ui, ...languagesOf(workspace, ui)])];
  const source = useSource(props, { inView: useViewFilter(props.view, isInView), language });
  const store = useRows(source, workspace.version);
  useComparing(store, props);
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
    languages,
    language,
    setLanguage,
  };
}

/** Pause before a comparison that failed is made again, ms. */
const retryMs = 5_000;

/** Looks whether the rows in view are still those that are stored, when the layer has another version. */
function useComparing(store: RowStore, { dataVersion, onStored }: RowsProps): void {
  // Rows are read after the version that is known when the table opens. One that is learnt later may be newer than they are.
  const compared = useRef(dataVersion);
  const [failures, setFailures] = useState(0);
  const latest = useRef(onStored);
  latest.current = onStored;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a comparison that failed is made again
  useEffect(() => {
    if (dataVersion === null || compared.current === dataVersion) return;
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    store.compare(signal).then(
      () => {
        if (signal.aborted) return;
        compared.current = dataVersion;
        // Objects that are not in view may have changed.
        if (!store.isOutdated) latest.current();
      },
      () => {
        if (!signal.aborted) timer = setTimeout(() => setFailures((count) => count + 1), retryMs);
      },
    );
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [store, dataVersion, failures]);
}

export type TableState = ReturnType<typeof useTableState>;

function useSource(
  { workspace, item, sort, columns, filter }: RowsProps,
  { inView, language }: { inView: object | null; language: string },
): RowSource {
  const { project, map } = workspace;
  return useMemo<RowSource>(
    () => ({
      client: clientOf(project),
      path: { map: map.code, layer: item.code },
      lng: language,
      columns,
      sort: sort && isKnown(sort.code, columns) ? sort : null,
      filter: both(filter, inView),
    }),
    [project, map.code, item.code, language, columns, sort, filter, inView],
  );
}

const isKnown = (code: string, columns: RowSource['columns']): boolean =>
  code === 'svc_id' || columns.some((column) => column.code === code);
