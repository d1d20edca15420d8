import type { ColumnDetails } from '@cartulary/client';
import { type ChangeEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { useTexts } from '../../../../common/texts/language.js';
import type { RowSource } from '../rows/source.js';
import { DateEditor } from './DateEditor.js';
import classes from './edit.module.css';
import { useSuggestions } from './useSuggestions.js';

/** Where the active cell goes after a value is entered. */
export type CellMove = 'stay' | 'down' | 'next' | 'previous';

export interface CellEditorProps {
  column: ColumnDetails;
  label: string;
  text: string;
  source: RowSource;
  onText: (text: string) => void;
  onSave: (move: CellMove) => void;
  onCancel: () => void;
}

/** The field in a cell, by the type of its column. Enter, Tab and leaving it store the value, Escape gives it up. */
export function CellEditor(props: CellEditorProps): ReactNode {
  const { column, onSave, onCancel } = props;
  const isDone = useRef(false);
  const isLong = column.type === 'text' || column.type === 'json';
  const end = (how: () => void): void => {
    isDone.current = true;
    how();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    event.stopPropagation();
    const grid = event.currentTarget.closest<HTMLElement>('[role=grid]');
    if (event.key === 'Escape') end(onCancel);
    else if (event.key === 'Enter' && !(isLong && event.shiftKey)) end(() => onSave('down'));
    else if (event.key === 'Tab' && column.type !== 'datetime')
      end(() => onSave(event.shiftKey ? 'previous' : 'next'));
    else return;
    event.preventDefault();
    grid?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the field within
    <div
      className={classes.editor}
      data-long={isLong || undefined}
      onKeyDown={onKeyDown}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onBlur={(event) => {
        if (!isDone.current && !event.currentTarget.contains(event.relatedTarget)) end(() => onSave('stay'));
      }}
    >
      <Field {...props} />
    </div>
  );
}

function Field({ column, label, text, source, onText }: CellEditorProps): ReactNode {
  const { yes, no } = useTexts();
  const field = useRef<HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement>(null);
  const list = useId();
  const suggestions = useSuggestions(source, column, text);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it opens
  useEffect(() => {
    field.current?.focus();
    // What was typed to begin with stays; a value that was there is replaced by typing.
    if (field.current && 'setSelectionRange' in field.current)
      field.current.setSelectionRange(text.length, text.length);
  }, []);
  const common = {
    'aria-label': label,
    dir: 'auto',
    value: text,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) =>
      onText(event.currentTarget.value),
  };
  if (column.type === 'bool') {
    return (
      <select ref={field} {...common}>
        <option value="" />
        <option value="true">{yes}</option>
        <option value="false">{no}</option>
      </select>
    );
  }
  if (column.type === 'datetime') return <DateEditor isFirst label={label} text={text} onText={onText} />;
  if (column.type === 'text' || column.type === 'json') return <textarea ref={field} rows={4} {...common} />;
  return (
    <>
      <input
        ref={field}
        {...common}
        list={suggestions.length ? list : undefined}
        inputMode={column.type === 'number' ? 'decimal' : undefined}
      />
      <datalist id={list}>
        {suggestions.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}
