import type { ReactNode } from 'react';
import fields from '../../../common/fields.module.css';
import { useTexts } from '../../../common/texts/language.js';
import { useToolTexts } from '../useToolTexts.js';
import type { FilterFieldProps } from './filterField.js';
import classes from './objects.module.css';

/** Check boxes of the values of a column, the most frequent first. */
export function ValueFilter({ column, statistics, filter, onChange, language }: FilterFieldProps): ReactNode {
  const texts = useToolTexts();
  const common = useTexts();
  const frequent = statistics.frequent ?? [];
  const checked = new Set(filter?.values ?? []);
  const toggle = (value: string | number | boolean): void => {
    const values = frequent
      .map((one) => one.value)
      .filter((one) => (one === value ? !checked.has(one) : checked.has(one)));
    onChange(values.length ? { column: column.code, values } : null);
  };
  if (!frequent.length) return <p className={fields.hint}>{texts.noValues}</p>;
  return (
    <fieldset className={classes.values}>
      <legend>{column.name || column.code}</legend>
      {frequent.length < statistics.distinct && (
        <p className={fields.hint}>{texts.frequentValues(frequent.length)}</p>
      )}
      <div className={classes.list} lang={language}>
        {frequent.map(({ value, count }) => (
          <label key={String(value)} className={classes.value}>
            <input type="checkbox" checked={checked.has(value)} onChange={() => toggle(value)} />
            <span>{typeof value === 'boolean' ? (value ? common.yes : common.no) : String(value)}</span>
            <small>{count.toLocaleString(language)}</small>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
