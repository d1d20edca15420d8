import { Loader } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { service } from '../common/api.js';
import { address, base } from '../common/base.js';
import { ErrorMessage, KnownMessage } from '../common/Message.js';
import { useSessions } from '../common/sign-in/session.js';
import { bestLanguage, shownName, useLanguage } from '../common/texts/language.js';
import type { PublishedMap } from '../common/types.js';
import { useCall } from '../common/useCall.js';
import { isEmbedded } from './addressState.js';
import type { TreeItem } from './tree.js';
import type { MapAddress } from './types.js';
import { Viewer } from './Viewer.js';
import classes from './viewer.module.css';

/** The map in the address; null if the address has none. */
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
// Preloads the map library while the metadata loads. MapCanvas reports a failure.
if (named) import('./map/mapView.js').catch(() => {});

/** The page of one map. */
export function ViewerPage(): ReactNode {
  const { texts } = useLanguage();
  if (!named) {
    return (
      <main>
        <KnownMessage kind="notFound" texts={texts} />
      </main>
    );
  }
  return <NamedMap at={named} />;
}

function NamedMap({ at }: { at: MapAddress }): ReactNode {
  const { wanted, texts } = useLanguage();
  const { sessions } = useSessions();
  // Lists with a filter are read by POST, for which the service asks those who are signed in.
  service.csrf = sessions.find(({ project }) => project === at.project)?.csrf ?? '';
  const query = new URLSearchParams({ project: at.project, map: at.map });
  const info = useCall<PublishedMap[]>(`${base}/pages/maps.json?${query}`);
  const known = info.data?.[0];
  const language = known ? bestLanguage(wanted, known.languages) : undefined;
  const treeUrl = address(['api', '2.8', at.project, at.map, 'layers'], { type: 'publish', lng: language });
  const tree = useCall<TreeItem[]>(info.data ? treeUrl : null);
  const name = known ? shownName(known, wanted) : at.map;
  useEffect(() => {
    document.title = `${name} · Cartulary`;
  }, [name]);

  const error = info.error ?? tree.error;
  if (error) {
    const retry = (): void => (info.error ? info : tree).retry();
    return (
      <main>
        {/* In a frame of another page nobody is asked for a password. */}
        <ErrorMessage error={error} {...(!isEmbedded() && { project: at.project })} onRetry={retry} />
      </main>
    );
  }
  if (!info.data || !tree.data) {
    return (
      <div className={classes.waiting} role="status">
        <Loader size="sm" /> {info.busy || tree.busy ? texts.busy : texts.loading}
      </div>
    );
  }
  const map = known ? { ...known, name } : unlisted(at);
  return <Viewer map={map} items={tree.data} language={language ?? map.languages[0]!} />;
}

/** Metadata of a map that may be viewed and is not listed. */
const unlisted = ({ project, map }: MapAddress): PublishedMap => ({
  project,
  project_name: '',
  code: map,
  name: '',
  names: {},
  languages: ['en'],
  layers: 0,
  is_public: true,
  group_layers: 0,
  attribution: '',
  ground: false,
  extent: null,
});
