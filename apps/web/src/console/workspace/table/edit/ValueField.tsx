import type { ColumnDetails } from '@cartulary/client';
import type { ChangeEvent, ReactNode } from 'react';
import fields from '../../../../common/fields.module.css';
import { useTexts } from '../../../../common/texts/language.js';
import { DateEditor } from './DateEditor.js';

interface ValueFieldProps {
  column: ColumnDetails;
  label: string;
  text: string;
  onText: (text: string) => void;
}

/** A labelled field of a form for a value of a column. */
export function ValueField({ column, label, text, onText }: ValueFieldProps): ReactNode {
  const { yes, no } = useTexts();
  const common = {
    value: text,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) =>
      onText(event.currentTarget.value),
  };
  if (column.type === 'datetime') {
    return (
      <div className={fields.field}>
        <span aria-hidden="true">{label}</span>
        <DateEditor label={label} text={text} onText={onText} />
      </div>
    );
  }
  if (column.type === 'bool') {
    return (
      <label className={fields.field}>
        <span>{label}</span>
        <select {...common}>
          <option value="" />
          <option value="true">{yes}</option>
          <option value="false">{no}</option>
        </select>
      </label>
    );
  }
  return (
    <label className={fields.field}>
      <span>{label}</span>
      <input {...common} inputMode={column.type === 'number' ? 'decimal' : undefined} />
    </label>
  );
}
