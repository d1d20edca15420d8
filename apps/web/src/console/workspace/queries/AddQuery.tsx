import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, Suspense, useState } from 'react';
import { Dialog } from '../../../common/Dialog.js';
import fields from '../../../common/fields.module.css';
import { useLanguage } from '../../../common/texts/language.js';
import { codeFor } from '../../catalog/codeFor.js';
import { clientOf } from '../../client.js';
import { useDraft, useKept } from '../../drafts.js';
import { lazyEditor } from '../../lazyPart.js';
import { freeCode } from '../dialogs/freeCode.js';
import type { Workspace } from '../useWorkspace.js';
import { ResultRows } from './FirstRows.js';
import { RunState } from './RunState.js';
import { useSchema } from './schema.js';
import { usePreview } from './usePreview.js';
import { useQueryTexts } from './useQueryTexts.js';
import { useRun } from './useRun.js';

const SqlEditor = lazyEditor(() => import('./SqlEditor.js'));

interface AddQueryProps {
  workspace: Workspace;
  /** The folder that it is put in; null: the map. */
  parent: number | null;
  onClose: () => void;
  onDone: (made: { name: string; code: string }) => void;
}

/** A query that is not a layer yet; kept in the browser until it is one. */
interface NewQuery {
  title: string;
  type: 'virtual' | 'material';
  text: string;
}

/** The query that a new one begins with: the first layer of the map. */
function firstQuery({ map, items }: Workspace): string {
  const layer = items.find(({ type }) => type === 'layer');
  return layer ? `select svc_id, geom\nfrom ${written(map.code)}.${written(layer.code)}` : 'select ';
}

/** A code as it is written in SQL. */
const written = (code: string): string => (/^[a-z_][a-z0-9_]*$/.test(code) ? code : `"${code}"`);

/** The dialog that adds a query layer. */
export default function AddQuery({ workspace, parent, onClose, onDone }: AddQueryProps): ReactNode {
  const texts = useQueryTexts();
  const { ui, texts: common } = useLanguage();
  const { project, map } = workspace;
  const [draft, setDraft] = useKept(useDraft<NewQuery>('new-query', project, map.code));
  const [first] = useState<NewQuery>(() => ({ title: '', type: 'virtual', text: firstQuery(workspace) }));
  const { title, type, text } = draft ?? first;
  const change = (part: Partial<NewQuery>): void => setDraft({ ...(draft ?? first), ...part });
  const schema = useSchema(workspace, text);
  const run = useRun();
  const { preview, look } = usePreview(workspace, { text, type, run });
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const name = title.trim();
    const code = freeCode(codeFor(name), 'layer', workspace);
    const made = await run.start((signal) =>
      clientOf(project).post('/api/2.8/{project}/{map}/layers/', {
        params: { path: { map: map.code }, query: { lng: ui } },
        body: { name, ...(code ? { code } : {}), type, json: { query: text }, parent_id: parent ?? map.id },
        signal,
      }),
    );
    if (!made) return;
    setDraft(null);
    onDone({ code: made.code, name: name || made.code });
  };
  const giveUp = (): void => {
    setDraft(null);
    onClose();
  };
  return (
    <Dialog title={texts.newQuery} isWide onClose={onClose}>
      <form className={fields.form} onSubmit={(event) => void submit(event)}>
        <TitleAndKind query={{ title, type, text }} onChange={change} />
        <Suspense fallback={<p role="status">{common.loading}</p>}>
          <SqlEditor
            text={text}
            canEdit
            schema={schema}
            problem={run.problem}
            onChange={(next) => change({ text: next })}
          />
        </Suspense>
        <RunState run={run} />
        {preview && <ResultRows title={texts.previewRows} {...preview} />}
        <div className={fields.buttons}>
          <Button variant="default" size="md" onClick={giveUp}>
            {texts.cancel}
          </Button>
          <Button variant="light" size="md" disabled={run.isBusy} onClick={() => void look()}>
            {texts.preview}
          </Button>
          <Button type="submit" size="md" loading={run.isBusy}>
            {texts.make}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface TitleAndKindProps {
  query: NewQuery;
  onChange: (part: Partial<NewQuery>) => void;
}

function TitleAndKind({ query, onChange }: TitleAndKindProps): ReactNode {
  const texts = useQueryTexts();
  return (
    <>
      <label className={fields.field}>
        <span>{texts.title}</span>
        <input
          value={query.title}
          maxLength={1000}
          onChange={({ currentTarget: { value } }) => onChange({ title: value })}
        />
      </label>
      <fieldset className={fields.choices}>
        <legend>{texts.kind}</legend>
        {(['virtual', 'material'] as const).map((one) => (
          <label key={one} className={fields.check}>
            <input
              type="radio"
              name="kind"
              checked={query.type === one}
              onChange={() => onChange({ type: one })}
            />
            <span>{texts.kinds[one]}</span>
          </label>
        ))}
      </fieldset>
    </>
  );
}
