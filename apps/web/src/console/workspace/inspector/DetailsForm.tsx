import { ClientError } from '@cartulary/client';
import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import fields from '../../../common/fields.module.css';
import { useLanguage, useTexts } from '../../../common/texts/language.js';
import { explain } from '../../catalog/explain.js';
import { useDraft, useKept } from '../../drafts.js';
import { useConsoleTexts } from '../../texts/useConsoleTexts.js';
import { useWorkspaceTexts } from '../texts/useWorkspaceTexts.js';
import { Conflict, type ConflictField } from './Conflict.js';
import classes from './inspector.module.css';
import type { StoredRecord } from './useRecord.js';

/** What maps, folders and layers are called. */
export interface Details {
  name: string;
  code: string;
}

interface DetailsFormProps {
  project: string;
  /** Id of the map, folder or layer. */
  id: number;
  /** As it is stored. */
  record: StoredRecord<Details>;
  canEdit: boolean;
  /** Whether the title is to get the focus; then `onRenaming` is called. */
  isRenaming?: boolean;
  onRenaming?: () => void;
  /** Writes changes to the version of the ETag. */
  save: (changes: Partial<Details>, etag: string) => Promise<void>;
  /** Called with a version that somebody else has saved. */
  onPresent: (record: StoredRecord<Details>) => void;
}

const keys = ['name', 'code'] as const;

/** What is entered, and the version that it was entered over. It is kept in the browser until it is stored. */
interface DetailsDraft {
  base: StoredRecord<Details> | null;
  values: Partial<Details>;
}

const noDraft: DetailsDraft = { base: null, values: {} };

/** What the inputs of the fields have of their own. */
const inputs = {
  name: { maxLength: 1000, spellCheck: true },
  code: { maxLength: 63, spellCheck: false, required: true, autoCapitalize: 'none' },
} as const;

/** Title and code, which are saved together. What another has saved meanwhile is never overwritten unseen. */
export function DetailsForm(props: DetailsFormProps): ReactNode {
  const { record, canEdit, isRenaming, onRenaming } = props;
  const titleField = useRef<HTMLInputElement>(null);
  const texts = useWorkspaceTexts();
  const { draft, enter, forget } = useDetailsDraft(props);
  const saving = useSaving(props, draft, forget);
  const problem = useId();
  useEffect(() => {
    if (!isRenaming) return;
    titleField.current?.select();
    onRenaming?.();
  }, [isRenaming, onRenaming]);
  const shown = { ...pick(record.value), ...draft.values };
  const isChanged = keys.some((key) => shown[key] !== record.value[key]);
  const labels = { name: texts.title, code: texts.code };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void saving.send(draft.values, draft.base ?? record);
  };
  return (
    <>
      <form className={fields.form} onSubmit={submit}>
        {keys.map((key) => (
          <label key={key} className={fields.field}>
            <span>{labels[key]}</span>
            <input
              ref={key === 'name' ? titleField : undefined}
              value={shown[key]}
              readOnly={!canEdit}
              {...inputs[key]}
              aria-describedby={problem}
              aria-invalid={saving.problem !== ''}
              onChange={({ currentTarget: { value } }) => enter(key, value)}
            />
          </label>
        ))}
        <p id={problem} className={fields.problem} role="alert">
          {saving.problem}
        </p>
        {canEdit && isChanged && (
          <div className={classes.save}>
            <Button variant="default" onClick={forget}>
              {texts.cancel}
            </Button>
            <Button type="submit" loading={saving.isBusy}>
              {texts.save}
            </Button>
          </div>
        )}
      </form>
      {saving.conflict && (
        <Conflict fields={conflictFields(draft, saving.conflict.value, labels)} {...saving.answers} />
      )}
    </>
  );
}

/** What is entered, as it is kept. */
function useDetailsDraft({ project, id, record, canEdit }: DetailsFormProps) {
  const { ui } = useLanguage();
  const [kept, keep] = useKept(useDraft<DetailsDraft>('details', project, String(id), ui));
  const draft = (canEdit && kept) || noDraft;
  const enter = (key: keyof Details, value: string): void => {
    const base = draft.base ?? { value: pick(record.value), etag: record.etag };
    keep({ base, values: { ...draft.values, [key]: value } });
  };
  return { draft, enter, forget: () => keep(null) };
}

/** The fields of a draft that another has given another value. */
const conflictFields = (
  { base, values }: DetailsDraft,
  theirs: Details,
  labels: Readonly<Record<keyof Details, string>>,
): ConflictField[] =>
  keys.flatMap((key) => {
    const mine = values[key];
    const isSettled = mine === undefined || mine === theirs[key] || theirs[key] === base?.value[key];
    return isSettled ? [] : [{ key, label: labels[key], mine, theirs: theirs[key] }];
  });

const pick = ({ name, code }: Details): Details => ({ name, code });

/** Sends a draft, and settles it with a version that was saved meanwhile. */
function useSaving({ save, onPresent }: DetailsFormProps, draft: DetailsDraft, clear: () => void) {
  const consoleTexts = useConsoleTexts();
  const common = useTexts();
  const [state, setState] = useState({ isBusy: false, problem: '' });
  const [conflict, setConflict] = useState<StoredRecord<Details> | null>(null);
  const send = async (changes: Partial<Details>, base: StoredRecord<Details>): Promise<void> => {
    setState({ isBusy: true, problem: '' });
    try {
      await save(changes, base.etag);
      clear();
      setState({ isBusy: false, problem: '' });
    } catch (error) {
      const present = presentOf(error);
      // Something else of it has changed: then there is nothing to choose.
      if (present && keys.every((key) => !(key in changes) || present.value[key] === base.value[key]))
        return send(changes, present);
      setConflict(present);
      setState({ isBusy: false, problem: present ? '' : explain(error, consoleTexts, common) });
    }
  };
  const choose = (mine: ReadonlySet<string> | null): void => {
    const theirs = conflict!;
    setConflict(null);
    onPresent(theirs);
    const { base, values } = draft;
    const isOwn = (key: keyof Details): boolean => theirs.value[key] === base?.value[key] || mine!.has(key);
    const kept = mine ? keys.filter((key) => key in values && isOwn(key)) : [];
    if (kept.length) void send(Object.fromEntries(kept.map((key) => [key, values[key]])), theirs);
    else clear();
  };
  return { ...state, conflict, send, answers: { onChoose: choose, onLater: () => setConflict(null) } };
}

/** The stored version in the error of a conditional write; null for other errors. */
function presentOf(error: unknown): StoredRecord<Details> | null {
  if (!(error instanceof ClientError) || error.code !== 'changed_meanwhile') return null;
  const { present, etag } = error.data as { present: Details; etag: string };
  return { value: present, etag };
}
