import type { ReactNode } from 'react';
import fields from '../../../common/fields.module.css';
import classes from './import.module.css';
import type { ImportReport, PlanColumn, ReadingChoice } from './importing.js';
import { useImportTexts } from './useImportTexts.js';

interface CoordinateFieldsProps {
  plan: ImportReport;
  seen: readonly PlanColumn[];
  reading: ReadingChoice;
  onChange: (reading: ReadingChoice) => void;
}

/** Of a table: the columns that hold the coordinates. */
export function CoordinateFields({ plan, seen, reading, onChange }: CoordinateFieldsProps): ReactNode {
  const texts = useImportTexts();
  const [table] = plan.tables ?? [];
  if (!table) return null;
  const properties = [...new Set([...table.geometry, ...seen.flatMap((column) => column.properties)])];
  const parts = [
    ['x', texts.longitude],
    ['y', texts.latitude],
  ] as const;
  const found = table.geometry.length ? texts.foundIn(table.geometry.join(', ')) : texts.noneFound;
  return (
    <>
      <div className={classes.reading}>
        {parts.map(([key, label]) => (
          <label key={key} className={fields.field}>
            <span>{label}</span>
            <select
              value={reading[key]}
              onChange={(event) => onChange({ ...reading, [key]: event.currentTarget.value })}
            >
              <option value="">{found}</option>
              {properties.map((property) => (
                <option key={property}>{property}</option>
              ))}
            </select>
          </label>
        ))}
      </div>
      {!table.geometry.length && <p className={classes.warning}>{texts.noCoordinates}</p>}
    </>
  );
}
