import { type ReactNode, useState } from 'react';
import fields from '../../../common/fields.module.css';
import type { ColumnFilter } from '../../filters/filters.js';
import { useToolTexts } from '../useToolTexts.js';
import type { FilterFieldProps } from './filterField.js';
import classes from './objects.module.css';

/** Ends of the numbers that are shown. */
export function NumberFilter({ column, statistics, filter, onChange }: FilterFieldProps): ReactNode {
  const texts = useToolTexts();
  const [ends, setEnds] = useState({ from: String(filter?.from ?? ''), to: String(filter?.to ?? '') });
  const change = (next: typeof ends): void => {
    setEnds(next);
    const from = next.from === '' ? {} : { from: Number(next.from) };
    const to = next.to === '' ? {} : { to: Number(next.to) };
    const filter: ColumnFilter = { column: column.code, ...from, ...to };
    onChange(Object.keys(filter).length > 1 ? filter : null);
  };
  const { min, max } = statistics;
  if (typeof min !== 'number') return <p className={fields.hint}>{texts.noValues}</p>;
  return (
    <fieldset className={classes.ends}>
      <legend>{column.name || column.code}</legend>
      {(['from', 'to'] as const).map((end) => (
        <label key={end} className={fields.field}>
          {texts[end]}
          <input
            type="number"
            step="any"
            inputMode="decimal"
            placeholder={String(end === 'from' ? min : max)}
            value={ends[end]}
            onChange={(event) => change({ ...ends, [end]: event.target.value })}
          />
        </label>
      ))}
    </fieldset>
  );
}
