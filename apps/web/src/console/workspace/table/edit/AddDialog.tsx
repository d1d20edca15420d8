import type { ColumnDetails } from '@cartulary/client';
import { type ReactNode, useState } from 'react';
import { useTableTexts } from '../useTableTexts.js';
import { ObjectForm } from './ObjectForm.js';
import type { FieldValues } from './objects.js';
import { ValueField } from './ValueField.js';
import { valueIn } from './values.js';

interface AddDialogProps {
  columns: readonly ColumnDetails[];
  onClose: () => void;
  onAdd: (fields: FieldValues) => Promise<void>;
}

/** Asks for the values that a new object must have. */
export function AddDialog({ columns, onClose, onAdd }: AddDialogProps): ReactNode {
  const texts = useTableTexts();
  const [entered, setEntered] = useState<Readonly<Record<string, string>>>({});
  const required = columns.filter(({ required: isRequired }) => isRequired);
  const valuesOf = (): FieldValues =>
    Object.fromEntries(required.map((column) => [column.code, valueIn(column, entered[column.code] ?? '')]));
  return (
    <ObjectForm
      title={texts.addObject}
      hint={texts.requiredHint}
      action={texts.addNow}
      onClose={onClose}
      onSubmit={() => onAdd(valuesOf())}
    >
      {required.map((column) => (
        <ValueField
          key={column.code}
          column={column}
          label={column.name || column.code}
          text={entered[column.code] ?? ''}
          onText={(text) => setEntered((before) => ({ ...before, [column.code]: text }))}
        />
      ))}
    </ObjectForm>
  );
}
