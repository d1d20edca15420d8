import { type ReactNode, useId } from 'react';
import fields from '../../../common/fields.module.css';
import { languageName } from '../../../common/texts/language.js';
import { type ColumnDraft, codeOfTitle, columnTypes, nameOf, type StoredColumn } from './columns.js';
import type { ColumnForm } from './useColumnForm.js';
import { useColumnTexts } from './useColumnTexts.js';

interface ColumnFieldsProps {
  form: ColumnForm;
  /** Number of objects without a value, where one is demanded by the change; null: nothing to tell. */
  emptyCount: number | null;
  columns: readonly StoredColumn[];
  /** The column that is changed; null: a new one. */
  column: StoredColumn | null;
  /** Whether its code, type and values are fixed. */
  isFixed: boolean;
  languages: readonly string[];
}

/** What a column is called, and what its values are. */
export function ColumnFields(props: ColumnFieldsProps): ReactNode {
  const { form, column, isFixed } = props;
  const texts = useColumnTexts();
  const { draft, change } = form;
  const types = isFixed ? [draft.type] : columnTypes;
  return (
    <>
      <Titles {...props} />
      {!isFixed && <CodeField {...props} />}
      {!isFixed && (
        <label className={fields.field}>
          <span>{texts.type}</span>
          <select
            value={draft.type}
            onChange={({ currentTarget: { value: type } }) =>
              change(type === form.stored?.type ? { type, format: form.stored.format } : { type, format: {} })
            }
          >
            {types.map((type) => (
              <option key={type} value={type}>
                {texts.types[type] ?? type}
              </option>
            ))}
          </select>
        </label>
      )}
      <GroupField {...props} />
      {!isFixed && <ValueChecks {...props} key={column?.id ?? 0} />}
    </>
  );
}

/** The title, or one in each language of the map. */
function Titles({ form, columns, column, languages }: ColumnFieldsProps): ReactNode {
  const texts = useColumnTexts();
  const { draft, change, ownCode } = form;
  const withCode = (title: string): Partial<ColumnDraft> =>
    column || ownCode ? {} : { code: codeOfTitle(title, columns) };
  return (
    <>
      {draft.localized_name ? (
        languages.map((language, i) => (
          <label key={language} className={fields.field}>
            <span>{texts.titleIn(languageName(language))}</span>
            <input
              value={draft.names[language] ?? ''}
              maxLength={1000}
              lang={language}
              onChange={({ currentTarget: { value } }) =>
                change({ names: { ...draft.names, [language]: value }, ...(i ? {} : withCode(value)) })
              }
            />
          </label>
        ))
      ) : (
        <label className={fields.field}>
          <span>{texts.title}</span>
          <input
            value={draft.name}
            maxLength={1000}
            onChange={({ currentTarget: { value } }) => change({ name: value, ...withCode(value) })}
          />
        </label>
      )}
      {languages.length > 1 && (
        <Check
          label={texts.titles}
          isOn={draft.localized_name}
          onChange={(localized_name) => change(localizedTitles(draft, localized_name, languages))}
        />
      )}
    </>
  );
}

/** The title goes into the first language, and comes from it. */
function localizedTitles(
  { name, names }: ColumnDraft,
  localized_name: boolean,
  [first]: readonly string[],
): Partial<ColumnDraft> {
  if (!localized_name) return { localized_name, name: names[first!] || name };
  return { localized_name, names: { ...names, [first!]: name } };
}

function CodeField({ form }: ColumnFieldsProps): ReactNode {
  const texts = useColumnTexts();
  const [hint, problem] = [useId(), useId()];
  const wrong = form.problem?.field === 'code' ? form.problem.text : '';
  return (
    <>
      <label className={fields.field}>
        <span>{texts.code}</span>
        <input
          value={form.draft.code}
          required
          maxLength={44}
          autoCapitalize="none"
          spellCheck={false}
          aria-describedby={`${problem} ${hint}`}
          aria-invalid={wrong !== ''}
          onChange={({ currentTarget: { value } }) => form.changeCode(value)}
        />
      </label>
      <p id={problem} className={fields.problem} role="alert">
        {wrong}
      </p>
      <p id={hint} className={fields.hint}>
        {texts.codeHint}
      </p>
    </>
  );
}

/** The heading that the column stands under, where the layer has any. */
function GroupField({ form, columns, column }: ColumnFieldsProps): ReactNode {
  const texts = useColumnTexts();
  const headings = columns.filter(({ id, type }) => type === 'title' && id !== column?.id);
  if (!headings.length) return null;
  return (
    <label className={fields.field}>
      <span>{texts.group}</span>
      <select
        value={form.draft.parent_id}
        onChange={({ currentTarget: { value } }) => form.change({ parent_id: Number(value) })}
      >
        <option value={0}>{texts.noGroup}</option>
        {headings.map((one) => (
          <option key={one.id} value={one.id}>
            {nameOf(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What the values must be. A heading has none; files are added to objects that are there. */
function ValueChecks({ form, languages, emptyCount }: ColumnFieldsProps): ReactNode {
  const texts = useColumnTexts();
  const { draft, change } = form;
  if (draft.type === 'title' || draft.type === 'file') return null;
  return (
    <div>
      <Check label={texts.mustFill} isOn={draft.required} onChange={(required) => change({ required })} />
      <p role="status" className={fields.note}>
        {emptyCount ? texts.emptyStay(emptyCount) : ''}
      </p>
      {(languages.length > 1 || draft.localized_value) && (
        <Check
          label={texts.perLanguage}
          isOn={draft.localized_value}
          onChange={(localized_value) => change({ localized_value })}
        />
      )}
    </div>
  );
}

interface CheckProps {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

const Check = ({ label, isOn, onChange }: CheckProps): ReactNode => (
  <label className={fields.check}>
    <input type="checkbox" checked={isOn} onChange={({ currentTarget: { checked } }) => onChange(checked)} />
    <span>{label}</span>
  </label>
);
