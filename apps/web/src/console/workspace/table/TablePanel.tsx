import { Button } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { IconArrowBackUp, IconDeselect, IconZoomScan } from '../../../common/icons.js';
import { useLanguage } from '../../../common/texts/language.js';
import { explain } from '../../catalog/explain.js';
import { clientOf } from '../../client.js';
import { useConsoleTexts } from '../../texts/useConsoleTexts.js';
import { rights } from '../useWorkspace.js';
import { EditBars } from './edit/EditBars.js';
import { ObjectTools } from './edit/ObjectTools.js';
import { useEditing } from './edit/useEditing.js';
import { Grid } from './grid/Grid.js';
import type { GridPlace } from './grid/useGridKeys.js';
import { SketchStore } from './rows/sketches.js';
import type { RowSource } from './rows/source.js';
import { useRows } from './rows/useRows.js';
import type { TableContext } from './TableDock.js';
import { Tool } from './Tool.js';
import classes from './table.module.css';
import { useMapLink } from './useMapLink.js';
import { selectionLimit, useSelection } from './useSelection.js';
import { useTableLayer } from './useTableLayer.js';
import { useTableTexts } from './useTableTexts.js';

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

function Rows(props: TableContext & { columns: RowSource['columns'] }): ReactNode {
  const { workspace, item, sort, onSort, changes, columns } = props;
  const texts = useTableTexts();
  const { ui } = useLanguage();
  const { project, map } = workspace;
  const source = useMemo<RowSource>(
    () => ({
      client: clientOf(project),
      path: { map: map.code, layer: item.code },
      lng: ui,
      columns,
      sort: sort && isKnown(sort.code, columns) ? sort : null,
      filter: null,
    }),
    [project, map.code, item.code, ui, columns, sort],
  );
  const store = useRows(source, workspace.version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: geometries of an older version are outdated
  const sketches = useMemo(() => new SketchStore(source), [source, workspace.version]);
  const selection = useSelection({
    store,
    onTooMany: () => changes.tell(texts.tooMany(selectionLimit)),
    onError: changes.tellProblem,
  });
  const [active, setActive] = useState<GridPlace>({ row: 0, column: 0 });
  const canEdit = item.type === 'layer' && item.access >= rights.edit;
  const editing = useEditing({ ...props, store, canEdit, active, onActive: setActive });
  const { edits } = editing;
  const link = useMapLink({ ...props, store, selection, onActive: setActive });
  const name = item.name || item.code;
  return (
    <>
      <div className={classes.head}>
        <h2>{name}</h2>
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
          {edits.lastStep && (
            <Tool
              icon={<IconArrowBackUp size={20} />}
              label={texts.undo(edits.lastStep.label)}
              onClick={() => void editing.undo()}
            />
          )}
          {selection.ids.size > 0 && (
            <>
              <Tool icon={<IconZoomScan size={20} />} label={texts.showSelected} onClick={link.zoom} />
              <Tool
                icon={<IconDeselect size={20} />}
                label={texts.clearSelection}
                onClick={() => selection.setIds(new Set())}
              />
            </>
          )}
        </div>
      </div>
      <EditBars edits={edits} columns={columns} />
      {store.error ? <Problem error={store.error} onRetry={() => store.reload()} /> : null}
      {store.total === 0 ? (
        <div className={classes.none}>
          <p>{texts.empty}</p>
        </div>
      ) : (
        <Grid
          label={texts.tableOf(name)}
          store={store}
          sketches={sketches}
          columns={columns}
          sort={source.sort}
          onSort={onSort}
          active={active}
          onActive={setActive}
          selected={selection.ids}
          onSelect={(row, how) => void selection.select(row, how)}
          onSelectAll={() => void selection.selectAll()}
          onOpen={(place) => editing.open(place) || link.zoomToRow(place.row)}
          onKey={editing.onKey}
          renderCell={editing.renderCell}
          shown={link.shown}
        />
      )}
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
