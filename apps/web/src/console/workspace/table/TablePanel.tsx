import { ClientError } from '@cartulary/client';
import { Button } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { useLanguage } from '../../../common/texts/language.js';
import { explain } from '../../catalog/explain.js';
import { useConsoleTexts } from '../../texts/useConsoleTexts.js';
import { OthersBar } from '../others/OthersBar.js';
import type { TableContext } from './context.js';
import { EditBars } from './edit/EditBars.js';
import { FilterPanel } from './filter/FilterPanel.js';
import { Grid } from './grid/Grid.js';
import { idColumn } from './grid/useColumns.js';
import type { RowStore } from './rows/RowStore.js';
import { TableHead } from './TableHead.js';
import classes from './table.module.css';
import { useTableLayer } from './useTableLayer.js';
import { type RowsProps, useTableState } from './useTableState.js';
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

function Rows(props: RowsProps): ReactNode {
  const { item, columns, onSort, filter, onFilter } = props;
  const texts = useTableTexts();
  const state = useTableState(props);
  const filterColumns = useMemo(
    () => [...columns, { code: idColumn, name: texts.idTitle, type: 'number' }],
    [columns, texts],
  );
  const { store, selection, editing, link } = state;
  return (
    <>
      <TableHead {...props} state={state} />
      {state.isFiltering && (
        <FilterPanel
          columns={filterColumns}
          filter={filter}
          onFilter={onFilter}
          onClose={() => state.setFiltering(false)}
        />
      )}
      {state.shape.element}
      {state.files.element}
      <EditBars edits={editing.edits} columns={columns} />
      <OthersBar
        parts={store.isOutdated ? ['data'] : []}
        onShow={() => {
          store.reload();
          props.onStored();
        }}
      />
      <RowsProblem store={store} onUnfiltered={filter && (() => onFilter(null))} />
      {store.total === 0 ? (
        <div className={classes.none}>
          <p>{filter ? texts.emptyFilter : state.isInView ? texts.emptyView : texts.empty}</p>
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

interface RowsProblemProps {
  store: RowStore;
  /** Shows the objects without the filter; null: there is none. */
  onUnfiltered: (() => void) | null;
}

/** Tells why there are no rows. The filter of an address may name columns that the layer no longer has. */
function RowsProblem({ store, onUnfiltered }: RowsProblemProps): ReactNode {
  const texts = useTableTexts();
  const { error } = store;
  if (!error) return null;
  const isRefused = error instanceof ClientError && error.code === 'bad_request';
  if (!isRefused || !onUnfiltered) return <Problem error={error} onRetry={() => store.reload()} />;
  return (
    <p className={classes.problem} role="alert">
      {texts.filterRefused}
      <Button variant="default" size="compact-md" onClick={onUnfiltered}>
        {texts.withoutFilter}
      </Button>
    </p>
  );
}

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
