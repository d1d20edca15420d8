import type { ColumnDetails } from '@cartulary/client';
import { type ReactNode, useState } from 'react';
import fields from '../../../../common/fields.module.css';
import { useTableTexts } from '../useTableTexts.js';
import { ObjectForm } from './ObjectForm.js';
import { ValueField } from './ValueField.js';
import { valueIn } from './values.js';

interface ChangeDialogProps {
  columns: readonly ColumnDetails[];
  count: number;
  onClose: () => void;
  onChange: (change: { code: string; value: unknown }) => Promise<void>;
}

/** Gives a column of many objects one value. */
export function ChangeDialog({ columns, count, onClose, onChange }: ChangeDialogProps): ReactNode {
  const texts = useTableTexts();
  const changeable = columns.filter(({ type }) => type !== 'file' && type !== 'json');
  const [code, setCode] = useState(changeable[0]?.code ?? '');
  const [text, setText] = useState('');
  const column = changeable.find((one) => one.code === code);
  return (
    <ObjectForm
      title={texts.changeObjects(count)}
      hint={texts.changeHint(count)}
      action={texts.changeNow}
      isDisabled={!column}
      onClose={onClose}
      onSubmit={() => onChange({ code, value: column ? valueIn(column, text) : null })}
    >
      <label className={fields.field}>
        <span>{texts.column}</span>
        <select
          value={code}
          onChange={({ currentTarget }) => {
            setCode(currentTarget.value);
            setText('');
          }}
        >
          {changeable.map((one) => (
            <option key={one.code} value={one.code}>
              {one.name || one.code}
            </option>
          ))}
        </select>
      </label>
      {column && (
        <ValueField key={code} column={column} label={texts.newValue} text={text} onText={setText} />
      )}
    </ObjectForm>
  );
}
