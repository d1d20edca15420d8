import { Button } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import {
  IconArrowBackUp,
  IconDeselect,
  IconFilter,
  IconVector,
  IconZoomScan,
} from '../../../common/icons.js';
import { useLanguage } from '../../../common/texts/language.js';
import { explain } from '../../catalog/explain.js';
import { clientOf } from '../../client.js';
import { useConsoleTexts } from '../../texts/useConsoleTexts.js';
import { rights } from '../useWorkspace.js';
import type { TableContext } from './context.js';
import { EditBars } from './edit/EditBars.js';
import { ObjectTools } from './edit/ObjectTools.js';
import { useEditing } from './edit/useEditing.js';
import { useShape } from './edit/useShape.js';
import { useFilesDialog } from './files/useFilesDialog.js';
import { Grid } from './grid/Grid.js';
import type { GridPlace } from './grid/useGridKeys.js';
import { SketchStore } from './rows/sketches.js';
import type { RowSource } from './rows/source.js';
import { useRows } from './rows/useRows.js';
import { Tool } from './Tool.js';
import classes from './table.module.css';
import { useMapLink } from './useMapLink.js';
import { selectionLimit, useSelection } from './useSelection.js';
import { useTableLayer } from './useTableLayer.js';
import { useTableTexts } from './useTableTexts.js';
import { useViewFilter } from './useViewFilter.js';

/** The objects of a layer: rows that are sorted, selected together with the map, and changed. */
export default function TablePanel(props: TableContext): ReactNode {
  const { workspace, item } = props;
  const { ui } = useLanguage();
  const { project, map, version } = workspace;
  const { columns, error } = useTableLayer({ project, map: map.code, layer: item.code, lng: ui, version });
  if (columns) return <Rows {...props} columns={columns} />;
  return (
    <div className={classes.head}>
      {error ? <Problem error={error} onRetry={() => void workspace.reload()} /> : null}
    </div>
  );
}

interface RowsProps extends TableContext {
  columns: RowSource['columns'];
}

/** The rows with what is selected, edited and shown on the map. */
function useTableState(props: RowsProps) {
  const { workspace, item, changes } = props;
  const texts = useTableTexts();
  const [isInView, setInView] = useState(false);
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
  };
}

type TableState = ReturnType<typeof useTableState>;

function useSource({ workspace, item, sort, columns }: RowsProps, filter: object | null): RowSource {
  const { ui } = useLanguage();
  const { project, map } = workspace;
  return useMemo<RowSource>(
    () => ({
      client: clientOf(project),
      path: { map: map.code, layer: item.code },
      lng: ui,
      columns,
      sort: sort && isKnown(sort.code, columns) ? sort : null,
      filter,
    }),
    [project, map.code, item.code, ui, columns, sort, filter],
  );
}

function Rows(props: RowsProps): ReactNode {
  const { item, columns, onSort } = props;
  const texts = useTableTexts();
  const state = useTableState(props);
  const { store, selection, editing, link } = state;
  return (
    <>
      <Head {...props} state={state} />
      {state.shape.element}
      {state.files.element}
      <EditBars edits={editing.edits} columns={columns} />
      {store.error ? <Problem error={store.error} onRetry={() => store.reload()} /> : null}
      {store.total === 0 ? (
        <div className={classes.none}>
          <p>{state.isInView ? texts.emptyView : texts.empty}</p>
        </div>
      ) : (
        <Grid
          label={texts.tableOf(item.name || item.code)}
          store={store}
          sketches={state.sketches}
          columns={columns}
          sort={state.source.sort}
          onSort={onSort}
          active={state.active}
          onActive={state.setActive}
          selected={selection.ids}
          onSelect={(row, how) => void selection.select(row, how)}
          onSelectAll={() => void selection.selectAll()}
          onOpen={(place) => editing.open(place) || state.files.open(place) || link.zoomToRow(place.row)}
          onKey={editing.onKey}
          renderCell={editing.renderCell}
          shown={link.shown}
        />
      )}
    </>
  );
}

/** What the table shows, and its tools. */
function Head(props: RowsProps & { state: TableState }): ReactNode {
  const { item, changes, state } = props;
  const { store, selection, editing, shape, link, canEdit } = state;
  const { edits } = editing;
  const texts = useTableTexts();
  return (
    <div className={classes.head}>
      <h2>{item.name || item.code}</h2>
      <span className={classes.count} role="status">
        {store.total === null ? '' : texts.objects(store.total)}
        {selection.ids.size > 0 && ` · ${texts.selected(selection.ids.size)}`}
      </span>
      <div className={classes.tools}>
        {canEdit && (
          <ObjectTools
            {...props}
            store={store}
            selection={selection}
            edits={edits}
            onMade={(id) => void link.reveal(id).catch(changes.tellProblem)}
          />
        )}
        {/* Tools without use are there, too: what is pointed at does not move. */}
        {canEdit && (
          <Tool
            icon={<IconVector size={20} />}
            label={texts.drawShape}
            isDisabled={selection.ids.size !== 1 || shape.isOpen}
            onClick={() => void shape.open([...selection.ids][0]!).catch(changes.tellProblem)}
          />
        )}
        {canEdit && (
          <Tool
            icon={<IconArrowBackUp size={20} />}
            label={texts.undo(edits.lastStep?.label ?? texts.nothing)}
            isDisabled={!edits.lastStep}
            onClick={() => void editing.undo()}
          />
        )}
        <ViewTools state={state} />
      </div>
    </div>
  );
}

/** The tools of table and map together. */
function ViewTools({ state }: { state: TableState }): ReactNode {
  const { selection, link, isInView, setInView } = state;
  const texts = useTableTexts();
  return (
    <>
      <Tool
        icon={<IconFilter size={20} />}
        label={texts.onlyInView}
        isOn={isInView}
        onClick={() => setInView(!isInView)}
      />
      <Tool
        icon={<IconZoomScan size={20} />}
        label={texts.showSelected}
        isDisabled={!selection.ids.size}
        onClick={link.zoom}
      />
      <Tool
        icon={<IconDeselect size={20} />}
        label={texts.clearSelection}
        isDisabled={!selection.ids.size}
        onClick={() => selection.setIds(new Set())}
      />
    </>
  );
}

const isKnown = (code: string, columns: RowSource['columns']): boolean =>
  code === 'svc_id' || columns.some((column) => column.code === code);

function Problem({ error, onRetry }: { error: unknown; onRetry: () => void }): ReactNode {
  const texts = useTableTexts();
  const consoleTexts = useConsoleTexts();
  const { texts: common } = useLanguage();
  return (
    <p className={classes.problem} role="alert">
      {texts.failed}: {explain(error, consoleTexts, common)}
      <Button variant="default" size="compact-md" onClick={onRetry}>
        {texts.retry}
      </Button>
    </p>
  );
}
