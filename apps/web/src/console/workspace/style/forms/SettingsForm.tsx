import { type ReactNode, useEffect, useId, useState } from 'react';
import fieldClasses from '../../../../common/fields.module.css';
import type { StyleSubject } from '../editor/subject.js';
import {
  type Field,
  type FieldGroup,
  type FormProps,
  type OneFieldProps,
  valueAt,
  withValue,
} from './fields.js';
import classes from './forms.module.css';
import { columnsFor } from './kinds.js';
import { RampField } from './RampField.js';
import { SeriesField } from './SeriesField.js';
import { useFormTexts } from './useFormTexts.js';

interface SettingsFormProps extends FormProps {
  groups: readonly FieldGroup[];
}

/** A form of the fields of a table. */
export function SettingsForm({ groups, ...props }: SettingsFormProps): ReactNode {
  const texts = useFormTexts();
  return groups.map((group, i) => {
    const fields = group.fields
      .filter(({ when }) => !when || when(props.settings))
      .map((field) => <OneField key={`${field.path} ${field.label}`} field={field} {...props} />);
    const key = group.title ?? String(i);
    if (!group.title)
      return (
        <div key={key} className={classes.group}>
          {fields}
        </div>
      );
    return (
      <details key={key} className={classes.details} open={!group.isClosed}>
        <summary>{texts.groups[group.title]}</summary>
        <div className={classes.group}>{fields}</div>
      </details>
    );
  });
}

function OneField({ field, ...props }: OneFieldProps): ReactNode {
  switch (field.type) {
    case 'flag':
    case 'maybeColor':
      return <SwitchField field={field} {...props} />;
    case 'ramp':
      return <RampField field={field} {...props} />;
    case 'series':
      return <SeriesField field={field} {...props} />;
    default:
      return <InputField field={field} {...props} />;
  }
}

type Of<T extends Field['type']> = Extract<Field, { type: T }>;

/** A switch, with a colour where it is on. */
function SwitchField({
  field,
  settings,
  canEdit,
  onChange,
}: OneFieldProps<Of<'flag' | 'maybeColor'>>): ReactNode {
  const texts = useFormTexts();
  const label = texts.labels[field.label];
  const found = valueAt(settings, field.path);
  const value = found === undefined ? field.initial : found;
  const set = (next: unknown): void => onChange(withValue(settings, field.path, next));
  return (
    <div className={classes.switch}>
      <label className={fieldClasses.check}>
        <input
          type="checkbox"
          checked={Boolean(value)}
          disabled={!canEdit}
          onChange={({ currentTarget: { checked } }) =>
            set(field.type === 'flag' ? checked : checked ? field.suggested : null)
          }
        />
        <span>{label}</span>
      </label>
      {field.type === 'maybeColor' && typeof value === 'string' && (
        <input
          type="color"
          className={classes.color}
          aria-label={texts.colorOf(label)}
          value={value}
          disabled={!canEdit}
          onChange={(event) => set(event.currentTarget.value)}
        />
      )}
    </div>
  );
}

type InputType = 'color' | 'number' | 'share' | 'choice' | 'column' | 'icon';

