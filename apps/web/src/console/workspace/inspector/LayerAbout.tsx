import type { LayerDetails } from '@cartulary/client';
import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { IconZoomScan } from '../../../common/icons.js';
import { useLanguage } from '../../../common/texts/language.js';
import { clientOf } from '../../client.js';
import { ExternalAbout } from '../external/ExternalAbout.js';
import { LastImportNote } from '../import/undo/LastImportNote.js';
import { useWorkspaceTexts } from '../texts/useWorkspaceTexts.js';
import type { Changes } from '../useChanges.js';
import { rights, type Workspace, type WorkspaceItem } from '../useWorkspace.js';
import { DetailsForm } from './DetailsForm.js';
import { DrawnAt } from './DrawnAt.js';
import classes from './inspector.module.css';
import { PublicationChoice } from './PublicationChoice.js';
import { UnreadDetails } from './UnreadDetails.js';
import { useRecord } from './useRecord.js';

export interface AboutProps {
  workspace: Workspace;
  item: WorkspaceItem;
  changes: Changes;
  isRenaming: boolean;
  onRenaming: () => void;
  onZoom: (item: WorkspaceItem) => void;
  /** Called with the new code, by which the address names the item. */
  onCode: (code: string) => void;
}

const layerPath = '/api/2.8/{project}/{map}/layers/{layer}/';

/** What a layer is: its names, what it holds, how the map page has it. */
export function LayerAbout({ workspace, item, changes, onZoom, onCode, ...renaming }: AboutProps): ReactNode {
  const texts = useWorkspaceTexts();
  const { ui } = useLanguage();
  const { project, map, access, version } = workspace;
  const path = { map: map.code, layer: item.code };
  const { record, error, set, attempt, retry } = useRecord<LayerDetails>(
    `${item.id} ${version} ${ui}`,
    (options) => clientOf(project).get(layerPath, { params: { path, query: { lng: ui } }, ...options }),
  );
  const save = async (body: object, etag: string): Promise<void> => {
    const layer = await clientOf(project).patch(layerPath, {
      params: { path, query: { lng: ui }, header: { 'if-match': etag } },
      body,
    });
    await workspace.reload();
    onCode(layer.code);
    changes.tell(texts.saved(layer.name || layer.code));
  };
  return (
    <>
      {!record && error !== null && <UnreadDetails error={error} onRetry={retry} />}
      {record && (
        <DetailsForm
          project={project}
          id={item.id}
          record={record}
          canEdit={item.access >= rights.edit}
          {...renaming}
          save={save}
          onPresent={({ value, etag }) => set({ value: { ...record.value, ...value }, etag })}
        />
      )}
      {record && item.type === 'external' && <ExternalAbout {...{ workspace, item, record, changes }} />}
      <LayerFacts key={`facts ${attempt}`} workspace={workspace} item={item} />
      {record && <DrawnAt key={item.id} {...{ workspace, item, record, changes }} />}
      {item.type === 'layer' && item.access >= rights.edit && (
        <LastImportNote
          key={`${item.code} ${attempt}`}
          workspace={workspace}
          layer={item.code}
          changes={changes}
        />
      )}
      {item.bbox && (
        <Button
          variant="light"
          leftSection={<IconZoomScan size={18} aria-hidden />}
          onClick={() => onZoom(item)}
        >
          {texts.zoomTo}
        </Button>
      )}
      {access >= rights.administer && (
        <PublicationChoice workspace={workspace} item={item} changes={changes} />
      )}
    </>
  );
}

const coordinate = new Intl.NumberFormat('en', { maximumFractionDigits: 4 });

/** The numbers of a layer. */
function LayerFacts({ workspace, item }: Pick<AboutProps, 'workspace' | 'item'>): ReactNode {
  const texts = useWorkspaceTexts();
  const { ui } = useLanguage();
  const counts = useCounts(workspace, item);
  const number = new Intl.NumberFormat(ui);
  const { bbox } = item;
  const corner = (place: readonly number[]): string =>
    place.map((degrees) => coordinate.format(degrees)).join(', ');
  return (
    <dl className={classes.facts}>
      <dt>{texts.kind}</dt>
      <dd>{texts.kinds[item.type]}</dd>
      {counts && (
        <>
          <dt>{texts.objects}</dt>
          <dd>{number.format(counts.objects)}</dd>
          <dt>{texts.columns}</dt>
          <dd>{number.format(counts.columns)}</dd>
        </>
      )}
      <dt>{texts.extent}</dt>
      <dd>{bbox ? `${corner(bbox.sw)} – ${corner(bbox.ne)}` : texts.noExtent}</dd>
    </dl>
  );
}

interface Counts {
  objects: number;
  columns: number;
}

/** Columns that every layer has. */
const systemColumns = ['svc_id', 'geom'];

/** Objects and columns of a layer; null for a layer of pictures, and until they are known. */
function useCounts({ project, map, version }: Workspace, { code, type }: WorkspaceItem): Counts | null {
  const [counts, setCounts] = useState<Counts | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is counted anew
  useEffect(() => {
    if (type === 'raster' || type === 'external') return setCounts(null);
    const controller = new AbortController();
    const { signal } = controller;
    const params = { path: { map: map.code, layer: code } };
    const client = clientOf(project);
    Promise.all([
      client.get(`${layerPath}count/`, { params: { ...params, query: { precise: 'true' } }, signal }),
      client.get(`${layerPath}structure/`, { params, signal }),
    ]).then(
      ([objects, columns]) =>
        setCounts({ objects, columns: columns.filter((one) => !systemColumns.includes(one.code)).length }),
      () => !signal.aborted && setCounts(null),
    );
    return () => controller.abort();
  }, [project, map.code, code, type, version]);
  return counts;
}
