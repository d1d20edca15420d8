import { Button } from '@mantine/core';
import { type FormEvent, lazy, type ReactNode, Suspense, useState } from 'react';
import { Dialog } from '../../../common/Dialog.js';
import fields from '../../../common/fields.module.css';
import { useLanguage } from '../../../common/texts/language.js';
import { codeFor } from '../../catalog/codeFor.js';
import { clientOf } from '../../client.js';
import { freeCode } from '../dialogs/freeCode.js';
import type { Workspace } from '../useWorkspace.js';
import classes from './queries.module.css';
import { RunState } from './RunState.js';
import { useSchema } from './schema.js';
import { useQueryTexts } from './useQueryTexts.js';
import { useRun } from './useRun.js';

const SqlEditor = lazy(() => import('./SqlEditor.js'));

interface AddQueryProps {
  workspace: Workspace;
  /** The folder that it is put in; null: the map. */
  parent: number | null;
  onClose: () => void;
  onDone: (made: { name: string; code: string }) => void;
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
  const [title, setTitle] = useState('');
  const [type, setType] = useState<'virtual' | 'material'>('virtual');
  const [text, setText] = useState(() => firstQuery(workspace));
  const schema = useSchema(workspace, text);
  const run = useRun();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const name = title.trim();
    const code = freeCode(codeFor(name), 'layer', workspace);
    const { project, map } = workspace;
    const made = await run.start(() =>
      clientOf(project).post('/api/2.8/{project}/{map}/layers/', {
        params: { path: { map: map.code }, query: { lng: ui } },
        body: { name, ...(code ? { code } : {}), type, json: { query: text }, parent_id: parent ?? map.id },
      }),
    );
    if (made) onDone({ code: made.code, name: name || made.code });
  };
  return (
    <Dialog title={texts.newQuery} isWide onClose={onClose}>
      <form className={fields.form} onSubmit={(event) => void submit(event)}>
        <label className={fields.field}>
          <span>{texts.title}</span>
          <input
            value={title}
            maxLength={1000}
            onChange={({ currentTarget: { value } }) => setTitle(value)}
          />
        </label>
        <fieldset className={classes.kinds}>
          <legend>{texts.kind}</legend>
          {(['virtual', 'material'] as const).map((one) => (
            <label key={one} className={fields.check}>
              <input type="radio" name="kind" checked={type === one} onChange={() => setType(one)} />
              <span>{texts.kinds[one]}</span>
            </label>
          ))}
        </fieldset>
        <Suspense fallback={<p role="status">{common.loading}</p>}>
          <SqlEditor text={text} canEdit schema={schema} problem={run.problem} onChange={setText} />
        </Suspense>
        <RunState run={run} />
        <div className={fields.buttons}>
          <Button variant="default" size="md" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button type="submit" size="md" loading={run.isBusy}>
            {texts.make}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
