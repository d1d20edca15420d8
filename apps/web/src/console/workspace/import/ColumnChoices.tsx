import type { ReactNode } from 'react';
import fields from '../../../common/fields.module.css';
import table from '../../rowTable.module.css';
import { columnTypes, isScalar } from '../columns/columns.js';
import type { ColumnChoice, PlanColumn, ReadingChoice } from './importing.js';
import { useImportTexts } from './useImportTexts.js';

const types: readonly string[] = columnTypes.filter((type) => isScalar({ type }));

interface ColumnChoicesProps {
  /** The columns that the file has been seen to have, also those that are left out. */
  seen: readonly PlanColumn[];
  reading: ReadingChoice;
  onChange: (reading: ReadingChoice) => void;
}

/** What becomes of the columns of the file: each has its title and type, or is left out. */
export function ColumnChoices({ seen, reading, onChange }: ColumnChoicesProps): ReactNode {
  const texts = useImportTexts();
  const change = (column: PlanColumn, part: Partial<ColumnChoice>): void => {
    const [property = column.code] = column.properties;
    const { code, name, type } = column;
    const before = reading.columns.find((one) => one.property === property);
    const next = { property, code, name: name || code, type, skip: false, ...before, ...part };
    onChange({ ...reading, columns: [...reading.columns.filter((one) => one.property !== property), next] });
  };
  return (
    <div className={`${table.scroll} ${fields.compact}`}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{texts.taken}</th>
            <th scope="col">{texts.column}</th>
            <th scope="col">{texts.type}</th>
          </tr>
        </thead>
        <tbody>
          {seen.map((column) => (
            <ColumnRow
              key={column.properties[0] ?? column.code}
              column={column}
              choice={reading.columns.find(({ property }) => property === column.properties[0])}
              onChange={(part) => change(column, part)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ColumnRowProps {
  column: PlanColumn;
  choice: ColumnChoice | undefined;
  onChange: (part: Partial<ColumnChoice>) => void;
}

/** One column. Columns that the layer has already keep their title and type. */
function ColumnRow({ column, choice, onChange }: ColumnRowProps): ReactNode {
  const texts = useImportTexts();
  const { name, type, skip } = {
    name: column.name || column.code,
    type: column.type,
    skip: false,
    ...choice,
  };
  const isFixed = skip || !column.new;
  const offered = types.includes(type) ? types : [...types, type];
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          aria-label={texts.takeColumn(name)}
          checked={!skip}
          onChange={(event) => onChange({ skip: !event.currentTarget.checked })}
        />
      </td>
      <td>
        <input
          aria-label={texts.titleOf(column.properties[0] ?? column.code)}
          value={name}
          disabled={isFixed}
          maxLength={500}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      </td>
      <td>
        <select
          aria-label={texts.typeOf(name)}
          value={type}
          disabled={isFixed}
          onChange={(event) => onChange({ type: event.currentTarget.value })}
        >
          {offered.map((one) => (
            <option key={one} value={one}>
              {texts.types[one] ?? one}
            </option>
          ))}
        </select>
      </td>
    </tr>
  );
}
