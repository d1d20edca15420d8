import type { ColumnDetails } from '@cartulary/client';
import type { ChangeEvent, ReactNode } from 'react';
import fields from '../../../../common/fields.module.css';
import { useTexts } from '../../../../common/texts/language.js';
import { DateEditor } from './DateEditor.js';

interface ValueInputProps {
  column: Pick<ColumnDetails, 'type'>;
  label: string;
  text: string;
  onText: (text: string) => void;
}

/** An input for a value of a column, named for screen readers. */
export function ValueInput({ column, label, text, onText }: ValueInputProps): ReactNode {
  const { yes, no } = useTexts();
  if (column.type === 'datetime') return <DateEditor label={label} text={text} onText={onText} />;
  const common = {
    'aria-label': label,
    value: text,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => onText(event.currentTarget.value),
  };
  if (column.type === 'bool') {
    return (
      <select {...common}>
        <option value="" />
        <option value="true">{yes}</option>
        <option value="false">{no}</option>
      </select>
    );
  }
  return <input {...common} inputMode={column.type === 'number' ? 'decimal' : undefined} />;
}

/** A labelled field of a form for a value of a column. */
export const ValueField = (props: ValueInputProps): ReactNode => (
  <div className={fields.field}>
    <span aria-hidden="true">{props.label}</span>
    <ValueInput {...props} />
  </div>
);
