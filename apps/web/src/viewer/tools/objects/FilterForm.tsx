import { type ReactNode, useEffect, useState } from 'react';
import { call } from '../../../common/api.js';
import { address as addressOf } from '../../../common/base.js';
import fields from '../../../common/fields.module.css';
import { useTexts } from '../../../common/texts/language.js';
import type { TreeItem } from '../../tree.js';
import type { ColumnInfo } from '../../types.js';
import type { ToolContext } from '../context.js';
import { useToolTexts } from '../useToolTexts.js';
import type { ColumnStatistics } from './filterField.js';
import { NumberFilter } from './NumberFilter.js';
import { TimeFilter } from './TimeFilter.js';
import { ValueFilter } from './ValueFilter.js';

interface FilterFormProps {
  context: ToolContext;
  layer: TreeItem;
  columns: readonly ColumnInfo[];
}

const inputs = {
  string: ValueFilter,
  text: ValueFilter,
  bool: ValueFilter,
  number: NumberFilter,
  datetime: TimeFilter,
} as const;

const inputOf = ({ type }: ColumnInfo) => (type in inputs ? inputs[type as keyof typeof inputs] : null);

/** Chooses which objects of a layer the map and the list show. */
export function FilterForm({ context, layer, columns }: FilterFormProps): ReactNode {
  const texts = useToolTexts();
  const common = useTexts();
  const { filters, setFilter } = context.filters;
  const filter = filters[layer.code];
  const [chosen, setChosen] = useState(filter?.column ?? '');
  const column = columns.find(({ code }) => code === chosen);
  const { statistics, hasFailed } = useStatistics(context, layer.code, column);
  const Input = column && inputOf(column);
  const choose = (code: string): void => {
    setChosen(code);
    setFilter(layer.code, null);
  };
  return (
    <>
      <label className={fields.field}>
        {texts.filterBy}
        <select value={column ? chosen : ''} onChange={(event) => choose(event.target.value)}>
          <option value="">{texts.noFilter}</option>
          {columns
            .filter((one) => inputOf(one) && one.code !== 'svc_id')
            .map(({ id, code, name }) => (
              <option key={id} value={code}>
                {name || code}
              </option>
            ))}
        </select>
      </label>
      {Input && statistics && (
        <Input
          key={column.code}
          column={column}
          statistics={statistics}
          filter={filter?.column === column.code ? filter : undefined}
          onChange={(next) => setFilter(layer.code, next)}
          language={context.language}
        />
      )}
      {hasFailed && (
        <p className={fields.problem} role="alert">
          {common.failed}
        </p>
      )}
    </>
  );
}

/** The values that a column has. */
function useStatistics({ address, language }: ToolContext, layer: string, column: ColumnInfo | undefined) {
  const [known, setKnown] = useState<{ of: string; statistics: ColumnStatistics | null } | null>(null);
  const code = column?.code;
  useEffect(() => {
    if (!code) return;
    const controller = new AbortController();
    const path = ['api', '2.8', address.project, address.map, 'layers', layer, 'statistics'];
    call<ColumnStatistics>(addressOf(path, { lng: language }), {
      signal: controller.signal,
      json: { column: code, percentiles: [], frequent: 100 },
    }).then(
      (statistics) => setKnown({ of: code, statistics }),
      () => !controller.signal.aborted && setKnown({ of: code, statistics: null }),
    );
    return () => controller.abort();
  }, [address, layer, code, language]);
  const isCurrent = known !== null && known.of === code;
  return { statistics: isCurrent ? known.statistics : null, hasFailed: isCurrent && !known.statistics };
}
