import type { LayerDetails } from '@cartulary/client';
import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import fields from '../../../common/fields.module.css';
import { clientOf } from '../../client.js';
import { useSending } from '../../useSending.js';
import classes from '../inspector/inspector.module.css';
import type { StoredRecord } from '../inspector/useRecord.js';
import type { Changes } from '../useChanges.js';
import { rights, type Workspace, type WorkspaceItem } from '../useWorkspace.js';
import { ExternalFields } from './ExternalFields.js';
import { type ExternalForm, formOf, settingsOf } from './externalSource.js';
import { useExternalTexts } from './useExternalTexts.js';

interface ExternalAboutProps {
  workspace: Workspace;
  item: WorkspaceItem;
  /** The layer as it is stored. */
  record: StoredRecord<LayerDetails>;
  changes: Changes;
}

/** Where the pictures of a layer come from, and the form that changes it. */
export function ExternalAbout({ workspace, item, record, changes }: ExternalAboutProps): ReactNode {
  const texts = useExternalTexts();
  /** What is entered, and the version that it is entered over. */
  const [draft, setDraft] = useState<{ base: StoredRecord<LayerDetails>; form: ExternalForm } | null>(null);
  const { isBusy, problem, send } = useSending();
  const problemId = useId();
  const base = draft?.base ?? record;
  const json = (base.value.json ?? {}) as Record<string, unknown>;
  const form = draft?.form ?? formOf(json);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void send(async () => {
      await clientOf(workspace.project).patch('/api/2.8/{project}/{map}/layers/{layer}/', {
        params: {
          path: { map: workspace.map.code, layer: item.code },
          header: { 'if-match': base.etag },
        },
        body: { json: settingsOf(form, json) },
      });
      await workspace.reload();
      setDraft(null);
      changes.tell(texts.saved(item.name || item.code));
    });
  };
  return (
    <form className={fields.form} onSubmit={submit} aria-label={texts.source} autoComplete="off">
      <ExternalFields
        form={form}
        canEdit={item.access >= rights.edit}
        problem={problemId}
        onChange={(next) => setDraft({ base, form: next })}
      />
      <p id={problemId} className={fields.problem} role="alert">
        {problem}
      </p>
      {draft && (
        <div className={classes.save}>
          <Button variant="default" onClick={() => setDraft(null)}>
            {texts.cancel}
          </Button>
          <Button type="submit" loading={isBusy}>
            {texts.save}
          </Button>
        </div>
      )}
    </form>
  );
}
