import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import fieldClasses from '../../../../common/fields.module.css';
import { IconPlus, IconX } from '../../../../common/icons.js';
import { type Field, type OneFieldProps, valueAt, withValue } from './fields.js';
import classes from './forms.module.css';
import { columnsFor, palette } from './kinds.js';
import { useFormTexts } from './useFormTexts.js';

interface Series {
  code: string;
  color: string;
}

/** The columns of a chart, each with its colour. */
export function SeriesField({
  field,
  settings,
  subject,
  canEdit,
  onChange,
}: OneFieldProps<Extract<Field, { type: 'series' }>>): ReactNode {
  const texts = useFormTexts();
  const columns = columnsFor(subject.columns, 'number');
  const series = ((valueAt(settings, field.path) as Series[] | undefined) ?? []).filter(({ code }) => code);
  const set = (next: readonly Series[]): void => onChange(withValue(settings, field.path, next));
  const unused = columns.find(({ code }) => !series.some((one) => one.code === code));
  const nameOf = (code: string): string => columns.find((one) => one.code === code)?.name || code;
  return (
    <fieldset className={classes.ramps} disabled={!canEdit}>
      <legend>{texts.labels.columns}</legend>
      {series.map((one) => (
        <SeriesRow
          key={one.code}
          name={nameOf(one.code)}
          series={one}
          onColor={(color) => set(series.map((other) => (other === one ? { ...one, color } : other)))}
          onRemove={series.length > 1 ? () => set(series.filter((other) => other !== one)) : null}
        />
      ))}
      {unused && canEdit && (
        <label className={`${classes.series} ${fieldClasses.compact}`}>
          <IconPlus size={16} aria-hidden />
          <span className={classes.hiddenText}>{texts.addColumn}</span>
          <select
            value=""
            onChange={({ currentTarget: { value } }) =>
              set([...series, { code: value, color: palette[series.length % palette.length]! }])
            }
          >
            <option value="">{texts.addColumn}</option>
            {columns
              .filter(({ code }) => !series.some((one) => one.code === code))
              .map(({ code, name }) => (
                <option key={code} value={code}>
                  {name || code}
                </option>
              ))}
          </select>
        </label>
      )}
    </fieldset>
  );
}

interface SeriesRowProps {
  name: string;
  series: Series;
  onColor: (color: string) => void;
  /** null: a chart has at least one column. */
  onRemove: (() => void) | null;
}

function SeriesRow({ name, series, onColor, onRemove }: SeriesRowProps): ReactNode {
  const texts = useFormTexts();
  return (
    <div className={classes.series}>
      <input
        type="color"
        className={classes.color}
        aria-label={texts.colorOf(name)}
        value={series.color}
        onChange={(event) => onColor(event.currentTarget.value)}
      />
      <span className={classes.seriesName}>{name}</span>
      <ActionIcon
        variant="subtle"
        size={32}
        aria-label={texts.removeColumn(name)}
        disabled={!onRemove}
        onClick={() => onRemove?.()}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}
