import { type ReactNode, useState } from 'react';
import {
  IconArrowBackUp,
  IconChartBar,
  IconDeselect,
  IconDownload,
  IconFilter,
  IconMap,
  IconVector,
  IconZoomScan,
} from '../../../common/icons.js';
import { languageName } from '../../../common/texts/language.js';
import { useLoaded } from '../../useLoaded.js';
import { isScalar } from '../columns/columns.js';
import { ObjectTools } from './edit/ObjectTools.js';
import { firstValueColumn } from './edit/useEditing.js';
import ExportDialog from './export/ExportDialog.js';
import { withTerm } from './filter/conditions.js';
import { countRows } from './rows/source.js';
import { StatisticsDialog } from './statistics/StatisticsDialog.js';
import { Tool } from './Tool.js';
import classes from './table.module.css';
import type { RowsProps, TableState } from './useTableState.js';
import { useTableTexts } from './useTableTexts.js';

interface TableHeadProps extends RowsProps {
  state: TableState;
}

/** What the table shows, and its tools. */
export function TableHead(props: TableHeadProps): ReactNode {
  const { item, changes, state } = props;
  const { store, selection, editing, shape, link, canEdit } = state;
  const { edits } = editing;
  const texts = useTableTexts();
  return (
    <div className={classes.head}>
      <h2 title={item.name || item.code}>{item.name || item.code}</h2>
      <Counts {...props} />
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
            onClick={() => shape.open([...selection.ids][0]!).catch(changes.tellProblem)}
          />
        )}
        {canEdit && (
          <Tool
            icon={<IconArrowBackUp size={20} />}
            label={texts.undo(edits.lastStep?.label ?? texts.nothing)}
            isDisabled={!edits.lastStep}
            onClick={() => editing.undo()}
          />
        )}
        <DataTools {...props} />
        <ViewTools state={state} />
        <LanguageChoice state={state} />
      </div>
    </div>
  );
}

/** The number of objects, of those that are left out, and of the selected ones. */
function Counts({ workspace, filter, state }: TableHeadProps): ReactNode {
  const { source, store, selection, isInView } = state;
  const texts = useTableTexts();
  const isPart = filter !== null || isInView;
  const { path, lng } = source;
  const { value: all } = useLoaded(
    JSON.stringify([path, lng, isPart]),
    async (signal) => (isPart ? countRows({ ...source, filter: null }, null, signal) : null),
    `${workspace.version} ${store.total}`,
  );
  const shown = store.total;
  return (
    <span className={classes.count} role="status">
      {shown !== null && (isPart && all ? texts.objectsOf(shown, all) : texts.objects(shown))}
      {selection.ids.size > 0 && ` · ${texts.selected(selection.ids.size)}`}
    </span>
  );
}

/** The tools that read the objects: filter, statistics, export. */
function DataTools({ filter, onFilter, state }: TableHeadProps): ReactNode {
  const { source, store, selection, active, isFiltering, setFiltering } = state;
  const texts = useTableTexts();
  const [dialog, setDialog] = useState<'export' | 'statistics' | null>(null);
  const close = (): void => setDialog(null);
  return (
    <>
      <Tool
        icon={<IconFilter size={20} />}
        label={texts.filter}
        isOn={isFiltering}
        onClick={() => setFiltering(!isFiltering)}
      />
      <Tool
        icon={<IconChartBar size={20} />}
        label={texts.statistics}
        isDisabled={!source.columns.some(isScalar)}
        onClick={() => setDialog('statistics')}
      />
      <Tool icon={<IconDownload size={20} />} label={texts.exportTitle} onClick={() => setDialog('export')} />
      {dialog === 'statistics' && (
        <StatisticsDialog
          source={source}
          code={source.columns[active.column - firstValueColumn]?.code}
          onShow={(term) => onFilter(withTerm(filter, term))}
          onClose={close}
        />
      )}
      {dialog === 'export' && (
        <ExportDialog source={source} selected={selection.ids} total={store.total} onClose={close} />
      )}
    </>
  );
}

/** The language of the values, where the layer has columns with one value for each. */
function LanguageChoice({ state }: { state: TableState }): ReactNode {
  const { source, languages, language, setLanguage } = state;
  const texts = useTableTexts();
  if (languages.length < 2 || !source.columns.some((column) => column.localized_value)) return null;
  return (
    <select
      className={classes.language}
      aria-label={texts.valueLanguage}
      value={language}
      onChange={({ currentTarget }) => setLanguage(currentTarget.value)}
    >
      {languages.map((one) => (
        <option key={one} value={one}>
          {languageName(one)}
        </option>
      ))}
    </select>
  );
}

/** The tools of table and map together. */
function ViewTools({ state }: { state: TableState }): ReactNode {
  const { selection, link, isInView, setInView } = state;
  const texts = useTableTexts();
  return (
    <>
      <Tool
        icon={<IconMap size={20} />}
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
