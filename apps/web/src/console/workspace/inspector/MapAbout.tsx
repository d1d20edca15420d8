import type { ReactNode } from 'react';
import { base } from '../../../common/base.js';
import { IconExternalLink } from '../../../common/icons.js';
import { useLanguage } from '../../../common/texts/language.js';
import { clientOf } from '../../client.js';
import { goTo, pathOf } from '../../router.js';
import { useWorkspaceTexts } from '../texts/useWorkspaceTexts.js';
import type { Changes } from '../useChanges.js';
import { rights, type Workspace } from '../useWorkspace.js';
import { type Details, DetailsForm } from './DetailsForm.js';
import classes from './inspector.module.css';
import { MapGround } from './MapGround.js';
import { UnreadDetails } from './UnreadDetails.js';
import { useRecord } from './useRecord.js';

const mapPath = '/api/2.8/{project}/{map}/';

/** What the map is, while no layer or folder is chosen. */
export function MapAbout({ workspace, changes }: { workspace: Workspace; changes: Changes }): ReactNode {
  const texts = useWorkspaceTexts();
  const { ui } = useLanguage();
  const { project, map, access, version, items } = workspace;
  const path = { map: map.code };
  const { record, error, set, retry } = useRecord(`${map.id} ${version} ${ui}`, (options) =>
    clientOf(project).get(mapPath, { params: { path, query: { lng: ui } }, ...options }),
  );
  const save = async (body: Partial<Details>, etag: string): Promise<void> => {
    const changed = await clientOf(project).patch(mapPath, {
      params: { path, query: { lng: ui }, header: { 'if-match': etag } },
      body,
    });
    if (changed.code === map.code) {
      await workspace.reload();
      changes.tell(texts.saved(changed.name || changed.code));
    } else goTo(pathOf(project, changed.code) + location.search + location.hash, { replace: true });
  };
  return (
    <>
      {!record && error !== null && <UnreadDetails error={error} onRetry={retry} />}
      {record && (
        <DetailsForm
          project={project}
          id={map.id}
          record={record}
          canEdit={access >= rights.edit}
          save={save}
          onPresent={({ value, etag }) => set({ value: { ...record.value, ...value }, etag })}
        />
      )}
      {record && access >= rights.edit && (
        <MapGround workspace={workspace} etag={record.etag} changes={changes} />
      )}
      <p className={classes.text}>{map.has_publication ? texts.publicMap : texts.privateMap}</p>
      <p className={classes.text}>{texts.layerCount(items.filter(({ type }) => type !== 'folder').length)}</p>
      <a
        className={classes.link}
        href={`${base}/maps/${encodeURIComponent(project)}/${encodeURIComponent(map.code)}/`}
      >
        <IconExternalLink size={18} aria-hidden /> {texts.openMapPage}
      </a>
      {items.length > 0 && <p className={classes.hint}>{texts.chooseItem}</p>}
    </>
  );
}
