import { type ReactNode, useState } from 'react';
import fields from '../../../../common/fields.module.css';
import { ValueField } from '../../table/edit/ValueField.js';
import { valueIn } from '../../table/edit/values.js';
import { nameOf } from '../columns.js';
import classes from '../columns.module.css';
import { useColumnTexts } from '../useColumnTexts.js';
import { DictionaryFields } from './DictionaryFields.js';
import type { RuleFieldsProps } from './ruleField.js';
import { canHaveRules } from './rules.js';

/** The fields of a rule by its kind. */
export function RuleFields(props: RuleFieldsProps): ReactNode {
  switch (props.rule.kind) {
    case 'range':
      return <RangeFields {...props} />;
    case 'check':
      return <AllowedValues {...props} />;
    case 'unique':
      return <OtherColumns {...props} />;
    default:
      return <DictionaryFields {...props} />;
  }
}

function RangeFields({ column, rule, onChange }: RuleFieldsProps): ReactNode {
  const texts = useColumnTexts();
  const [ends, setEnds] = useState(['', '']);
  return (
    <div className={classes.pair}>
      {[texts.least, texts.greatest].map((label, end) => (
        <ValueField
          key={label}
          column={column}
          label={label}
          text={ends[end]!}
          onText={(text) => {
            const next = ends.map((one, i) => (i === end ? text : one));
            setEnds(next);
            onChange({ ...rule, definition: next.map((one) => valueIn(column, one)) });
          }}
        />
      ))}
    </div>
  );
}

/** The allowed values, one on each line. */
function AllowedValues({ column, rule, onChange }: RuleFieldsProps): ReactNode {
  const texts = useColumnTexts();
  const [text, setText] = useState('');
  return (
    <label className={fields.field}>
      <span>{texts.allowedValues}</span>
      <textarea
        rows={5}
        value={text}
        spellCheck={false}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          const lines = [...new Set(value.split('\n').map((line) => line.trim()))].filter(Boolean);
          onChange({ ...rule, definition: lines.map((line) => valueIn(column, line)) });
        }}
      />
    </label>
  );
}

/** The columns that are unique together with this one. */
function OtherColumns({ columns, column, rule, onChange }: RuleFieldsProps): ReactNode {
  const texts = useColumnTexts();
  const others = columns.filter((one) => one.code !== column.code && canHaveRules(one));
  if (!others.length) return null;
  return (
    <fieldset className={fields.choices}>
      <legend>{texts.uniqueWith}</legend>
      {others.map((one) => (
        <label key={one.code} className={fields.check}>
          <input
            type="checkbox"
            checked={rule.columns.includes(one.code)}
            onChange={({ currentTarget: { checked } }) => {
              const rest = rule.columns.filter((code) => code !== one.code);
              onChange({ ...rule, columns: checked ? [...rest, one.code] : rest });
            }}
          />
          <span>{nameOf(one)}</span>
        </label>
      ))}
    </fieldset>
  );
}
