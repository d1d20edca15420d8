import { Loader } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { address, base } from '../common/base.js';
import { bestLanguage, useLanguage } from '../common/language.js';
import { ErrorMessage, KnownMessage } from '../common/Message.js';
import type { PublishedMap } from '../common/types.js';
import { useCall } from '../common/useCall.js';
import type { MapAddress } from './objects.js';
import type { TreeItem } from './tree.js';
import { Viewer } from './Viewer.js';
import classes from './viewer.module.css';

/** The map that the address names; null when it names none. */
function addressedMap(): MapAddress | null {
  const path = location.pathname.slice(new URL(base).pathname.replace(/\/$/, '').length);
  const match = /^\/maps\/([^/]+)\/([^/]+)\/?$/.exec(path);
  if (!match) return null;
  try {
    return { project: decodeURIComponent(match[1]!), map: decodeURIComponent(match[2]!) };
  } catch {
    return null;
  }
}

const named = addressedMap();
/** The map library is on its way while the service tells what the map has; a failure shows where it is needed. */
if (named) import('./mapView.js').catch(() => {});

/** The page of one map. */
export function ViewerPage(): ReactNode {
  const { texts } = useLanguage();
  if (!named) return <KnownMessage kind="notFound" texts={texts} />;
  return <NamedMap at={named} />;
}

function NamedMap({ at }: { at: MapAddress }): ReactNode {
  const { ui, wanted, texts } = useLanguage();
  const query = new URLSearchParams({ project: at.project, map: at.map, lng: wanted[0] ?? ui });
  const info = useCall<PublishedMap[]>(`${base}/pages/maps.json?${query}`);
  const known = info.data?.[0];
  const language = known ? bestLanguage(wanted, known.languages) : undefined;
  const treeUrl = address(['api', '2.8', at.project, at.map, 'layers'], { type: 'publish', lng: language });
  const tree = useCall<TreeItem[]>(info.data ? treeUrl : null);
  const name = known?.name || at.map;
  useEffect(() => {
    document.title = `${name} · Cartulary`;
  }, [name]);

  const error = info.error ?? tree.error;
  if (error) {
    const retry = (): void => (info.error ? info : tree).retry();
    return <ErrorMessage error={error} onRetry={retry} />;
  }
  if (!info.data || !tree.data) {
    return (
      <div className={classes.waiting} role="status">
        <Loader size="sm" /> {info.busy || tree.busy ? texts.busy : texts.loading}
      </div>
    );
  }
  const map = known ?? unlisted(at);
  return <Viewer map={map} items={tree.data} language={language ?? map.languages[0]!} />;
}

/** A map that may be viewed but is on no list. */
const unlisted = ({ project, map }: MapAddress): PublishedMap => ({
  project,
  project_name: '',
  code: map,
  name: '',
  languages: ['en'],
  layers: 0,
  group_layers: 0,
  attribution: '',
  extent: null,
});