/** A labelled input of one value. */
function InputField({ field, ...props }: OneFieldProps<Of<InputType>>): ReactNode {
  const texts = useFormTexts();
  const id = useId();
  const hints: Readonly<Record<string, string>> = texts.hints;
  const hint = hints[field.label];
  const value = valueAt(props.settings, field.path) ?? ('initial' in field ? field.initial : '');
  const set = (next: unknown): void => props.onChange(withValue(props.settings, field.path, next));
  return (
    <div className={`${classes.row} ${fieldClasses.compact}`}>
      <label htmlFor={id}>{texts.labels[field.label]}</label>
      <Input
        field={field}
        id={id}
        describedBy={hint && `${id}-hint`}
        value={value}
        set={set}
        subject={props.subject}
        canEdit={props.canEdit}
      />
      {hint && (
        <p id={`${id}-hint`} className={`${fieldClasses.hint} ${classes.wide}`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface InputProps {
  field: Of<InputType>;
  id: string;
  describedBy: string | undefined;
  value: unknown;
  set: (value: unknown) => void;
  subject: StyleSubject;
  canEdit: boolean;
}

function Input({ field, id, describedBy, value, set, subject, canEdit }: InputProps): ReactNode {
  const texts = useFormTexts();
  const shared = { id, disabled: !canEdit, 'aria-describedby': describedBy };
  switch (field.type) {
    case 'color':
      return (
        <input
          {...shared}
          type="color"
          className={classes.color}
          value={String(value)}
          onChange={(event) => set(event.currentTarget.value)}
        />
      );
    case 'share':
      return (
        <input
          {...shared}
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={Number(value)}
          onChange={(event) => set(event.currentTarget.valueAsNumber)}
        />
      );
    case 'number':
      return <NumberInput {...shared} field={field} value={Number(value)} set={set} />;
    default:
      return (
        <Choice
          {...shared}
          value={String(value)}
          options={optionsOf(field, subject, texts)}
          set={(next) => set(pickedOf(field, next))}
        />
      );
  }
}

interface NumberInputProps {
  id: string;
  disabled: boolean;
  'aria-describedby': string | undefined;
  field: Of<'number'>;
  value: number;
  set: (value: number) => void;
}

/** A number. One that is out of range is not taken, and told when the field is left. */
function NumberInput({ field, value, set, ...rest }: NumberInputProps): ReactNode {
  const texts = useFormTexts();
  const { min, max, step = 1 } = field;
  const [text, setText] = useState(String(value));
  const [isWrong, setWrong] = useState(false);
  const fits = (next: number): boolean => next >= min && next <= max;
  useEffect(() => {
    setText((shown) => (Number(shown) === value ? shown : String(value)));
    setWrong(false);
  }, [value]);
  const type = ({ value: written, valueAsNumber: next }: HTMLInputElement): void => {
    setText(written);
    setWrong(false);
    if (fits(next)) set(next);
  };
  const leave = ({ valueAsNumber: next }: HTMLInputElement): void => {
    if (fits(next)) setText(String(value));
    else setWrong(true);
  };
  return (
    <>
      <input
        {...rest}
        aria-describedby={`${rest['aria-describedby'] ?? ''} ${rest.id}-problem`.trim()}
        aria-invalid={isWrong}
        type="number"
        min={min}
        max={max}
        step={step}
        value={text}
        onChange={(event) => type(event.currentTarget)}
        onBlur={(event) => leave(event.currentTarget)}
      />
      <p id={`${rest.id}-problem`} className={`${fieldClasses.problem} ${classes.wide}`} role="alert">
        {isWrong ? texts.outOfRange(min, max, value) : ''}
      </p>
    </>
  );
}

interface ChoiceProps {
  id: string;
  disabled: boolean;
  'aria-describedby': string | undefined;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  set: (value: string) => void;
}

function Choice({ options, set, ...rest }: ChoiceProps): ReactNode {
  return (
    <select {...rest} onChange={(event) => set(event.currentTarget.value)}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

function optionsOf(
  field: Of<'choice' | 'column' | 'icon'>,
  subject: StyleSubject,
  texts: ReturnType<typeof useFormTexts>,
): [string, string][] {
  const none: [string, string] = ['', texts.none];
  if (field.type === 'choice')
    return field.values.map((one) => [String(one), texts.choices[field.label]?.[one] ?? String(one)]);
  if (field.type === 'icon')
    return [none, ...(subject.icons ?? []).map((icon): [string, string] => [icon, icon])];
  const columns = columnsFor(subject.columns, field.of).map(({ code, name }): [string, string] => [
    code,
    name || code,
  ]);
  return field.isOptional ? [none, ...columns] : columns;
}

/** What a choice stands for in the settings. */
function pickedOf(field: Of<'choice' | 'column' | 'icon'>, value: string): unknown {
  if (field.type === 'choice') return field.values.find((one) => String(one) === value);
  return value === '' && field.type === 'column' ? null : value;
}
