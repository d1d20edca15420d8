import { ActionIcon, Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import fields from '../../../../common/fields.module.css';
import { IconPlus, IconX } from '../../../../common/icons.js';
import { ValueInput } from '../edit/ValueField.js';
import { useTableTexts } from '../useTableTexts.js';
import {
  type Condition,
  type ConditionList,
  conditionsOf,
  cqlOfConditions,
  type FilterColumn,
  firstCondition,
  type OperatorName,
  operatorsOf,
  takes,
} from './conditions.js';
import classes from './filter.module.css';

interface FilterPanelProps {
  columns: readonly FilterColumn[];
  /** CQL2-JSON; null: none. */
  filter: object | null;
  onFilter: (filter: object | null) => void;
  onClose: () => void;
}

/** Whether the rows have no room beside the conditions. */
export const isNarrow = (): boolean => matchMedia('(max-width: 40em)').matches;

/** A filter as it is written: what is not JSON is undefined. */
function parsed(text: string): object | null | undefined {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : undefined;
  } catch {
    return undefined;
  }
}

const written = (filter: object | null): string => (filter ? JSON.stringify(filter, null, 2) : '');

/** The conditions of the table: as a form, and as the JSON of the interface. */
export function FilterPanel({ columns, filter, onFilter, onClose }: FilterPanelProps): ReactNode {
  const texts = useTableTexts();
  const [state, setState] = useState(() => stateOf(filter, columns));
  // The address may name another filter by now, for example after a step back.
  useEffect(() => {
    setState((before) =>
      JSON.stringify(parsed(before.text)) === JSON.stringify(filter) ? before : stateOf(filter, columns),
    );
  }, [filter, columns]);
  const change = (list: ConditionList): void =>
    setState({ list, text: written(cqlOfConditions(list, columns)) });
  const next = parsed(state.text);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (next === undefined) return;
    onFilter(next);
    if (isNarrow()) onClose();
  };
  const showAll = (): void => {
    setState(stateOf(null, columns));
    onFilter(null);
  };
  return (
    <form className={classes.panel} aria-label={texts.filter} onSubmit={submit}>
      {state.list ? (
        <Conditions list={state.list} columns={columns} onChange={change} />
      ) : (
        <p className={classes.note}>{texts.filterOnlyJson}</p>
      )}
      <FilterJson
        text={state.text}
        isWrong={next === undefined}
        onText={(text) => {
          const other = parsed(text);
          setState({ text, list: other === undefined ? null : conditionsOf(other, columns) });
        }}
      />
      <div className={classes.buttons}>
        <Button type="submit" disabled={next === undefined}>
          {texts.applyFilter}
        </Button>
        <Button variant="default" disabled={!filter && !state.text} onClick={showAll}>
          {texts.removeFilter}
        </Button>
        {state.list && (
          <Button
            variant="subtle"
            leftSection={<IconPlus size={18} aria-hidden />}
            onClick={() => change(withCondition(state.list!, columns))}
          >
            {texts.addCondition}
          </Button>
        )}
      </div>
    </form>
  );
}

interface FilterJsonProps {
  text: string;
  isWrong: boolean;
  onText: (text: string) => void;
}

function FilterJson({ text, isWrong, onText }: FilterJsonProps): ReactNode {
  const texts = useTableTexts();
  return (
    <details>
      <summary>{texts.filterJson}</summary>
      <div className={fields.field}>
        <textarea
          aria-label={texts.filterJson}
          className={classes.json}
          rows={6}
          spellCheck={false}
          aria-invalid={isWrong}
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      </div>
      <p className={fields.problem} role="alert">
        {isWrong ? texts.filterNoJson : ''}
      </p>
    </details>
  );
}

const withCondition = (list: ConditionList, [first]: readonly FilterColumn[]): ConditionList => ({
  ...list,
  conditions: [...list.conditions, firstCondition(first!)],
});

interface FilterState {
  /** null: only the JSON has it. */
  list: ConditionList | null;
  text: string;
}

function stateOf(filter: object | null, columns: readonly FilterColumn[]): FilterState {
  const list = conditionsOf(filter, columns);
  const isNew = list?.conditions.length === 0 && columns[0];
  return {
    list: isNew ? { ...list, conditions: [firstCondition(columns[0]!)] } : list,
    text: written(filter),
  };
}

interface ConditionsProps {
  list: ConditionList;
  columns: readonly FilterColumn[];
  onChange: (list: ConditionList) => void;
}

function Conditions({ list, columns, onChange }: ConditionsProps): ReactNode {
  const texts = useTableTexts();
  const { conditions, isAny } = list;
  const set = (next: readonly Condition[]): void => onChange({ ...list, conditions: next });
  return (
    <>
      {conditions.length > 1 && (
        <label className={`${classes.how} ${fields.compact}`}>
          <span>{texts.shownObjects}</span>
          <select
            value={isAny ? 'any' : 'all'}
            onChange={({ currentTarget: { value } }) => onChange({ ...list, isAny: value === 'any' })}
          >
            <option value="all">{texts.allConditions}</option>
            <option value="any">{texts.anyCondition}</option>
          </select>
        </label>
      )}
      <ul className={classes.list}>
        {conditions.map((condition, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a condition keeps its fields when it changes
          <li key={place} className={`${classes.condition} ${fields.compact}`}>
            <ConditionFields
              condition={condition}
              columns={columns}
              onChange={(next) => set(conditions.map((one, i) => (i === place ? next : one)))}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={40}
              aria-label={texts.removeCondition(place + 1)}
              onClick={() => set(conditions.filter((_, i) => i !== place))}
            >
              <IconX size={18} />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </>
  );
}

interface ConditionFieldsProps {
  condition: Condition;
  columns: readonly FilterColumn[];
  onChange: (condition: Condition) => void;
}

/** Column, operator and values of a condition. */
function ConditionFields({ condition, columns, onChange }: ConditionFieldsProps): ReactNode {
  const texts = useTableTexts();
  const column = columns.find(({ code }) => code === condition.column);
  if (!column) return null; // it has been deleted meanwhile
  const count = takes(condition.operator);
  const labels = count === 2 ? [texts.fromValue, texts.toValue] : [texts.conditionValue];
  const named = texts.operatorsByType[column.type] ?? {};
  return (
    <>
      <select
        aria-label={texts.column}
        value={condition.column}
        onChange={({ currentTarget: { value } }) =>
          onChange(firstCondition(columns.find(({ code }) => code === value)!))
        }
      >
        {columns.map(({ code, name }) => (
          <option key={code} value={code}>
            {name || code}
          </option>
        ))}
      </select>
      <select
        aria-label={texts.operator}
        value={condition.operator}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...condition, operator: value as OperatorName })
        }
      >
        {operatorsOf(column).map((one) => (
          <option key={one} value={one}>
            {named[one] ?? texts.operators[one]}
          </option>
        ))}
      </select>
      {labels.slice(0, count).map((label, i) => (
        <ValueInput
          key={`${column.code} ${label}`}
          column={column}
          label={label}
          text={condition.values[i] ?? ''}
          onText={(text) => {
            const values = labels.map((_, at) => (at === i ? text : (condition.values[at] ?? '')));
            onChange({ ...condition, values });
          }}
        />
      ))}
    </>
  );
}
