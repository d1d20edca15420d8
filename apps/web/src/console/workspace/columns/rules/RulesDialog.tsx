import { ActionIcon, Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog } from '../../../../common/Dialog.js';
import fields from '../../../../common/fields.module.css';
import { IconTrash } from '../../../../common/icons.js';
import { useLanguage } from '../../../../common/texts/language.js';
import { clientOf } from '../../../client.js';
import { useSending } from '../../../useSending.js';
import { forgetDictionaries } from '../../table/edit/useSuggestions.js';
import type { Workspace, WorkspaceItem } from '../../useWorkspace.js';
import { nameOf, type StoredColumn } from '../columns.js';
import classes from '../columns.module.css';
import { LostValues } from '../TypeChange.js';
import { useColumnTexts } from '../useColumnTexts.js';
import { describeRule } from './describe.js';
import { RuleFields } from './RuleFields.js';
import { addRule, blankRule, isComplete, kindsFor, type Rule, type Rules, removeRule } from './rules.js';
import { useViolations, type Violations } from './useViolations.js';

export interface RulesDialogProps {
  workspace: Workspace;
  item: WorkspaceItem;
  columns: readonly StoredColumn[];
  column: StoredColumn;
  rules: Rules;
  /** Reads the rules anew. */
  onChanged: () => Promise<void>;
  onClose: () => void;
}

/** What the values of a column must be: the rules that are there, and a form for another one. */
export function RulesDialog(props: RulesDialogProps): ReactNode {
  const { workspace, item, column, rules, onChanged, onClose } = props;
  const texts = useColumnTexts();
  const { isBusy, problem, send } = useSending();
  const own = rules.list.filter(({ columns }) => columns.includes(column.code));
  const client = clientOf(workspace.project);
  const path = { map: workspace.map.code, layer: item.code };
  const change = (work: () => Promise<void>): Promise<boolean> =>
    send(async () => {
      await work();
      forgetDictionaries();
      await onChanged();
    });
  return (
    <Dialog title={texts.rulesOf(nameOf(column))} onClose={onClose}>
      <div className={fields.form}>
        <RuleList
          rules={own}
          isBusy={isBusy}
          onRemove={(rule) => void change(() => removeRule(client, path, rule))}
        />
        <NewRule {...props} isBusy={isBusy} onAdd={(rule) => change(() => addRule(client, path, rule))} />
        {!rules.isAdministrator && <p className={classes.note}>{texts.rulesOfAdministrators}</p>}
        <p className={fields.problem} role="alert">
          {problem}
        </p>
      </div>
    </Dialog>
  );
}

interface RuleListProps {
  rules: readonly Rule[];
  isBusy: boolean;
  onRemove: (rule: Rule) => void;
}

function RuleList({ rules, isBusy, onRemove }: RuleListProps): ReactNode {
  const texts = useColumnTexts();
  const { ui } = useLanguage();
  if (!rules.length) return <p className={classes.note}>{texts.noRules}</p>;
  return (
    <ul className={classes.list} aria-label={texts.rules}>
      {rules.map((rule) => {
        const text = describeRule(rule, texts, ui);
        return (
          <li key={`${rule.kind} ${rule.name}`} className={classes.row}>
            <span className={classes.main}>
              {text}
              {!rule.isKept && <span className={classes.marks}>{texts.ruleNotKept}</span>}
            </span>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={40}
              aria-label={texts.removeRule(text)}
              disabled={isBusy}
              onClick={() => onRemove(rule)}
            >
              <IconTrash size={18} />
            </ActionIcon>
          </li>
        );
      })}
    </ul>
  );
}

interface NewRuleProps extends RulesDialogProps {
  isBusy: boolean;
  onAdd: (rule: Rule) => Promise<boolean>;
}

/** A form for another rule, with what it would refuse. */
function NewRule(props: NewRuleProps): ReactNode {
  const { workspace, item, columns, column, rules, isBusy, onAdd } = props;
  const texts = useColumnTexts();
  const kinds = kindsFor(column, rules);
  const [rule, setRule] = useState(() => blankRule(kinds[0]!, column));
  const violations = useViolations(workspace, item, rule);
  const count = violations.value?.violations ?? 0;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (await onAdd({ ...rule, isKept: count === 0 })) setRule(blankRule(rule.kind, column));
  };
  return (
    <form className={fields.form} onSubmit={(event) => void submit(event)}>
      <label className={fields.field}>
        <span>{texts.newRule}</span>
        <select
          value={rule.kind}
          onChange={({ currentTarget: { value } }) => setRule(blankRule(value as Rule['kind'], column))}
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {texts.ruleKinds[kind]}
            </option>
          ))}
        </select>
      </label>
      <RuleFields
        key={rule.kind}
        project={workspace.project}
        columns={columns}
        column={column}
        rule={rule}
        onChange={setRule}
      />
      <Refused violations={violations} />
      <div className={fields.buttons}>
        <Button
          type="submit"
          loading={isBusy}
          disabled={!isComplete(rule) || violations.isCounting}
          color={count ? 'red.9' : undefined}
        >
          {count ? texts.addAllTheSame : texts.addRule}
        </Button>
      </div>
    </form>
  );
}

/** The stored values that a rule would refuse. */
function Refused({ violations: { value, isCounting, problem } }: { violations: Violations }): ReactNode {
  const texts = useColumnTexts();
  return (
    <>
      <p className={fields.problem} role="alert">
        {problem}
      </p>
      <div role="status">
        {isCounting && <p className={classes.kept}>{texts.countingViolations}</p>}
        {value && value.violations === 0 && <p className={classes.kept}>{texts.allFit(value.values)}</p>}
        {value && value.violations > 0 && (
          <LostValues text={texts.violations(value.violations, value.values)} examples={value.examples} />
        )}
      </div>
    </>
  );
}
