import type { ReactNode } from 'react';
import classes from './rowTable.module.css';

interface RowTableProps {
  label: string;
  columns: readonly { code: string; name?: string }[];
  rows: readonly { id: number | string | null; fields: Readonly<Record<string, unknown>> }[];
  /** The title of a first column with the ids; absent: there is none. */
  idTitle?: string;
}

/** A small table of values to read. The keyboard scrolls what is wider than its place. */
export function RowTable({ label, columns, rows, idTitle }: RowTableProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
    <section className={classes.scroll} tabIndex={0} aria-label={label}>
      <table className={classes.table}>
        <thead>
          <tr>
            {idTitle !== undefined && <th scope="col">{idTitle}</th>}
            {columns.map(({ code, name }) => (
              <th key={code} scope="col">
                {name || code}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, fields }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows without an id, and several with one, are shown, too
            <tr key={place}>
              {idTitle !== undefined && <td>{id}</td>}
              {columns.map(({ code }) => (
                <td key={code}>{shown(fields[code])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A time as the interface writes it. */
const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?Z$/;

/** A value to read: of midnight the date alone. */
const shown = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const [, date, clock] = (typeof value === 'string' && time.exec(value)) || [];
  if (date) return /^00:00(:00)?$/.test(clock!) ? date : `${date} ${clock}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};
