import type { ReactNode } from 'react';
import { useLanguage } from '../../../common/texts/language.js';
import { clientOf } from '../../client.js';
import { useWorkspaceTexts } from '../texts/useWorkspaceTexts.js';
import { rights } from '../useWorkspace.js';
import { type Details, DetailsForm } from './DetailsForm.js';
import classes from './inspector.module.css';
import type { AboutProps } from './LayerAbout.js';
import { PublicationChoice } from './PublicationChoice.js';
import { UnreadDetails } from './UnreadDetails.js';
import { useRecord } from './useRecord.js';

const folderPath = '/api/2.8/{project}/{map}/folders/{folder}/';

/** What a folder is: its names, what it holds, how the map page has it. */
export function FolderAbout({
  workspace,
  item,
  changes,
  onCode,
  isRenaming,
  onRenaming,
}: AboutProps): ReactNode {
  const texts = useWorkspaceTexts();
  const { ui } = useLanguage();
  const { project, map, access, version, items } = workspace;
  const path = { map: map.code, folder: item.code };
  const { record, error, set, retry } = useRecord(`${item.id} ${version} ${ui}`, (options) =>
    clientOf(project).get(folderPath, { params: { path, query: { lng: ui } }, ...options }),
  );
  const save = async (changed: Partial<Details>, etag: string): Promise<void> => {
    const folder = await clientOf(project).patch(folderPath, {
      params: { path, query: { lng: ui }, header: { 'if-match': etag } },
      body: { ...changed, parent_id: item.parent_id },
    });
    await workspace.reload();
    onCode(folder.code);
    changes.tell(texts.saved(String(folder.name || folder.code)));
  };
  const children = items.filter(({ parent_id }) => parent_id === item.id);
  return (
    <>
      {!record && error !== null && <UnreadDetails error={error} onRetry={retry} />}
      {record && (
        <DetailsForm
          project={project}
          id={item.id}
          record={{ ...record, value: record.value as Details }}
          canEdit={item.access >= rights.edit}
          isRenaming={isRenaming}
          onRenaming={onRenaming}
          save={save}
          onPresent={({ value, etag }) => set({ value: { ...record.value, ...value }, etag })}
        />
      )}
      <dl className={classes.facts}>
        <dt>{texts.kind}</dt>
        <dd>{texts.kinds.folder}</dd>
        <dt>{texts.layers}</dt>
        <dd>{children.length}</dd>
        <dt>{texts.display}</dt>
        <dd>{texts.displays[item.view_format_type ?? 0]}</dd>
      </dl>
      {access >= rights.administer && (
        <PublicationChoice workspace={workspace} item={item} changes={changes} />
      )}
    </>
  );
}
